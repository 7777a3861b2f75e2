package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.sim.CostedCluster;
import org.ecstore.sim.world.SimRandom;

/**
 * Clients at the nodes of a {@link CostedCluster}, each of which runs one transaction after the
 * other and begins one anew that was aborted. Nodes, messages and protocol are the real ones.
 */
final class TransactionLoad {
  private static final Bytes VALUE = Bytes.utf8("123456789,".repeat(20));
  private static final long BACK_OFF_NANOS_MAX = 2_000_000L;

  /**
   * What a transaction does.
   *
   * @param reads keys read one by one
   * @param interval read as a whole
   * @param validated whether it must commit even if it writes nothing, as without versions
   */
  record Transaction(
      List<Bytes> reads, Optional<KeyRange> interval, List<Bytes> writes, boolean validated) {}

  /** What was counted. */
  record Outcome(double perSecond, double restarts) {}

  private final CostedCluster cluster;
  private final List<Route> ranges;
  private final Supplier<Transaction> workload;
  private final SimRandom random;
  private final long uncounted;
  private final long last;
  private final Map<NodeId, ReadPoint> tokens = new TreeMap<>();
  private long sequence;
  private long ended;
  private long attempts;
  private long aborted;
  private long sinceNanos;

  private TransactionLoad(
      CostedCluster cluster,
      long uncounted,
      long counted,
      Function<List<Route>, Supplier<Transaction>> workload,
      SimRandom random) {
    this.cluster = cluster;
    this.ranges = new ArrayList<>(cluster.start());
    this.workload = workload.apply(List.copyOf(ranges));
    this.random = random;
    this.uncounted = uncounted;
    this.last = uncounted + counted;
  }

  /**
   * Runs so many transactions.
   *
   * @param workload what they are, by how the keys are divided into ranges
   */
  static Outcome run(
      CostedCluster cluster,
      int clientsPerNode,
      long uncounted,
      long counted,
      Function<List<Route>, Supplier<Transaction>> workload,
      SimRandom random) {
    TransactionLoad load = new TransactionLoad(cluster, uncounted, counted, workload, random);
    long client = 0;
    for (NodeId node : cluster.nodes()) {
      for (int i = 0; i < clientsPerNode; i++) {
        load.next(++client, node);
      }
    }
    while (load.ended < load.last) {
      if (!cluster.scheduler().step(Long.MAX_VALUE)) {
        throw new IllegalStateException("nothing is under way after " + load.ended);
      }
    }
    double seconds = (cluster.scheduler().nowNanos() - load.sinceNanos) / 1e9;
    return new Outcome(counted / seconds, (double) load.aborted / load.attempts);
  }

  private void next(long client, NodeId node) {
    if (ended < last) {
      attempt(client, node, workload.get());
    }
  }

  private void attempt(long client, NodeId node, Transaction transaction) {
    if (ended >= uncounted) {
      attempts++;
    }
    cluster.call(
        client,
        node,
        new ClientRequest.Begin(ReadLevel.SESSION, tokens.getOrDefault(node, ReadPoint.ZERO)),
        reply -> {
          if (reply instanceof ClientReply.Begun begun) {
            read(client, node, transaction, begun);
          } else {
            throw new IllegalStateException("a begin was answered by " + reply);
          }
        });
  }

  /** The steward may still move a primary to a node that joined: what it was is forgotten. */
  private void learn(List<Route> routes) {
    for (Route route : routes) {
      ranges.removeIf(known -> known.keys().intersection(route.keys()).isPresent());
      ranges.add(route);
    }
  }

  private Route rangeOf(Bytes key) {
    return ranges.stream().filter(range -> range.keys().contains(key)).findFirst().orElseThrow();
  }

  /** All reads at once, and when the last one is answered the commit. */
  private void read(long client, NodeId node, Transaction transaction, ClientReply.Begun begun) {
    List<ClientRequest> requests = new ArrayList<>();
    List<NodeId> primaries = new ArrayList<>();
    for (Bytes key : transaction.reads()) {
      Route range = rangeOf(key);
      requests.add(
          new ClientRequest.Get(begun.point(), range.range(), range.epoch(), List.of(key)));
      primaries.add(range.primary());
    }
    for (Route range : ranges) {
      transaction
          .interval()
          .flatMap(range.keys()::intersection)
          .ifPresent(
              piece -> {
                requests.add(
                    new ClientRequest.Scan(
                        begun.point(), range.range(), range.epoch(), piece, false, 1000, false));
                primaries.add(range.primary());
              });
    }
    int[] left = {requests.size()};
    boolean[] moved = {false};
    for (int i = 0; i < requests.size(); i++) {
      cluster.call(
          client,
          primaries.get(i),
          requests.get(i),
          reply -> {
            switch (reply) {
              case ClientReply.Values _, ClientReply.Scanned _ -> {}
              case ClientReply.WrongRange(List<Route> routes) -> {
                learn(routes);
                moved[0] = true;
              }
              default -> throw new IllegalStateException("a read was answered by " + reply);
            }
            if (--left[0] > 0) {
              return;
            }
            if (moved[0]) {
              read(client, node, transaction, begun);
            } else {
              commit(client, node, transaction, begun);
            }
          });
    }
  }

  private void commit(long client, NodeId node, Transaction transaction, ClientReply.Begun begun) {
    cluster.call(client, node, new ClientRequest.EndSnapshot(begun.lease()), _ -> {});
    if (transaction.writes().isEmpty() && !transaction.validated()) {
      done(client, node);
      return;
    }
    Bytes first =
        transaction.writes().isEmpty()
            ? transaction
                .interval()
                .map(KeyRange::start)
                .orElseGet(() -> transaction.reads().getFirst())
            : transaction.writes().getFirst();
    ClientRequest.Commit commit =
        new ClientRequest.Commit(
            new TxnId(0x6000 + client, ++sequence),
            begun.point(),
            Isolation.SERIALIZABLE,
            transaction.reads().stream().sorted().distinct().toList(),
            transaction.interval().map(List::of).orElse(List.of()),
            transaction.writes().stream()
                .sorted()
                .distinct()
                .map(key -> new KeyWrite(key, Optional.of(VALUE)))
                .toList(),
            3_000);
    cluster.call(
        client,
        rangeOf(first).primary(),
        commit,
        reply -> answered(client, node, transaction, reply));
  }

  private void answered(long client, NodeId node, Transaction transaction, ClientReply reply) {
    switch (reply) {
      case ClientReply.Committed committed -> {
        tokens.merge(node, committed.point(), ReadPoint::max);
        done(client, node);
      }
      case ClientReply.Aborted(AbortReason.Conflict _, ReadPoint point) -> {
        if (ended >= uncounted) {
          aborted++;
        }
        tokens.merge(node, point, ReadPoint::max);
        cluster
            .scheduler()
            .after(random.between(0, BACK_OFF_NANOS_MAX), () -> attempt(client, node, transaction));
      }
      // What was read shows who has the range now.
      case ClientReply.Aborted(AbortReason.RangeChanged _, ReadPoint _) ->
          attempt(client, node, transaction);
      case ClientReply.WrongRange(List<Route> routes) -> {
        learn(routes);
        attempt(client, node, transaction);
      }
      default -> throw new IllegalStateException("a commit was answered by " + reply);
    }
  }

  private void done(long client, NodeId node) {
    ended++;
    if (ended == uncounted) {
      sinceNanos = cluster.scheduler().nowNanos();
    }
    next(client, node);
  }
}
