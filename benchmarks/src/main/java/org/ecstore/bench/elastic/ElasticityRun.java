package org.ecstore.bench.elastic;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ecstore.bench.elastic.ClusterSampler.Copied;
import org.ecstore.bench.elastic.ElasticityOutcome.Change;
import org.ecstore.bench.elastic.ElasticityOutcome.Phase;
import org.ecstore.bench.load.AnswerLog;
import org.ecstore.bench.load.CoreUse;
import org.ecstore.bench.load.LoadRun;
import org.ecstore.bench.load.Measured;
import org.ecstore.bench.load.Pace;
import org.ecstore.bench.load.ParallelInserts;
import org.ecstore.bench.plot.TimeChart.Period;
import org.ecstore.bench.ycsb.YcsbLoad;
import org.ecstore.id.NodeId;
import org.ecstore.tools.quickstart.Progress;

/**
 * The course of a run: a cluster of node processes and its records; then a steady load in an open
 * loop, beneath which a node is added, and drained again.
 */
public final class ElasticityRun {
  private static final Duration NODE_WITHIN = Duration.ofMinutes(3);
  private static final long LOOK_MILLIS = 100;

  /** Of a run that finds out what nodes do at most, so much passes before it counts. */
  private static final double WARM_UP_PART = 0.5;

  private static final double MILLIS = 1e3;

  private final ElasticitySettings settings;
  private final Progress progress;
  private final Consumer<String> say;

  /**
   * A run that has not begun, to be run once.
   *
   * @param progress in milliseconds, or records
   * @param say hears what happens
   */
  public ElasticityRun(ElasticitySettings settings, Progress progress, Consumer<String> say) {
    this.settings = settings;
    this.progress = progress;
    this.say = say;
  }

  /**
   * Runs it. The cluster is ended when this returns, and stays in the directory.
   *
   * @param directory where the cluster is; empty, or not there
   * @throws IOException if nodes do not start, or the one that was added cannot be drained; says
   *     why
   */
  public ElasticityOutcome run(Path directory) throws IOException, InterruptedException {
    progress.phase("starting", settings.machines().nodes());
    try (ElasticCluster cluster =
        ElasticCluster.start(settings, directory, () -> progress.step(1), say)) {
      YcsbLoad load =
          new YcsbLoad(
              cluster.target(),
              settings.store().workload().mix(),
              settings.store().records(),
              settings.store().recordBytes(),
              settings.store().workload().distribution());
      say.accept(
          "loading %s records of %s bytes"
              .formatted(settings.store().records(), settings.store().recordBytes()));
      progress.phase("loading", settings.store().records());
      YcsbLoad.Inserts inserts = load.inserts();
      ParallelInserts.run(() -> inserts.run(() -> progress.step(1)));
      OptionalDouble saturation = saturation(cluster, load);
      double rate = rate(saturation);
      say.accept(
          "%s%s/s are asked for"
              .formatted(
                  saturation.isPresent()
                      ? "the first nodes do %s/s at most: "
                          .formatted(ElasticityText.number(saturation.getAsDouble()))
                      : "",
                  ElasticityText.number(rate)));
      return measured(cluster, load, saturation, rate);
    }
  }

  private OptionalDouble saturation(ElasticCluster cluster, YcsbLoad load)
      throws InterruptedException {
    Duration lasts = settings.course().saturation();
    if (lasts.isZero()) {
      return OptionalDouble.empty();
    }
    progress.phase("saturation", lasts.toMillis());
    Duration warmUp = Duration.ofNanos(Math.round(lasts.toNanos() * WARM_UP_PART));
    Pace pace = new Pace(settings.course().clients(), 0, warmUp, lasts.minus(warmUp));
    return OptionalDouble.of(
        new LoadRun(load, pace, cluster.target().processes(), this::elapsed).run().perSecond());
  }

