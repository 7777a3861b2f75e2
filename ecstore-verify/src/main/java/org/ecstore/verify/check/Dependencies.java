package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ecstore.model.ReadLevel;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.History;
import org.jspecify.annotations.Nullable;

/**
 * The dependencies of Adya's theses, and the order in time or session that was promised: a cycle is
 * a violation.
 *
 * <p>A serializable transaction is one node. Under snapshot isolation it is two, its reads and,
 * after them, its writes; a write of the same key must be after the other's commit, that is before
 * one's own reads (first committer wins). A cycle in that graph is then one without two read-write
 * dependencies in a row, which is what snapshot isolation forbids; a write skew is none.
 *
 * <p>Time is a chain of moments, one for each completion: a transaction leads to the moment of its
 * completion, and the last moment before it began leads to it. That keeps the number of edges in
 * proportion to the number of transactions.
 */
final class Dependencies {
  /** Why one comes before the other. */
  private enum Kind {
    WRITE_WRITE,
    WRITE_READ,
    READ_WRITE,
    READS_BEFORE_WRITES,
    SESSION,
    COMPLETED,
    TIME,
    BEGAN
  }

  private static final Set<Kind> CLOCK = EnumSet.of(Kind.COMPLETED, Kind.TIME, Kind.BEGAN);

  /** With the key it is about, if it is about one. */
  private record Why(Kind kind, long key) {
    static final Why OWN = new Why(Kind.READS_BEFORE_WRITES, 0);
    static final Why SESSION = new Why(Kind.SESSION, 0);
    static final Why COMPLETED = new Why(Kind.COMPLETED, 0);
    static final Why TIME = new Why(Kind.TIME, 0);
    static final Why BEGAN = new Why(Kind.BEGAN, 0);
  }

  private final History history;
  private final List<Attempt> attempts;
  private final Promise promise;
  private final Versions versions;
  private final Graph<Why> graph = new Graph<>();
  private final int[] reads;
  private final int[] writes;

  /** Whose node it is; -1 for a moment. */
  private final List<Integer> owner = new ArrayList<>();

  private Dependencies(History history, Promise promise, Versions versions) {
    this.history = history;
    this.attempts = history.attempts();
    this.promise = promise;
    this.versions = versions;
    this.reads = new int[attempts.size()];
    this.writes = new int[attempts.size()];
  }

  /** Reports a cycle, if there is one. */
  static void check(History history, Promise promise, Versions versions, Findings findings) {
    Dependencies dependencies = new Dependencies(history, promise, versions);
    dependencies.addNodes();
    dependencies.addData();
    dependencies.addSessions();
    if (IntStream.range(0, dependencies.attempts.size()).anyMatch(dependencies::needsTime)) {
      dependencies.addTime();
    }
    dependencies.findCycle(findings);
  }

  private int addNode(int attempt) {
    owner.add(attempt);
    return graph.addNode();
  }

  private void addNodes() {
    boolean[] writing = versions.writing(attempts.size());
    for (int i = 0; i < attempts.size(); i++) {
      if (!attempts.get(i).isOk() && !writing[i]) {
        reads[i] = writes[i] = -1;
        continue;
      }
      reads[i] = writes[i] = addNode(i);
      if (!promise.serializable() && writing[i]) {
        writes[i] = addNode(i);
        graph.addEdge(reads[i], writes[i], Why.OWN);
      }
    }
  }

  private void addData() {
    versions
        .writers()
        .forEach(
            (key, order) -> {
              Why why = new Why(Kind.WRITE_WRITE, key);
              for (int i = 1; i < order.length; i++) {
                graph.addEdge(writes[order[i - 1]], reads[order[i]], why);
              }
            });
    Map<Long, Why> writeRead = new HashMap<>();
    Map<Long, Why> readWrite = new HashMap<>();
    for (Versions.Read read : versions.reads()) {
      int[] order = versions.writers(read.key());
      if (read.version() > 0) {
        graph.addEdge(
            writes[order[read.version() - 1]],
            reads[read.attempt()],
            writeRead.computeIfAbsent(read.key(), key -> new Why(Kind.WRITE_READ, key)));
      }
      if (read.version() < order.length && order[read.version()] != read.attempt()) {
        graph.addEdge(
            reads[read.attempt()],
            writes[order[read.version()]],
            readWrite.computeIfAbsent(read.key(), key -> new Why(Kind.READ_WRITE, key)));
      }
    }
  }

  /**
   * What came before in a session leads to what comes after, unless that reads locally: it may be
   * older than what the session has seen. What comes later still is after both.
   */
  private void addSessions() {
    Map<Long, List<Integer>> before = new HashMap<>();
    for (int i = 0; i < attempts.size(); i++) {
      if (reads[i] < 0) {
        continue;
      }
      List<Integer> last =
          before.computeIfAbsent(attempts.get(i).process(), _ -> new ArrayList<>());
      if (kind(i) != ReadLevel.Kind.LOCAL) {
        for (int one : last) {
          graph.addEdge(reads[one], reads[i], Why.SESSION);
          graph.addEdge(writes[one], reads[i], Why.SESSION);
        }
        last.clear();
      }
      last.add(i);
    }
  }

