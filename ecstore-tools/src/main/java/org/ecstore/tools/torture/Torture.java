package org.ecstore.tools.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.key.Tuple;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.ecstore.tools.attack.Intruders;
import org.ecstore.tools.measure.Probes;
import org.ecstore.tools.torture.workload.Workload;
import org.ecstore.verify.check.Anomaly;
import org.ecstore.verify.check.HistoryChecker;
import org.ecstore.verify.check.Report;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.MalformedHistoryException;
import org.ecstore.verify.history.MicroOp;
import org.ecstore.verify.history.Recorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A torture run: a cluster, clients that work, faults, and when all is whole again a read of every
 * key; then the verdict on what was recorded.
 */
public final class Torture {
  private static final Logger LOG = LoggerFactory.getLogger(Torture.class);

  /** Several, since one has one set of connections and of routes. */
  private static final int STORES = 4;

  private static final int PROBES = 8;
  private static final long PROBE_PAUSE_MILLIS = 100;
  private static final long NO_CLIENTS_KEY = -1;
  private static final long LONG_PAUSE_MILLIS = 3_000;

  private static final Duration WHOLE_WITHIN = Duration.ofMinutes(2);
  private static final Duration CALM = Duration.ofSeconds(1);
  private static final Duration READ_ALL_WITHIN = Duration.ofMinutes(2);

  /** Longer than an operation of a client may take by its own deadline. */
  private static final Duration LAST_ANSWERS_WITHIN = Duration.ofSeconds(90);

  private final TortureSettings settings;
  private final TestedCluster cluster;
  private final Recorder recorder;
  private final Consumer<Status> progress;
  private final TortureTally tally = new TortureTally();
  private final List<String> undecided = new ArrayList<>();
  private List<Long> resumedMillis = List.of();
  private long longestPauseMillis;
  private long attacks;

  /** Of clients beside those that make the history. */
  private final List<Anomaly> beside = new ArrayList<>();

  private final Queue<Anomaly> believed = new ConcurrentLinkedQueue<>();
  private QuorumClients.Counts quorums = new QuorumClients.Counts(0, 0, 0, 0);
  private CounterClients.Counts counters = new CounterClients.Counts(0, 0, 0);
  private ChangeFollower.Counts changes = new ChangeFollower.Counts(0, 0);

  /** How it stands. */
  public record Status(long secondsLeft, long ok, long fail, long info, int faults, String away) {}

  private Torture(
      TortureSettings settings,
      TestedCluster cluster,
      Recorder recorder,
      Consumer<Status> progress) {
    this.settings = settings;
    this.cluster = cluster;
    this.recorder = recorder;
    this.progress = progress;
  }

  /**
   * Runs it on a cluster in this process, whose nodes cannot be paused.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the history is there; nothing was started
   */
  public static TortureReport inProcess(TortureSettings settings, Consumer<Status> progress)
      throws IOException, InterruptedException {
    return recorded(
        settings.history(),
        recorder -> {
          try (TestedCluster cluster =
              LocalTestedCluster.start(
                  settings.directory(), settings.nodes(), settings.replication())) {
            return new Torture(settings, cluster, recorder, progress).run();
          }
        });
  }

  /**
   * Runs it on a cluster of processes. They are ended with this process too, unless it is killed.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the history is there; nothing was started
   */
  public static TortureReport onProcesses(TortureSettings settings, Consumer<Status> progress)
      throws IOException, InterruptedException {
    return recorded(
        settings.history(),
        recorder -> {
          try (ProcessTestedCluster cluster = new ProcessTestedCluster(settings)) {
            cluster.up(settings.nodes());
            return new Torture(settings, cluster, recorder, progress).run();
          }
        });
  }

  /** A run whose history is open. */
  @FunctionalInterface
  private interface Run {
    TortureReport with(Recorder recorder) throws IOException, InterruptedException;
  }

  /** The file is made before anything starts: two runs of one file would write over each other. */
  private static TortureReport recorded(Path history, Run run)
      throws IOException, InterruptedException {
    Path parent = history.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Recorder recorder = new Recorder(history);
    try (recorder;
        ShutdownHooks.Task _ =
            ShutdownHooks.at(ShutdownHooks.Step.FILES, () -> removeIfEmpty(history))) {
      return run.with(recorder);
    } finally {
      removeIfEmpty(history);
    }
  }

  /** Of a run that did not come to its first transaction nothing is there to keep. */
  private static void removeIfEmpty(Path history) {
    try {
      if (Files.size(history) == 0) {
        Files.delete(history);
      }
    } catch (IOException e) {
      LOG.debug("{} is not looked at", history, e);
    }
  }