  private void elapsed(long nanos) {
    progress.step(TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  private double rate(OptionalDouble saturation) throws IOException {
    if (settings.course().rate() > 0) {
      return settings.course().rate();
    }
    double rate = Math.rint(saturation.orElse(0) * ElasticitySettings.LOAD_PART);
    if (rate < 1) {
      throw new IOException("the first nodes did nothing: give --rate, or more --saturation");
    }
    return rate;
  }

  private ElasticityOutcome measured(
      ElasticCluster cluster, YcsbLoad load, OptionalDouble saturation, double rate)
      throws IOException, InterruptedException {
    AnswerLog log = new AnswerLog(System.nanoTime());
    Pace pace =
        new Pace(
            settings.course().clients(),
            rate,
            Duration.ZERO,
            settings.course().longest(NODE_WITHIN));
    LoadRun run = new LoadRun(log.watched(load), pace, cluster.target().processes(), this::elapsed);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<Measured> running = threads.submit(run::run);
      Measured measured;
      List<Span> spans = new ArrayList<>();
      List<Period> moving = new ArrayList<>();
      try {
        course(cluster, log, running, spans, moving);
      } finally {
        run.end();
        measured = result(running);
      }
      log.close(System.nanoTime());
      int end = spans.getLast().to();
      return new ElasticityOutcome(
          settings,
          saturation,
          rate,
          spans.stream().map(span -> span.phase(log)).toList(),
          IntStream.range(0, end).mapToObj(second -> log.had(second, second + 1)).toList(),
          moving,
          measured.errors());
    }
  }

  private static Measured result(Future<Measured> running)
      throws IOException, InterruptedException {
    try {
      return running.get();
    } catch (ExecutionException e) {
      throw new IOException("the load ended: " + e.getCause(), e);
    }
  }

  /**
   * A phase, of which not all answers are there yet.
   *
   * @param from the second in which it begins
   * @param to the one in which the next one does
   * @param cores who kept processors busy meanwhile
   */
  private record Span(String name, int from, int to, Optional<Change> change, CoreUse cores) {
    Phase phase(AnswerLog log) {
      return new Phase(name, from, to, log.had(from, to), change, cores);
    }
  }

  private void course(
      ElasticCluster cluster,
      AnswerLog log,
      Future<Measured> running,
      List<Span> spans,
      List<Period> moving)
      throws IOException, InterruptedException {
    BalanceRule rule = new BalanceRule(settings.machines().copies());
    double still = settings.course().still().toMillis() / MILLIS;
    long rangeBytes = settings.store().bytes() / (YcsbLoad.splitHints().size() + 1);
    try (ClusterSampler sampler =
        ClusterSampler.begin(
            cluster::look, () -> log.seconds(System.nanoTime()), rule, still, rangeBytes)) {
      Course course = new Course(log, running, sampler, spans);
      Set<NodeId> first = cluster.nodes();
      course.settle(first);
      course.calm("calm");
      NodeId[] added = new NodeId[1];
      course.change(
          "adding",
          () -> {
            added[0] = cluster.add();
            say.accept("%s serves".formatted(added[0]));
            Set<NodeId> all = new HashSet<>(first);
            all.add(added[0]);
            return all;
          });
      course.calm("after adding");
      course.change(
          "draining",
          () -> {
            cluster.remove(added[0]);
            say.accept("%s is gone".formatted(added[0]));
            return first;
          });
      course.calm("after draining");
      moving.addAll(sampler.moving());
    }
  }

  /** Changes the cluster, and says which nodes it shall be balanced on. */
  private interface Changing {
    Set<NodeId> change() throws IOException, InterruptedException;
  }

  /** One phase after the other. */
  private final class Course {
    private final AnswerLog log;
    private final Future<Measured> running;
    private final ClusterSampler sampler;
    private final List<Span> spans;

    /** Where the next phase begins, in seconds since the load did. */
    private int from;

    Course(AnswerLog log, Future<Measured> running, ClusterSampler sampler, List<Span> spans) {
      this.log = log;
      this.running = running;
      this.sampler = sampler;
      this.spans = spans;
    }

    private double now() {
      return log.seconds(System.nanoTime());
    }

    /** Before anything counts: what was loaded is spread, and clients have become warm. */
    void settle(Set<NodeId> nodes) throws IOException, InterruptedException {
      progress.phase("settling", settings.course().within().toMillis());
      sampler.await(nodes);
      if (awaitBalance().isEmpty()) {
        say.accept("not balanced before anything is done: " + sampler.lacks());
      }
      from = (int) Math.ceil(now());
    }

    /** Of a length, from where the phase before it ended. */
    void calm(String name) throws IOException, InterruptedException {
      progress.phase(name, settings.course().calm().toMillis());
      double end = from + settings.course().calm().toMillis() / MILLIS;
      while (now() < end) {
        pause();
      }
      add(name, (int) Math.floor(Math.max(end, from + 1.0)), Optional.empty());
    }

    /** Until the cluster is balanced again, or for as long as that may take. */
    void change(String name, Changing changing) throws IOException, InterruptedException {
      progress.phase(name, settings.course().within().toMillis());
      Copied before = sampler.copied();
      double begun = now();
      sampler.await(changing.change());
      OptionalDouble balanced = awaitBalance();
      Copied copied = sampler.copied().since(before);
      Change change =
          new Change(
              begun,
              balanced,
              balanced.isPresent() ? "" : sampler.lacks(),
              copied.copies(),
              copied.bytes());
      add(name, Math.max(from + 1, (int) Math.ceil(balanced.orElse(now()))), Optional.of(change));
    }

    private void add(String name, int to, Optional<Change> change) {
      Span span = new Span(name, from, to, change, sampler.cores(from, to));
      spans.add(span);
      from = to;
      say.accept(ElasticityText.line(span.phase(log)));
    }

    private OptionalDouble awaitBalance() throws IOException, InterruptedException {
      double end =
          now() + settings.course().within().plus(settings.course().still()).toMillis() / MILLIS;
      OptionalDouble balanced = sampler.balancedSince();
      while (balanced.isEmpty() && now() < end) {
        pause();
        balanced = sampler.balancedSince();
      }
      return balanced;
    }

    private void pause() throws IOException, InterruptedException {
      if (running.isDone()) {
        result(running);
        throw new IOException("the load ended before its time");
      }
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
    }
  }
}