  private ReadLevel.Kind kind(int attempt) {
    return promise.level(attempts.get(attempt)).kind();
  }

  private boolean needsTime(int attempt) {
    return switch (kind(attempt)) {
      case STRONG, BOUNDED -> true;
      case LOCAL, SESSION -> false;
    };
  }

  /** A bounded one comes after the moments that were longer ago than its lag. */
  private void addTime() {
    TreeMap<Long, Integer> moments = new TreeMap<>();
    for (History.Moment next : history.moments()) {
      int at = next.attempt();
      if (reads[at] < 0) {
        continue;
      }
      if (next.begins()) {
        ReadLevel level = promise.level(attempts.get(at));
        long until = next.time() - TimeUnit.MILLISECONDS.toNanos(level.lagMillis());
        Map.Entry<Long, Integer> moment =
            level.kind() == ReadLevel.Kind.STRONG ? moments.lastEntry() : moments.lowerEntry(until);
        if (moment != null && needsTime(at)) {
          graph.addEdge(moment.getValue(), reads[at], Why.BEGAN);
        }
      } else if (attempts.get(at).isOk()) {
        Map.Entry<Long, Integer> before = moments.lastEntry();
        int moment = addNode(-1);
        graph.addEdge(reads[at], moment, Why.COMPLETED);
        graph.addEdge(writes[at], moment, Why.COMPLETED);
        if (before != null) {
          graph.addEdge(before.getValue(), moment, Why.TIME);
        }
        moments.put(next.time(), moment);
      }
    }
  }

  /** From the worst to the least: data alone first, so that a cycle is named for what it is. */
  private void findCycle(Findings findings) {
    Set<Kind> used = EnumSet.of(Kind.WRITE_WRITE, Kind.READS_BEFORE_WRITES);
    List<Set<Kind>> stages =
        List.of(
            EnumSet.noneOf(Kind.class),
            EnumSet.of(Kind.WRITE_READ),
            EnumSet.of(Kind.READ_WRITE),
            EnumSet.of(Kind.SESSION),
            CLOCK);
    for (Set<Kind> more : stages) {
      used.addAll(more);
      List<Graph.Edge<Why>> cycle =
          graph.findCycle(
              why -> used.contains(why.kind()),
              why -> why.kind() == Kind.TIME || why.kind() == Kind.BEGAN ? 0 : 1);
      if (!cycle.isEmpty()) {
        findings.found(name(cycle), describe(cycle));
        return;
      }
    }
  }

  private String name(List<Graph.Edge<Why>> cycle) {
    long antiDependencies = count(cycle, Kind.READ_WRITE);
    String name;
    if (antiDependencies == 0) {
      name = count(cycle, Kind.WRITE_READ) == 0 ? "G0" : "G1c";
    } else if (antiDependencies == 1) {
      name = "G-single";
    } else {
      name = promise.serializable() ? "G2-item" : "G-nonadjacent";
    }
    return name
        + (count(cycle, Kind.SESSION) > 0 ? "-process" : "")
        + (count(cycle, Kind.COMPLETED) > 0 ? "-realtime" : "");
  }

  private static long count(List<Graph.Edge<Why>> cycle, Kind kind) {
    return cycle.stream().filter(edge -> edge.why().kind() == kind).count();
  }

  private String describe(List<Graph.Edge<Why>> cycle) {
    List<Graph.Edge<Why>> turned = startAtAttempt(cycle);
    StringBuilder text =
        new StringBuilder("a cycle breaks ").append(promise.title(attempts)).append(':');
    @Nullable Attempt waiting = null;
    for (Graph.Edge<Why> edge : turned) {
      int from = owner.get(edge.from());
      if (from >= 0) {
        text.append("\n    ").append(attempts.get(from));
      }
      switch (edge.why().kind()) {
        case COMPLETED -> waiting = attempts.get(from);
        case TIME -> {}
        case BEGAN -> {
          Attempt later = attempts.get(owner.get(edge.to()));
          text.append("\n      completed (line ")
              .append(waiting == null ? "?" : waiting.completed())
              .append(") before the next began (line ")
              .append(later.invoked())
              .append(')');
        }
        case WRITE_WRITE ->
            text.append("\n      wrote key ")
                .append(edge.why().key())
                .append(" before the next wrote it");
        case WRITE_READ ->
            text.append("\n      wrote what the next read of key ").append(edge.why().key());
        case READ_WRITE ->
            text.append("\n      did not see what the next wrote to key ").append(edge.why().key());
        case READS_BEFORE_WRITES -> text.append("\n      read at its snapshot before it committed");
        case SESSION -> text.append("\n      came before the next in one session");
      }
    }
    return text.append("\n    which is the first again").toString();
  }

  private List<Graph.Edge<Why>> startAtAttempt(List<Graph.Edge<Why>> cycle) {
    int start = 0;
    while (owner.get(cycle.get(start).from()) < 0) {
      start++;
    }
    List<Graph.Edge<Why>> turned = new ArrayList<>(cycle.subList(start, cycle.size()));
    turned.addAll(cycle.subList(0, start));
    return turned;
  }
}
