package org.ecstore.bench.control;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.ecstore.bench.control.ControlSample.Had;
import org.ecstore.bench.control.ControlSample.Steering;
import org.ecstore.bench.control.RunCluster.Seen;
import org.ecstore.bench.load.CoreWatch;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;

/**
 * Looks at a cluster each second, in a thread of its own, and keeps what it sees, also as lines of
 * a file. A look that no node answers is a sample with gaps.
 */
final class ControlSampler implements AutoCloseable {
  /** A slot that ended longer ago than so many checks says nothing of now. */
  private static final int FRESH_CHECKS = 3;

  /** As above, at least: nodes gather reports for some seconds. */
  private static final long FRESH_MILLIS_MIN = 10_000;

  /** What a slot may lack and yet be full, by two readings of the clock. */
  private static final long NEARLY_MILLIS = 50;

  private static final long EVERY_NANOS = 1_000_000_000L;
  private static final double SECOND = 1e9;

  private final RunCluster cluster;
  private final Duration check;
  private final Consumer<String> say;
  private final BufferedWriter file;
  private final CoreWatch cores = new CoreWatch();
  private final long begun = System.nanoTime();
  private final CountDownLatch ending = new CountDownLatch(1);
  private final Thread thread;

  /** Guarded by this. */
  private final List<ControlSample> samples = new ArrayList<>();

  /** Guarded by this. */
  private final ActionLog actions = new ActionLog();

  /** Guarded by this. */
  private String keeper = "";

  /** Of nodes, as seen last by the thread that looks. */
  private Set<Long> processes = Set.of();

  private volatile String phase = "";
  private volatile Optional<String> failure = Optional.empty();

  private ControlSampler(
      RunCluster cluster, Duration check, Consumer<String> say, BufferedWriter file) {
    this.cluster = cluster;
    this.check = check;
    this.say = say;
    this.file = file;
    this.thread = Thread.ofPlatform().name("control-sampler").unstarted(this::run);
  }

  /**
   * Begins.
   *
   * @param check how often the controller looks, which is how long slots are
   * @param file that gets a line a second
   * @param say hears when the file cannot be written
   */
  static ControlSampler begin(RunCluster cluster, Duration check, Path file, Consumer<String> say)
      throws IOException {
    ControlSampler sampler = idle(cluster, check, file, say);
    sampler.thread.start();
    return sampler;
  }

  /** As above, one that only looks when it is told to. */
  static ControlSampler idle(RunCluster cluster, Duration check, Path file, Consumer<String> say)
      throws IOException {
    return new ControlSampler(cluster, check, say, Files.newBufferedWriter(file));
  }

  /** What the samples from now on are of; empty for nothing. */
  void phase(String name) {
    phase = name;
  }

  /** Seconds since it began. */
  double seconds() {
    return (System.nanoTime() - begun) / SECOND;
  }

  private void run() {
    try {
      for (long next = begun; !ending.await(left(next), TimeUnit.NANOSECONDS); ) {
        next = Math.max(next, System.nanoTime() - EVERY_NANOS) + EVERY_NANOS;
        sample();
      }
    } catch (IOException e) {
      lost("what is seen cannot be written: " + e.getMessage());
    } catch (RuntimeException e) {
      lost("the cluster cannot be looked at any more: " + e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** What was not seen says nothing of the cluster: the run has no result. */
  private void lost(String why) {
    failure = Optional.of(why);
    say.accept(why);
  }

  private static long left(long next) {
    return Math.max(0, next - System.nanoTime());
  }

  /** Looks once. */
  void sample() throws IOException {
    double seconds = seconds();
    long atMillis = System.currentTimeMillis();
    Seen seen = look();
    processes = seen.processes();
    Optional<Control> control = cluster.control();
    Optional<Objectives> objectives = cluster.objectives();
    ControlSample sample =
        new ControlSample(
            atMillis,
            seconds,
            phase,
            seen.processes().size(),
            seen.members(),
            seen.places(),
            seen.making(),
            had(objectives, QosRunSettings.SHOP),
            had(objectives, QosRunSettings.REPORTS),
            control.map(Steering::of),
            cores.look(seen.processes()));
    synchronized (this) {
      samples.add(sample);
      control.ifPresent(one -> actions.see(atMillis, seconds, one.actions()));
      keeper = seen.keeper().isEmpty() ? keeper : seen.keeper();
    }
    file.write(sample.json().toString());
    file.newLine();
    file.flush();
  }

  /** Of one that cannot be read for a moment, the processes are those of before. */
  private Seen look() {
    try {
      return cluster.look();
    } catch (IOException _) {
      return new Seen(processes, OptionalInt.empty(), OptionalInt.empty(), OptionalInt.empty(), "");
    }
  }

  private Optional<Had> had(Optional<Objectives> objectives, String application) {
    return objectives
        .flatMap(
            all ->
                all.objectives().stream()
                    .filter(line -> line.objective().application().equals(application))
                    .findFirst())
        .flatMap(
            line ->
                latest(line)
                    .map(
                        figures ->
                            new Had(
                                figures,
                                ServiceVerdict.of(line.objective(), Optional.of(figures)))));
  }

  /** The last slot that is full, if that is not long ago. */
  private Optional<ServiceFigures> latest(ObjectiveLine line) {
    return line.slots().reversed().stream()
        .filter(slot -> slot.spanMillis() >= check.toMillis() - NEARLY_MILLIS)
        .findFirst()
        .filter(
            slot ->
                slot.agoMillis() <= Math.max(FRESH_MILLIS_MIN, FRESH_CHECKS * check.toMillis()));
  }

  /** What was seen so far. */
  synchronized List<ControlSample> samples() {
    return List.copyOf(samples);
  }

  /** What the controller has done so far. */
  synchronized List<ActionLog.Noted> actions() {
    return actions.all();
  }

  /** Who holds nodes to their capacity: a word, or nothing. */
  synchronized String keeper() {
    return keeper;
  }

  /** Looks no more. */
  @Override
  public void close() throws IOException {
    ending.countDown();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      file.close();
    }
    if (failure.isPresent()) {
      throw new IOException(failure.get());
    }
  }
}
