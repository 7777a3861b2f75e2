package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimHistory.Attempt;
import org.ecstore.sim.history.SimHistory.Outcome;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.verify.check.Graph;
import org.jspecify.annotations.Nullable;

/**
 * Checks isolation from what clients read and wrote alone, knowing nothing of positions. The order
 * of the versions of a list follows from the lists that were read, as each must begin with every
 * shorter one; rows are inserted once. From that come the dependencies of Adya's theses:
 * write-write, write-read and read-write, and the order in time or session that was promised. A
 * cycle is a violation.
 *
 * <p>A serializable transaction is one node of the graph. A snapshot transaction is two, its reads
 * and, after them, its writes: an acyclic graph then has an order in which every read is a
 * snapshot, and as a list's writer must have read the version just before its own, no update is
 * lost. That is snapshot isolation; a write skew between two serializable transactions is a cycle.
 */
public final class OrderChecker {
  private final List<Finding> findings = new ArrayList<>();
  private final List<Attempt> attempts;
  private final @Nullable Map<Bytes, Optional<Row>> finals;
  private final Graph<String> graph = new Graph<>();
  private final List<String> names = new ArrayList<>();
  private final IdentityHashMap<Attempt, Integer> readNode = new IdentityHashMap<>();

  /** What it was shown: as its reads, but where these may come later than the session goes on. */
  private final IdentityHashMap<Attempt, Integer> sawNode = new IdentityHashMap<>();

  private final IdentityHashMap<Attempt, Integer> writeNode = new IdentityHashMap<>();
  private final Map<Bytes, List<Long>> order = new TreeMap<>();
  private final Map<Long, Attempt> writerOf = new TreeMap<>();
  private final Map<Bytes, Attempt> inserterOf = new TreeMap<>();
  private final Map<Bytes, List<Attempt>> deletersOf = new TreeMap<>();

  private OrderChecker(List<Attempt> attempts, @Nullable Map<Bytes, Optional<Row>> finals) {
    this.attempts = attempts;
    this.finals = finals;
  }

  /**
   * What is wrong with a history; empty if nothing is. {@code finals} holds every list as read at
   * the very end; null if it could not be read.
   */
  public static List<Finding> check(
      SimHistory history, @Nullable Map<Bytes, Optional<Row>> finals) {
    OrderChecker checker = new OrderChecker(history.attempts(), finals);
    checker.findWriters();
    checker.findOrder();
    checker.checkDurability();
    if (checker.findings.isEmpty()) {
      checker.buildGraph();
      checker.checkCycles();
    }
    return checker.findings;
  }

  private void found(String rule, String detail) {
    findings.add(new Finding(rule, detail));
  }

  private static boolean mayHaveHappened(Attempt attempt) {
    return attempt.outcome() == Outcome.COMMITTED || attempt.outcome() == Outcome.UNKNOWN;
  }

  private static long lastElement(KeyWrite write) {
    return SimKeys.elements(write.value().orElseThrow()).getLast();
  }

  private void findWriters() {
    for (Attempt attempt : attempts) {
      if (!mayHaveHappened(attempt)) {
        continue;
      }
      for (KeyWrite write : attempt.writes()) {
        if (SimKeys.isList(write.key())) {
          claim(writerOf, lastElement(write), attempt);
        } else if (SimKeys.isRow(write.key()) && write.value().isPresent()) {
          claim(inserterOf, write.key(), attempt);
        } else if (SimKeys.isRow(write.key())) {
          deletersOf.computeIfAbsent(write.key(), absent -> new ArrayList<>()).add(attempt);
        }
      }
    }
  }

  private <K> void claim(Map<K, Attempt> owners, K what, Attempt attempt) {
    Attempt other = owners.get(what);
    if (other == null || other.outcome() != Outcome.COMMITTED) {
      owners.put(what, attempt);
    } else if (attempt.outcome() == Outcome.COMMITTED) {
      found("nothing is applied twice", what + " by " + other + " and again by " + attempt);
    }
  }

  /** Every list read, under its key. */
  private void forEachList(
      java.util.function.BiConsumer<Attempt, Map.Entry<Bytes, List<Long>>> to) {
    for (Attempt attempt : attempts) {
      listsOf(attempt).entrySet().forEach(entry -> to.accept(attempt, entry));
    }
  }

  private static Map<Bytes, List<Long>> listsOf(Attempt attempt) {
    Map<Bytes, List<Long>> lists = new TreeMap<>();
    for (SimHistory.KeyRead read : attempt.keyReads()) {
      if (SimKeys.isList(read.key())) {
        lists.put(
            read.key(), read.row().map(row -> SimKeys.elements(row.value())).orElseGet(List::of));
      }
    }
    for (SimHistory.IntervalRead read : attempt.intervalReads()) {
      for (Row row : read.rows()) {
        if (SimKeys.isList(row.key())) {
          lists.put(row.key(), SimKeys.elements(row.value()));
        }
      }
    }
    return lists;
  }

