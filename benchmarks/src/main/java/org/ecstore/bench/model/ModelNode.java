package org.ecstore.bench.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.ecstore.id.NodeId;
import org.ecstore.replication.load.DecayedRates;
import org.ecstore.replication.load.NodeLoads;
import org.ecstore.sim.world.Scheduler;

/** A node as a queue: one thing after the other, each of which occupies it for its cost. */
final class ModelNode {
  private record Job(LongSupplier cost, Runnable done) {}

  private final Scheduler scheduler;
  private final ArrayDeque<Job> queue = new ArrayDeque<>();
  private boolean busy;
  private long queries;

  final NodeId id;
  final NodeLoads loads = new NodeLoads();
  final DecayedRates served;
  final List<ModelCopy> copies = new ArrayList<>();

  /** Where clients at this node were sent to. */
  final List<Remembered> remembered = new ArrayList<>();

  /** Until a time, reads of a copy go to a hot-spot replica of it. */
  record Remembered(ModelCopy copy, ModelHotReplica hotReplica, long untilNanos) {}

  ModelNode(Scheduler scheduler, NodeId id, long halfLifeNanos) {
    this.scheduler = scheduler;
    this.id = id;
    this.served = new DecayedRates(halfLifeNanos, scheduler.nowNanos());
  }

  /** Does something when its turn comes; what it costs is asked then. */
  void work(LongSupplier cost, Runnable done) {
    queue.add(new Job(cost, done));
    if (!busy) {
      next();
    }
  }

  private void next() {
    Job job = queue.poll();
    busy = job != null;
    if (job != null) {
      scheduler.after(
          job.cost().getAsLong(),
          () -> {
            job.done().run();
            next();
          });
    }
  }

  /** A query was answered here. */
  void served() {
    queries++;
    served.read(1, scheduler.nowNanos());
  }

  /** Queries answered since the last {@link #forgetQueries}. */
  long queries() {
    return queries;
  }

  void forgetQueries() {
    queries = 0;
  }

  /** Reads served per second, lately. */
  double load() {
    return served.rates(scheduler.nowNanos()).reads();
  }
}
