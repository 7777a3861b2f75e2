package org.ecstore.sim;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.sim.client.FeedDriver;
import org.ecstore.sim.client.SimClient;
import org.ecstore.sim.ledger.SimLedger;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.node.SimNetwork;
import org.ecstore.sim.world.AllDone;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.sequencer.LedgerRetention;

/** The readers of changes of a run, and what the ledger owes them (rule 29). */
final class Readers implements FeedDriver.KeptLedger {
  /** What a run counts a seed as that has some. */
  static final String ARE_THERE = "there are readers of changes";

  /** Numbers of their own, above those of all other clients. */
  private static final int FIRST = 1_000;

  private static final long SAMPLE_NANOS = 50 * SwarmSettings.MILLI;

  /** They come to the end of the ledger so soon, once nothing is wrong any more. */
  private static final long SOON_NANOS = 12 * SwarmSettings.SECOND;

  private record Sample(long nanos, long end) {}

  private final World world;
  private final SimLedger ledger;
  private final LedgerRetention.Bounds bounds;
  private final boolean clocksJump;
  private final List<FeedDriver> drivers = new ArrayList<>();

  /** How far the ledger went at earlier moments, oldest first. */
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * Of a run.
   *
   * @param clocksJump whether nodes' clocks may jump, and so say nothing of ages
   */
  Readers(World world, SimLedger ledger, LedgerRetention.Bounds bounds, boolean clocksJump) {
    this.world = world;
    this.ledger = ledger;
    this.bounds = bounds;
    this.clocksJump = clocksJump;
  }

  void start(SimNetwork network, List<NodeId> nodes) {
    world.happened(ARE_THERE);
    SimRandom random = world.random("readers of changes");
    for (int i = random.between(1, 3); i > 0; i--) {
      int number = FIRST + i;
      SimClient client =
          new SimClient(
              world,
              network,
              number,
              nodes,
              world.random("reader of changes " + number),
              NodeMutation.ClientBehaviour.RIGHT);
      FeedDriver driver = new FeedDriver(world, client, ledger, this);
      drivers.add(driver);
      driver.start();
    }
    sample();
  }

  private void sample() {
    samples.addLast(new Sample(world.nowNanos(), ledger.end()));
    world.scheduler().after(SAMPLE_NANOS, this::sample);
  }

  /** By the fastest clock that a node may have. */
  @Override
  public Optional<String> isOwed(long position) {
    if (bounds.nanos() <= 0 || ledger.end() - position >= bounds.recordsMax()) {
      return Optional.empty();
    }
    long since =
        samples.stream()
            .filter(sample -> sample.end() >= position)
            .findFirst()
            .map(Sample::nanos)
            .orElse(world.nowNanos());
    long age = world.nowNanos() - since + 2 * SAMPLE_NANOS;
    long least = (long) (bounds.nanos() / SimHost.CLOCK_RATE_MAX);
    return age >= least || clocksJump
        ? Optional.empty()
        : Optional.of(
            "it is %d ms old, kept are %d ms and %d records of %d"
                .formatted(
                    age / SwarmSettings.MILLI,
                    bounds.nanos() / SwarmSettings.MILLI,
                    bounds.recordsMax(),
                    ledger.end()));
  }

  /** Nothing is wrong and nothing is committed any more: each has soon read all, and ends. */
  boolean comeToTheEnd() {
    long end = ledger.end();
    drivers.forEach(FeedDriver::hurry);
    long until = world.nowNanos() + SOON_NANOS;
    world.runUntil(until, new AllDone<>(drivers, driver -> driver.position() >= end));
    drivers.forEach(FeedDriver::stop);
    for (FeedDriver driver : drivers) {
      if (world.violations().isEmpty() && driver.position() < end) {
        world.violated(
            Promises.FEEDS_GET_ON, "one has come to %d of %d".formatted(driver.position(), end));
      }
    }
    world.runUntil(world.nowNanos() + SOON_NANOS, new AllDone<>(drivers, FeedDriver::stopped));
    return world.violations().isEmpty();
  }
}