  private TortureReport run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    long first = recorder.now();
    List<EcStore> stores = new ArrayList<>();
    List<ChangeFollower> followers = new ArrayList<>();
    Faults faults;
    Duration took;
    try (recorder;
        FaultLog log =
            new FaultLog(settings.directory().resolveSibling("faults.log"), recorder::now)) {
      for (int i = 0; i < STORES; i++) {
        stores.add(EcStore.connect(cluster.addresses(), EcStoreOptions.DEFAULT));
      }
      TortureClient.Shared shared =
          new TortureClient.Shared(
              settings, Workload.of(settings.workload()), recorder, tally, new AtomicLong());
      followers.add(new ChangeFollower(stores.subList(1, STORES)));
      open(shared, stores);
      faults = new Faults(cluster, settings, log, recorder::now);
      QuorumClients quorum =
          new QuorumClients(
              stores.getLast(), settings.replication().copiesOf(settings.nodes()), recorder::now);
      CounterClients counting = new CounterClients(stores.get(1), recorder::now);
      try (Probes probes = probes(stores.getFirst(), recorder)) {
        try (quorum;
            counting) {
          work(shared, stores, faults);
        }
        quorums = quorum.counts();
        beside.addAll(quorum.anomalies());
        resumedMillis = resumedMillis(faults, probes);
        longestPauseMillis = pauses(probes.gaps(first, recorder.now()), log);
      }
      readAll(shared, stores);
      judge(counting);
      followers.forEach(this::judge);
      took = Duration.ofNanos(System.nanoTime() - begun);
    } finally {
      followers.forEach(ChangeFollower::close);
      stores.forEach(EcStore::close);
    }
    History history = history();
    followers.forEach(follower -> beside.addAll(follower.missing(history.attempts())));
    return report(faults, history, took);
  }

  private void judge(CounterClients counting) {
    try {
      counting.readOnceMore();
    } catch (EcStoreException e) {
      undecided.add("the last read of the counters was not possible: " + e.getMessage());
    }
    counters = counting.counts();
    beside.addAll(counting.anomalies());
  }

  private void judge(ChangeFollower follower) {
    follower.finish();
    changes = follower.counts();
    beside.addAll(follower.anomalies());
    undecided.addAll(follower.undecided());
  }

  private History history() throws IOException {
    try {
      return History.read(settings.history());
    } catch (MalformedHistoryException e) {
      throw new IllegalStateException("the recorder wrote a malformed history", e);
    }
  }

  /** They write keys that no client uses, and are no part of the history. */
  private static Probes probes(EcStore store, Recorder recorder) {
    List<Tuple> keys =
        IntStream.range(0, PROBES)
            .mapToObj(i -> Tuple.of((long) i * Workload.BUCKETS / PROBES, NO_CLIENTS_KEY))
            .toList();
    return Probes.writing(
        store, Workload.TABLE, keys, "", new Probes.Pace(PROBE_PAUSE_MILLIS, recorder::now));
  }

  /** Tells of the long ones, and returns the longest. */
  private static long pauses(List<Probes.Gap> gaps, FaultLog log) {
    gaps.stream()
        .filter(gap -> gap.millis() >= LONG_PAUSE_MILLIS)
        .sorted(Comparator.comparingLong(Probes.Gap::fromNanos))
        .forEach(
            gap ->
                log.say(
                    "the key of probe %d could not be written from %d to %d ms"
                        .formatted(
                            gap.probe(),
                            TimeUnit.NANOSECONDS.toMillis(gap.fromNanos()),
                            TimeUnit.NANOSECONDS.toMillis(gap.toNanos()))));
    return gaps.stream().mapToLong(Probes.Gap::millis).max().orElse(0);
  }

  /**
   * How long it took after each kill of the sequencer until a write was acknowledged that began
   * when the process was gone, in milliseconds.
   */
  private static List<Long> resumedMillis(Faults faults, Probes probes) {
    List<Long> took = new ArrayList<>();
    for (Fault fault : faults.done()) {
      if (killsSequencer(fault)) {
        probes
            .firstBegunAfter(fault.doneNanos())
            .ifPresent(first -> took.add(TimeUnit.NANOSECONDS.toMillis(first - fault.atNanos())));
      }
    }
    return took;
  }

  /** Makes what is there at the beginning. */
  private void open(TortureClient.Shared shared, List<EcStore> stores) throws IOException {
    TortureClient client =
        new TortureClient(
            shared, stores.getFirst(), Start.STRONG, new SplittableRandom(settings.seed()));
    for (List<MicroOp> steps : shared.workload().opening()) {
      if (!client.attempt(steps)) {
        throw new IOException("the cluster did not take the first transaction: " + tally.errors());
      }
    }
  }

  private void work(TortureClient.Shared shared, List<EcStore> stores, Faults faults)
      throws IOException, InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    SplittableRandom seeds = new SplittableRandom(~settings.seed());
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < settings.clients(); i++) {
      TortureClient client =
          new TortureClient(shared, stores.get(i % STORES), settings.start(), seeds.split());
      threads.add(
          Thread.ofPlatform()
              .name("torture-client-" + i)
              .daemon()
              .start(() -> client.run(() -> !over.get())));
    }
    long end = System.nanoTime() + settings.time().toNanos();
    Thread reporter =
        Thread.ofPlatform().name("torture-progress").daemon().start(() -> report(end, faults));
    try {
      try (Intruders intruders = intruders()) {
        faults.run(end);
        attacks = intruders.frames();
      }
      faults.heal();
      try {
        cluster.awaitWhole(WHOLE_WITHIN);
      } catch (IOException e) {
        undecided.add("the cluster is not whole at the end: " + e.getMessage());
      }
      Thread.sleep(CALM);
    } finally {
      over.set(true);
      reporter.interrupt();
      await(threads);
      reporter.join();
    }
  }

  private Intruders intruders() throws IOException {
    return Intruders.among(
        cluster.addresses(),
        cluster.secret(),
        settings.intruders(),
        settings.seed(),
        text -> believed.add(new Anomaly("believed-forgery", text)));
  }

  private void await(List<Thread> clients) throws InterruptedException {
    long deadline = System.nanoTime() + LAST_ANSWERS_WITHIN.toNanos();
    for (Thread client : clients) {
      client.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
      if (client.isAlive()) {
        tally.misbehaviour(client.getName() + " waits for an answer beyond its deadline");
        client.interrupt();
        client.join(TimeUnit.SECONDS.toMillis(5));
      }
    }
  }

  private void report(long endNanos, Faults faults) {
    try {
      while (true) {
        progress.accept(
            new Status(
                Math.max(0, TimeUnit.NANOSECONDS.toSeconds(endNanos - System.nanoTime())),
                tally.okCount(),
                tally.failCount(),
                tally.infoCount(),
                faults.done().size(),
                faults.away().toString()));
        Thread.sleep(500);
      }
    } catch (InterruptedException e) {
      // The run is over, and so is this thread.
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Reads every key; a read that fails is tried again, as a transaction of its own. It must see all
   * that was acknowledged, also where the clients need not.
   */
  private void readAll(TortureClient.Shared shared, List<EcStore> stores) {
    long deadline = System.nanoTime() + READ_ALL_WITHIN.toNanos();
    TortureClient client =
        new TortureClient(
            shared, stores.getLast(), Start.STRONG, new SplittableRandom(settings.seed()));
    for (List<MicroOp> steps : shared.workload().readAll()) {
      while (!client.attempt(steps)) {
        if (System.nanoTime() - deadline > 0) {
          undecided.add("the last read of every key was not possible: " + tally.errors());
          return;
        }
      }
    }
  }

  private TortureReport report(Faults faults, History history, Duration took) throws IOException {
    Report checked = HistoryChecker.check(history, settings.promise());
    List<Anomaly> anomalies = new ArrayList<>(checked.anomalies());
    tally.misbehaviours().forEach(text -> anomalies.add(new Anomaly("client-error", text)));
    anomalies.addAll(beside);
    anomalies.addAll(believed);
    cluster.failures().forEach(text -> anomalies.add(new Anomaly("node-failed", text)));
    undecided.addAll(checked.undecided());
    undecided.addAll(faults.troubles());
    List<Fault> done = faults.done();
    if (!settings.faults().isEmpty() && done.isEmpty() && faults.adminRequests().isEmpty()) {
      undecided.add("no fault was done, and nothing was asked of the steward");
    }
    return new TortureReport(
        settings,
        took,
        tally.okCount(),
        tally.failCount(),
        tally.infoCount(),
        tally.errors(),
        tally.micros(),
        tally.answered(),
        quorums,
        counters,
        changes,
        attacks,
        new TortureReport.Faulted(
            count(done, FaultKind.KILL),
            done.stream().filter(Torture::killsSequencer).count(),
            count(done, FaultKind.STOP),
            count(done, FaultKind.RESTART),
            count(done, FaultKind.JOIN),
            count(done, FaultKind.KILL_DATABASE),
            count(done, FaultKind.STOP_DATABASE)),
        faults.adminRequests(),
        resumedMillis,
        cluster.falseTakeovers(),
        longestPauseMillis,
        anomalies,
        undecided,
        verdict(anomalies));
  }

  private Report.Verdict verdict(List<Anomaly> anomalies) {
    if (!anomalies.isEmpty()) {
      return Report.Verdict.VIOLATED;
    }
    return undecided.isEmpty() ? Report.Verdict.CLEAN : Report.Verdict.UNKNOWN;
  }

  private static boolean killsSequencer(Fault fault) {
    return fault.kind() == FaultKind.KILL && fault.sequencer();
  }

  private static long count(List<Fault> done, FaultKind kind) {
    return done.stream().filter(fault -> fault.kind() == kind).count();
  }
}
