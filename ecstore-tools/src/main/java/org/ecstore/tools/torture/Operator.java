package org.ecstore.tools.torture;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientReply.Holders;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.torture.workload.Workload;

/**
 * Asks the steward for what an operator might, and sees what comes of it. One thread calls {@link
 * #choose}; the rest is safe for use by several threads.
 */
final class Operator {
  /** What came of a request. */
  enum End {
    DONE,
    REFUSED,
    PUT_OFF,
    UNHEARD
  }

  private static final long LOOK_MILLIS = 300;

  /** The map may be a little old, and no care is taken that a request can be granted. */
  private static final double CARELESS_SHARE = 0.25;

  /** Of requests: another in each run, for a cluster may be tested again. */
  private final long firstId = new SecureRandom().nextLong(1, Long.MAX_VALUE / 2);

  private final TestedCluster cluster;
  private final SplittableRandom random;
  private final FaultLog log;

  /** Guarded by this. */
  private final Map<FaultKind, RequestCount> counts = new EnumMap<>(FaultKind.class);

  /** What is asked for and not over, in order. Guarded by this. */
  private final Map<Long, String> open = new LinkedHashMap<>();

  /** Guarded by this. */
  private long asked;

  Operator(TestedCluster cluster, SplittableRandom random, FaultLog log) {
    this.cluster = cluster;
    this.random = random;
    this.log = log;
  }

  /**
   * A request of a kind about ranges, by the map as nodes know it; absent if nothing comes to mind.
   */
  Optional<AdminRequest> choose(FaultKind kind) throws IOException {
    Optional<StatusReport> known = cluster.map();
    if (known.isEmpty() || known.get().ranges().isEmpty()) {
      return Optional.empty();
    }
    StatusReport map = known.get();
    List<Route> ranges =
        map.ranges().stream().sorted(Comparator.comparing(range -> range.keys().start())).toList();
    return switch (kind) {
      case SPLIT -> Optional.of(split(one(ranges)));
      case MERGE -> merge(map, ranges);
      case MOVE -> Optional.of(move(one(ranges)));
      case MOVE_COPY -> moveCopy(one(ranges));
      case LEAVE, KILL, STOP, RESTART, JOIN, KILL_DATABASE, STOP_DATABASE -> Optional.empty();
    };
  }

  private <T> T one(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }

  private boolean careless() {
    return random.nextDouble() < CARELESS_SHARE;
  }

  /** At a key of the clients', or where the data is halved. */
  private AdminRequest split(Route range) {
    List<Bytes> inside =
        Workload.splitHints().stream()
            .filter(key -> range.keys().contains(key) && !key.equals(range.keys().start()))
            .toList();
    return new AdminRequest.Split(
        range.range(),
        inside.isEmpty() || random.nextBoolean() ? Optional.empty() : Optional.of(one(inside)));
  }

  private Optional<AdminRequest> merge(StatusReport map, List<Route> ranges) {
    if (ranges.size() < 2) {
      return Optional.empty();
    }
    List<Integer> likely =
        Stream.iterate(1, i -> i < ranges.size(), i -> i + 1)
            .filter(i -> alike(map, ranges.get(i - 1), ranges.get(i)))
            .toList();
    int upper =
        likely.isEmpty() || careless() ? 1 + random.nextInt(ranges.size() - 1) : one(likely);
    return Optional.of(
        new AdminRequest.Merge(ranges.get(upper - 1).range(), ranges.get(upper).range()));
  }

  private static boolean alike(StatusReport map, Route one, Route other) {
    return one.primary().equals(other.primary()) && home(map, one).equals(home(map, other));
  }

  private static Optional<NodeId> home(StatusReport map, Route range) {
    return map.holders().stream()
        .filter(holders -> holders.range().equals(range.range()))
        .findFirst()
        .flatMap(Holders::home);
  }

  private AdminRequest move(Route range) {
    List<NodeId> others =
        cluster.nodes().stream()
            .filter(node -> !node.equals(range.primary()))
            .filter(node -> cluster.areAlike(node, range.primary()))
            .toList();
    NodeId to = others.isEmpty() || careless() ? one(cluster.nodes()) : one(others);
    return new AdminRequest.Move(range.range(), to, Optional.empty());
  }

  private Optional<AdminRequest> moveCopy(Route range) {
    List<NodeId> holders =
        Stream.concat(
                Stream.of(range.primary()), range.secondaries().stream().map(Route.Secondary::node))
            .toList();
    if (holders.size() < 2) {
      return Optional.empty();
    }
    NodeId from = one(holders.subList(1, holders.size()));
    List<NodeId> others =
        cluster.nodes().stream()
            .filter(node -> !holders.contains(node) && cluster.areAlike(node, from))
            .toList();
    NodeId to = others.isEmpty() || careless() ? one(cluster.nodes()) : one(others);
    return Optional.of(new AdminRequest.Move(range.range(), to, Optional.of(from)));
  }

  /** Asks, and waits for the end of it. */
  End ask(FaultKind kind, AdminRequest adminRequest) throws IOException, InterruptedException {
    long number;
    synchronized (this) {
      counts.merge(kind, RequestCount.NONE.withAsked(), (old, _) -> old.withAsked());
      number = ++asked;
      open.put(number, adminRequest.toString());
    }
    log.say("request " + number + ": " + adminRequest);
    Ended ended = outcome(adminRequest, firstId + number);
    log.say("request " + number + ": " + ended.end() + ": " + ended.detail());
    synchronized (this) {
      counts.computeIfPresent(kind, (_, old) -> old.with(ended.end()));
      open.remove(number);
    }
    return ended.end();
  }

  private record Ended(End end, String detail) {}

  private static Ended unheard(String why) {
    return new Ended(End.UNHEARD, why);
  }

  private Ended outcome(AdminRequest adminRequest, long id)
      throws IOException, InterruptedException {
    Optional<Decided> first = cluster.ask(new ClientRequest.Administer(adminRequest, id));
    if (first.isEmpty()) {
      return unheard("no steward answers");
    }
    DecisionLine line = first.get().decisions().getFirst();
    while (!line.isOver()) {
      Thread.sleep(LOOK_MILLIS);
      Optional<Decided> again = cluster.ask(new ClientRequest.AskDecisions(Optional.empty()));
      if (again.isEmpty()) {
        continue;
      }
      Optional<DecisionLine> same = find(again.get(), line);
      if (!again.get().steward().equals(first.get().steward()) || same.isEmpty()) {
        return unheard(
            "its steward was " + first.get().steward() + ", now " + again.get().steward());
      }
      line = same.get();
    }
    return new Ended(
        switch (line.outcome()) {
          case DecisionLine.DONE -> End.DONE;
          case "refused" -> End.REFUSED;
          default -> End.PUT_OFF;
        },
        line.what() + ": " + line.detail());
  }

  private static Optional<DecisionLine> find(Decided decided, DecisionLine line) {
    return decided.decisions().stream()
        .filter(one -> one.number() == line.number() && one.what().equals(line.what()))
        .findFirst();
  }

  /** What came of requests, by kind. */
  synchronized Map<FaultKind, RequestCount> counts() {
    return counts.isEmpty() ? Map.of() : new EnumMap<>(counts);
  }

  /** Requests that are neither done nor refused nor put off. */
  synchronized String open() {
    return open.values().stream().collect(Collectors.joining(", "));
  }
}
