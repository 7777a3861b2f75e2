package org.ecstore.bench.qos.modelled;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import org.ecstore.bench.cost.CostModel;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.sim.world.Scheduler;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * A run of a cell: so many clients, each of which waits for an answer before it asks again, on so
 * many nodes. Each node does one thing after the other. A client asks one node, by its number
 * modulo that of the nodes (§IV); where another one has the record, that one is asked by the first:
 * two messages more for each of both. A node takes a message in, or sends one, for what a message
 * costs, and reads for what a read costs, and more if its row cache does not have the record.
 * Messages between clients and nodes, and between nodes, take the network's time. Records are on
 * nodes by a hash, one copy each. Clients cost nothing.
 */
final class ModelledRun {
  private static final double MILLI = 1e6;
  private static final double SECOND = 1e9;

  private final Scheduler scheduler = new Scheduler();
  private final ModelSubject subject;
  private final CostModel costs;
  private final RecordPopularity popularity;
  private final RowCaches caches;
  private final GridPoint point;
  private final SplittableRandom random;
  private final long salt;

  /** Until when each node has something to do. */
  private final long[] busyUntil;

  private final int uncounted;
  private final long[] latencies;
  private int ended;
  private int hits;
  private long sinceNanos;
  private long untilNanos;

  private ModelledRun(
      ModelSubject subject, RowCaches caches, GridPoint point, int requests, long seed) {
    this.subject = subject;
    this.costs = subject.nodeClass().costs();
    this.popularity = subject.popularity();
    this.caches = caches;
    this.point = point;
    this.random = new SplittableRandom(seed);
    this.salt = random.nextLong();
    this.busyUntil = new long[point.servers()];
    this.uncounted = ModelCourse.warmUp(point.clients());
    this.latencies = new long[requests];
  }

  /**
   * Runs it.
   *
   * @param caches of all nodes
   * @param number of the run
   * @param requests that count
   */
  static TableRun of(
      ModelSubject subject,
      RowCaches caches,
      GridPoint point,
      int number,
      int requests,
      long seed) {
    ModelledRun run = new ModelledRun(subject, caches, point, requests, seed);
    for (int client = 0; client < point.clients(); client++) {
      run.ask(client);
    }
    while (run.ended < run.uncounted + requests) {
      if (!run.scheduler.step(Long.MAX_VALUE)) {
        throw new IllegalStateException("no client waits after " + run.ended + " answers");
      }
    }
    return run.outcome(number);
  }

  private void ask(int client) {
    long begun = scheduler.nowNanos();
    long rank = popularity.draw(random);
    boolean hit = random.nextDouble() < caches.chance(rank);
    int holder = Math.floorMod(mixed(rank + salt), point.servers());
    int asked = subject.isDirect() ? holder : client % point.servers();
    long read = costs.query(1) + (hit ? 0 : subject.nodeClass().missNanos());
    long messages = 2 * costs.message(1);
    Runnable answered = () -> answered(client, begun, hit);
    travel(
        () -> {
          if (asked == holder) {
            work(holder, messages + read, () -> travel(answered));
          } else {
            work(asked, messages, () -> travel(() -> forwarded(asked, holder, read, answered)));
          }
        });
  }

  private void forwarded(int asked, int holder, long read, Runnable answered) {
    long messages = 2 * costs.message(1);
    work(
        holder, messages + read, () -> travel(() -> work(asked, messages, () -> travel(answered))));
  }

  private void travel(Runnable arrived) {
    scheduler.after(costs.network(), arrived);
  }

  /** What a node does when it has done all that came before. */
  private void work(int node, long nanos, Runnable done) {
    busyUntil[node] = Math.max(busyUntil[node], scheduler.nowNanos()) + nanos;
    scheduler.at(busyUntil[node], done);
  }

  private void answered(int client, long begun, boolean hit) {
    ended++;
    int counted = ended - uncounted;
    if (counted == 0) {
      sinceNanos = scheduler.nowNanos();
    } else if (counted > 0 && counted <= latencies.length) {
      latencies[counted - 1] = scheduler.nowNanos() - begun;
      hits += hit ? 1 : 0;
      untilNanos = scheduler.nowNanos();
    }
    ask(client);
  }

  private TableRun outcome(int number) {
    Arrays.sort(latencies);
    int count = latencies.length;
    return new TableRun(
        point,
        number,
        Arrays.stream(latencies).average().orElse(0) / MILLI,
        latencies[(int) (0.95 * count)] / MILLI,
        latencies[(int) (0.99 * count)] / MILLI,
        count / ((untilNanos - sinceNanos) / SECOND),
        0,
        0,
        OptionalDouble.empty(),
        OptionalDouble.of((double) hits / count),
        true,
        ModelSubject.MODEL);
  }

  /** Bits that look drawn at random, and are the same each time (the finalizer of SplitMix64). */
  static long mixed(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