  private void findOrder() {
    Map<Bytes, Optional<Row>> atEnd = finals;
    if (atEnd != null) {
      atEnd.forEach(
          (key, row) -> {
            if (SimKeys.isList(key)) {
              order.put(key, row.map(found -> SimKeys.elements(found.value())).orElseGet(List::of));
            }
          });
    }
    forEachList((attempt, read) -> longest(read.getKey(), read.getValue(), atEnd == null, attempt));
    for (Attempt attempt : attempts) {
      if (attempt.outcome() == Outcome.COMMITTED) {
        for (KeyWrite write : attempt.writes()) {
          if (SimKeys.isList(write.key())) {
            longest(
                write.key(), SimKeys.elements(write.value().orElseThrow()), atEnd == null, attempt);
          }
        }
      }
    }
    order.forEach(this::checkElements);
  }

  private void longest(Bytes key, List<Long> list, boolean mayGrow, Attempt by) {
    List<Long> known = order.getOrDefault(key, List.of());
    int common = Math.min(known.size(), list.size());
    if (!known.subList(0, common).equals(list.subList(0, common))
        || (!mayGrow && list.size() > known.size())) {
      found(
          "all see one order of versions (no lost update)",
          "key " + key + " is " + list + " for " + by + " but " + known + " for others");
    } else if (list.size() > known.size()) {
      order.put(key, list);
    }
  }

  private void checkElements(Bytes key, List<Long> list) {
    Set<Long> met = new HashSet<>();
    for (long element : list) {
      if (!met.add(element)) {
        found("nothing is applied twice", "key " + key + " holds " + element + " twice: " + list);
      }
      if (!writerOf.containsKey(element)) {
        found(
            "no aborted write is seen (G1a)",
            "key " + key + " holds " + element + " that no committed transaction wrote: " + list);
      }
    }
  }

  private void checkDurability() {
    if (finals == null) {
      return;
    }
    for (Attempt attempt : attempts) {
      if (attempt.outcome() != Outcome.COMMITTED) {
        continue;
      }
      for (KeyWrite write : attempt.writes()) {
        if (SimKeys.isList(write.key())
            && !order.getOrDefault(write.key(), List.of()).contains(lastElement(write))) {
          found(
              "every acknowledged write is there",
              lastElement(write) + " of " + attempt + " is missing in " + write.key());
        }
      }
    }
  }

  private void buildGraph() {
    for (Attempt attempt : attempts) {
      int reads = addNode(attempt + " reads");
      readNode.put(attempt, reads);
      boolean writes = mayHaveHappened(attempt) && !attempt.writes().isEmpty();
      if (!writes || attempt.isolation() == Isolation.SERIALIZABLE) {
        writeNode.put(attempt, reads);
      } else {
        int own = addNode(attempt + " writes");
        writeNode.put(attempt, own);
        graph.addEdge(reads, own, "its snapshot precedes its commit");
      }
      sawNode.put(attempt, writes && mayComeLater(attempt) ? addSaw(attempt, reads) : reads);
    }
    order.forEach(this::addWriteOrder);
    forEachList((attempt, read) -> addListRead(attempt, read.getKey(), read.getValue()));
    attempts.forEach(this::addRowReads);
    addTimeOrder();
  }

  /**
   * Whether what it read is, with what it wrote, perhaps behind what its session did next: an
   * outcome that stays unknown may be settled at any time, as users are told.
   */
  private static boolean mayComeLater(Attempt attempt) {
    return attempt.outcome() == Outcome.UNKNOWN && attempt.isolation() == Isolation.SERIALIZABLE;
  }

  /** What it was shown is before what its session did next all the same. */
  private int addSaw(Attempt attempt, int reads) {
    int saw = addNode(attempt + " saw");
    graph.addEdge(saw, reads, "its snapshot precedes its commit");
    return saw;
  }

  private int addNode(String name) {
    names.add(name);
    return graph.addNode();
  }

  private int reads(Attempt attempt) {
    return Objects.requireNonNull(readNode.get(attempt));
  }

  private int saw(Attempt attempt) {
    return Objects.requireNonNull(sawNode.get(attempt));
  }

  private int writes(Attempt attempt) {
    return Objects.requireNonNull(writeNode.get(attempt));
  }

  private Attempt writer(long element) {
    Attempt writer = writerOf.get(element);
    if (writer == null) {
      throw new IllegalStateException("no writer of " + element);
    }
    return writer;
  }

  private void addWriteOrder(Bytes key, List<Long> list) {
    for (int i = 1; i < list.size(); i++) {
      graph.addEdge(writes(writer(list.get(i - 1))), writes(writer(list.get(i))), "ww on " + key);
    }
  }

