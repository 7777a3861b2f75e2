package org.ecstore.sim.client;

import java.util.Optional;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * Runs one client's transactions one after the other: tries each again after an abort, under a new
 * id, waits a while, draws the next.
 */
public final class ClientDriver {
  private static final long ATTEMPT_NANOS = 8 * SwarmSettings.SECOND;
  private static final int TRIES_MAX = 6;
  private static final long MILLI = SwarmSettings.MILLI;

  private final World world;
  private final SwarmSettings settings;
  private final SimClient client;
  private final SimWorkload workload;
  private final SimHistory history;
  private final SimRandom random;
  private @Nullable AttemptRun current;
  private boolean stopping;
  private boolean stopped;
  private long lastCommitNanos = -1;

  public ClientDriver(
      World world,
      SwarmSettings settings,
      SimClient client,
      SimWorkload workload,
      SimHistory history) {
    this.world = world;
    this.settings = settings;
    this.client = client;
    this.workload = workload;
    this.history = history;
    this.random = client.random();
  }

  public void start() {
    think();
  }

  /** Ends after the transaction under way. */
  public void stop() {
    stopping = true;
  }

  public boolean stopped() {
    return stopped;
  }

  /**
   * Whether a transaction has been committed that began when all was healed. That reads go on says
   * nothing of commits.
   */
  public boolean commitsAgain() {
    return lastCommitNanos >= world.healedNanos();
  }

  private void think() {
    // A faultless phase need not be slow.
    // A pause that began under faults must leave time to get on within the bound after them.
    long most = world.faulty() ? Math.min(settings.thinkNanosMax(), 10_000 * MILLI) : 200 * MILLI;
    long pause = random.chance(0.5) ? random.skewedNanos(MILLI, most) : random.between(MILLI, most);
    world.scheduler().after(pause, () -> tryNow(null, 0));
  }

  private void tryNow(@Nullable Plan again, int tries) {
    if (stopping && again == null) {
      stopped = true;
      return;
    }
    Plan plan = again == null ? next() : again;
    AttemptRun run =
        new AttemptRun(
            client, plan, world.nowNanos() + ATTEMPT_NANOS, end -> ended(plan, tries + 1, end));
    current = run;
    run.start();
  }

  /** Once all is healed it is for each client to write, until it has. */
  private Plan next() {
    Plan plan = workload.next();
    while (!world.faulty() && !commitsAgain() && !plan.mayWrite()) {
      plan = workload.next();
    }
    return plan;
  }

  private void ended(Plan plan, int tries, Optional<SimHistory.Attempt> end) {
    AttemptRun run = current;
    current = null;
    if (run != null) {
      run.earlier().forEach(history::add);
    }
    end.ifPresent(history::add);
    SimHistory.Outcome outcome =
        end.map(SimHistory.Attempt::outcome).orElse(SimHistory.Outcome.ABORTED);
    world.line(
        "client " + client.number(),
        plan.name() + ": " + end.map(Object::toString).orElse("gave up"));
    boolean retries =
        switch (outcome) {
          case COMMITTED -> false;
          case READ_ONLY -> run != null && run.gaveUp();
          case ABORTED -> true;
          case UNKNOWN -> client.behaviour() == NodeMutation.ClientBehaviour.RETRIES_UNKNOWN;
        };
    if (outcome == SimHistory.Outcome.COMMITTED) {
      lastCommitNanos = end.map(SimHistory.Attempt::invokedNanos).orElse(lastCommitNanos);
    }
    if (retries && tries < TRIES_MAX) {
      world
          .scheduler()
          .after(random.skewedNanos(1_000_000L, 50_000_000L << tries), () -> tryNow(plan, tries));
    } else {
      think();
    }
  }
}
