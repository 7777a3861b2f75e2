package org.ecstore.bench.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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
public final class TransactionLoad {
  private static final Bytes VALUE = Bytes.utf8("123456789,".repeat(20));
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;
  private static final long BACK_OFF_NANOS_MAX = 2_000_000L;

  /**
   * What a transaction does.
   *
   * @param reads keys read one by one
   * @param interval read as a whole
   * @param validated whether it must commit even if it writes nothing, as without versions
   * @param withFirstRead at which level its snapshot begins in the message of its first read, at
   *     the primary that is read, as the client does it; one that reads nothing commits at what its
   *     session has seen. If absent, it begins with a message of its own at the client's node
   */
  public record Transaction(
      List<Bytes> reads,
      Optional<KeyRange> interval,
      List<Bytes> writes,
      boolean validated,
      Optional<ReadLevel> withFirstRead) {}

  /**
   * What was counted.
   *
   * @param perSecond transactions that ended
   * @param restarts attempts that were aborted by conflicts, as a part of all
   * @param meanMillis from a transaction's first attempt to its end
   * @param readMillis the same of those that write nothing; not a number if there was none
   * @param updateMillis the same of those that write
   * @param onOneNode those whose keys, read and written, all had the same primary when they ended,
   *     as a part of all
   * @param sequencerBusy how much of the time its work occupied the sequencer's node, as a part
   * @param busy the same of all nodes, on the average
   */
  public record Outcome(
      double perSecond,
      double restarts,
      double meanMillis,
      double readMillis,
      double updateMillis,
      double onOneNode,
      double sequencerBusy,
      double busy) {}

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
  private List<Long> occupiedBefore = List.of();
  private final Map<Long, Long> begunNanos = new TreeMap<>();
  private long readers;
  private long readerNanos;
  private long updates;
  private long updateNanos;
  private long onOneNode;

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
  public static Outcome run(
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
    return load.outcome();
  }

  private Outcome outcome() {
    long nanos = cluster.scheduler().nowNanos() - sinceNanos;
    long all = readers + updates;
    List<Long> occupied = new ArrayList<>();
    List<Long> now = cluster.occupiedNanos();
    for (int i = 0; i < now.size(); i++) {
      occupied.add(now.get(i) - occupiedBefore.get(i));
    }
    NodeId sequencer =
        cluster.sequencer().orElseThrow(() -> new IllegalStateException("no node commits"));
    double sum = occupied.stream().mapToDouble(each -> each).sum();
    return new Outcome(
        all / (nanos / SECOND),
        (double) aborted / attempts,
        (readerNanos + updateNanos) / MILLI / all,
        readerNanos / MILLI / readers,
        updateNanos / MILLI / updates,
        (double) onOneNode / all,
        (double) occupied.get(cluster.nodes().indexOf(sequencer)) / nanos,
        sum / nanos / now.size());
  }

  private void next(long client, NodeId node) {
    if (ended < last) {
      begunNanos.put(client, cluster.scheduler().nowNanos());
      attempt(client, node, workload.get());
    }
  }

  private void attempt(long client, NodeId node, Transaction transaction) {
    if (ended >= uncounted && ended < last) {
      attempts++;
    }
    ReadPoint seen = tokens.getOrDefault(node, ReadPoint.ZERO);
    Optional<ReadLevel> withFirstRead = transaction.withFirstRead();
    if (withFirstRead.isPresent() && !transaction.reads().isEmpty()) {
      beginWithRead(client, node, transaction, withFirstRead.get(), seen);
    } else if (withFirstRead.isPresent() && !seen.equals(ReadPoint.ZERO)) {
      send(client, node, transaction, seen);
    } else {
      begin(client, node, transaction, seen);
    }
  }

  private void begin(long client, NodeId node, Transaction transaction, ReadPoint seen) {
    cluster.call(
        client,
        node,
        new ClientRequest.Begin(ReadLevel.SESSION, seen),
        reply -> {
          if (reply instanceof ClientReply.Begun begun) {
            read(client, node, transaction, transaction.reads(), begun);
          } else {
            throw new IllegalStateException("a begin was answered by " + reply);
          }
        });
  }

  private void beginWithRead(
      long client, NodeId node, Transaction transaction, ReadLevel level, ReadPoint seen) {
    List<Bytes> keys = transaction.reads();
    Route range = rangeOf(keys.getFirst());
    ClientRequest.Get first =
        new ClientRequest.Get(
            ReadPoint.ZERO, range.range(), range.epoch(), List.of(keys.getFirst()));
    cluster.call(
        client,
        range.primary(),
        new ClientRequest.BeginWith(level, seen, first),
        reply -> {
          switch (reply) {
            case ClientReply.BegunWith(ClientReply.Begun begun, ClientReply.Values _) -> {
              tokens.merge(node, begun.point(), ReadPoint::max);
              read(client, node, transaction, keys.subList(1, keys.size()), begun);
            }
            case ClientReply.WrongRange(List<Route> routes) -> {
              learn(routes);
              beginWithRead(client, node, transaction, level, seen);
            }
            default -> throw new IllegalStateException("a first read was answered by " + reply);
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

  /** Reads what is left at once; when the last one is answered, the commit. */
  private void read(
      long client,
      NodeId node,
      Transaction transaction,
      List<Bytes> keys,
      ClientReply.Begun begun) {
    List<ClientRequest> requests = new ArrayList<>();
    List<NodeId> primaries = new ArrayList<>();
    for (Bytes key : keys) {
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
    if (requests.isEmpty()) {
      commit(client, node, transaction, begun);
      return;
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
              read(client, node, transaction, keys, begun);
            } else {
              commit(client, node, transaction, begun);
            }
          });
    }
  }

  private void commit(long client, NodeId node, Transaction transaction, ClientReply.Begun begun) {
    if (transaction.withFirstRead().isEmpty()) {
      cluster.call(client, node, new ClientRequest.EndSnapshot(begun.lease()), _ -> {});
    }
    if (transaction.writes().isEmpty() && !transaction.validated()) {
      done(client, node, transaction);
    } else {
      send(client, node, transaction, begun.point());
    }
  }

  private void send(long client, NodeId node, Transaction transaction, ReadPoint point) {
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
            point,
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
        done(client, node, transaction);
      }
      case ClientReply.Aborted(AbortReason.Conflict _, ReadPoint point) -> {
        if (ended >= uncounted && ended < last) {
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

  private void done(long client, NodeId node, Transaction transaction) {
    ended++;
    if (ended > uncounted && ended <= last) {
      count(client, transaction);
    } else if (ended == uncounted) {
      sinceNanos = cluster.scheduler().nowNanos();
      occupiedBefore = cluster.occupiedNanos();
    }
    next(client, node);
  }

  private void count(long client, Transaction transaction) {
    long nanos = cluster.scheduler().nowNanos() - begunNanos.getOrDefault(client, 0L);
    if (transaction.writes().isEmpty()) {
      readers++;
      readerNanos += nanos;
    } else {
      updates++;
      updateNanos += nanos;
    }
    Set<NodeId> primaries = new TreeSet<>();
    transaction.reads().forEach(key -> primaries.add(rangeOf(key).primary()));
    transaction.writes().forEach(key -> primaries.add(rangeOf(key).primary()));
    transaction
        .interval()
        .ifPresent(
            read ->
                ranges.stream()
                    .filter(range -> range.keys().intersection(read).isPresent())
                    .forEach(range -> primaries.add(range.primary())));
    if (primaries.size() == 1) {
      onOneNode++;
    }
  }
}