  private void addListRead(Attempt attempt, Bytes key, List<Long> list) {
    List<Long> all = order.getOrDefault(key, List.of());
    if (!list.isEmpty()) {
      graph.addEdge(writes(writer(list.getLast())), saw(attempt), "wr on " + key);
    }
    if (all.size() > list.size()) {
      graph.addEdge(reads(attempt), writes(writer(all.get(list.size()))), "rw on " + key);
    }
  }

  private void addRowReads(Attempt attempt) {
    for (SimHistory.KeyRead read : attempt.keyReads()) {
      if (SimKeys.isRow(read.key())) {
        addRowRead(attempt, read.key(), read.row().isPresent());
      }
    }
    for (SimHistory.IntervalRead read : attempt.intervalReads()) {
      Set<Bytes> present = new HashSet<>();
      for (Row row : read.rows()) {
        present.add(row.key());
        if (SimKeys.isRow(row.key())) {
          addRowRead(attempt, row.key(), true);
        }
      }
      inserterOf.forEach(
          (key, inserter) -> {
            if (read.covered().contains(key) && !present.contains(key)) {
              addRowRead(attempt, key, false);
            }
          });
      // A list key that is missing in a scan was read as the empty list.
      order.forEach(
          (key, all) -> {
            if (read.covered().contains(key) && !present.contains(key)) {
              addListRead(attempt, key, List.of());
            }
          });
    }
  }

  private void addRowRead(Attempt attempt, Bytes key, boolean present) {
    Attempt inserter = inserterOf.get(key);
    List<Attempt> deleters = deletersOf.getOrDefault(key, List.of());
    if (inserter == null) {
      if (present) {
        found("no aborted write is seen (G1a)", attempt + " read row " + key + " without a writer");
      }
      return;
    }
    if (present) {
      graph.addEdge(writes(inserter), saw(attempt), "wr on row " + key);
      for (Attempt deleter : deleters) {
        if (deleter.outcome() == Outcome.COMMITTED) {
          graph.addEdge(reads(attempt), writes(deleter), "rw on row " + key);
        }
      }
    } else if (deleters.isEmpty() && inserter.outcome() == Outcome.COMMITTED) {
      graph.addEdge(reads(attempt), writes(inserter), "rw on row " + key);
    }
  }

  /**
   * Strong transactions come after everything that completed before they began; others after
   * everything their own session did. A chain of moments keeps the number of edges linear.
   */
  private void addTimeOrder() {
    List<Attempt> byEnd = new ArrayList<>(attempts);
    byEnd.sort((a, b) -> Long.compare(a.completedNanos(), b.completedNanos()));
    TreeMap<Long, Integer> moments = new TreeMap<>();
    Integer previous = null;
    for (Attempt attempt : byEnd) {
      if (attempt.outcome() == Outcome.UNKNOWN) {
        continue;
      }
      int moment = addNode("moment " + attempt.completedNanos() / 1_000_000 + " ms");
      graph.addEdge(writes(attempt), moment, "had completed by then");
      graph.addEdge(reads(attempt), moment, "had completed by then");
      if (previous != null) {
        graph.addEdge(previous, moment, "time");
      }
      moments.put(attempt.completedNanos(), moment);
      previous = moment;
    }
    Map<Integer, List<Attempt>> sessions = new TreeMap<>();
    for (Attempt attempt : attempts) {
      Map.Entry<Long, Integer> before = moments.lowerEntry(attempt.invokedNanos());
      if (attempt.level().kind() == ReadLevel.Kind.STRONG && before != null) {
        graph.addEdge(before.getValue(), saw(attempt), "began after that");
      }
      sessions.computeIfAbsent(attempt.client(), absent -> new ArrayList<>()).add(attempt);
    }
    sessions.values().forEach(this::addSessionOrder);
  }

  private void addSessionOrder(List<Attempt> session) {
    session.sort((a, b) -> Long.compare(a.invokedNanos(), b.invokedNanos()));
    List<Attempt> since = new ArrayList<>();
    for (Attempt attempt : session) {
      // What a local snapshot shows may be older than what the session has seen.
      if (attempt.level().kind() != ReadLevel.Kind.LOCAL) {
        since.forEach(before -> addSessionEdges(before, attempt));
        since.clear();
      }
      since.add(attempt);
    }
  }

  private void addSessionEdges(Attempt before, Attempt after) {
    graph.addEdge(saw(before), saw(after), "session order");
    if (before.outcome() == Outcome.COMMITTED) {
      graph.addEdge(writes(before), saw(after), "session order");
    }
  }

  private void checkCycles() {
    List<Graph.Edge<String>> cycle = graph.findCycle();
    if (cycle.isEmpty()) {
      return;
    }
    StringBuilder text = new StringBuilder("cycle:");
    for (Graph.Edge<String> edge : cycle) {
      text.append("\n    ")
          .append(names.get(edge.from()))
          .append("\n      --")
          .append(edge.why())
          .append("--> ")
          .append(names.get(edge.to()));
    }
    found("transactions have one order", text.toString());
  }
}
