package org.ecstore.tools.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.server.net.Addresses;
import org.ecstore.tools.attack.attacker.AttackedNode;

/**
 * A cluster of processes, each kind of attack on it one after the other, honest clients beside
 * them, and a look at the processes after each: none has ended, and none holds more than before.
 */
public final class Attack {
  private static final Duration START_WITHIN = Duration.ofMinutes(3);
  private static final long LOOK_MILLIS = 200;

  private final AttackSettings settings;
  private final ProcessCluster cluster;
  private final Consumer<Status> progress;
  private final AttackFindings findings = new AttackFindings();
  private final List<AttackReport.Round> rounds = new ArrayList<>();
  private final SplittableRandom seeds;

  /** How it stands: frames of a kind by now, and transactions of honest clients. */
  public record Status(AttackKind kind, long frames, long of, long honest) {}

  private Attack(AttackSettings settings, ProcessCluster cluster, Consumer<Status> progress) {
    this.settings = settings;
    this.cluster = cluster;
    this.progress = progress;
    this.seeds = new SplittableRandom(settings.seed());
  }

  /** Makes a cluster, attacks it and ends it. */
  public static AttackReport run(AttackSettings settings, Consumer<Status> progress)
      throws IOException, InterruptedException {
    try (ProcessCluster cluster =
        ProcessCluster.during(settings.directory(), START_WITHIN, NewCluster.DEFAULT)) {
      cluster.up(settings.nodes(), _ -> {});
      return new Attack(settings, cluster, progress).run();
    }
  }

  private AttackReport run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    try (HonestClients honest =
        new HonestClients(cluster.addresses(), settings.seed(), findings::add)) {
      Thread.sleep(settings.warm().toMillis());
      try (NodeWatch watch = new NodeWatch(cluster, findings::add)) {
        for (AttackKind kind : settings.kinds()) {
          rounds.add(round(kind, seeds.split(), honest, watch));
          if (!cluster.nodes().stream().allMatch(watch::lives)) {
            // There is nothing to be learned from a cluster without one of its nodes.
            break;
          }
        }
      }
      honest.end();
      return new AttackReport(
          settings,
          rounds,
          honest.done(),
          honest.refused(),
          Duration.ofNanos(System.nanoTime() - begun),
          findings.all());
    }
  }

  private AttackReport.Round round(
      AttackKind kind, SplittableRandom random, HonestClients honest, NodeWatch watch)
      throws IOException, InterruptedException {
    honest.longestMillis();
    double before = rate(honest, settings.calm());
    List<AttackedNode> nodes = nodes();
    Attackers attackers = new Attackers(nodes, cluster.secret(), findings::add);
    long doneBefore = honest.done();
    long begun = System.nanoTime();
    Strikes strikes;
    try (Attackers.Armed armed = attackers.of(kind)) {
      strikes = new Strikes(nodes, armed.attacker(), findings::add);
      strike(kind, strikes, random, honest);
    }
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    double during = (honest.done() - doneBefore) * 1e9 / took.toNanos();
    double after = rate(honest, settings.calm());
    long pause = honest.longestMillis();
    if (pause > settings.pauseMax().toMillis()) {
      findings.add(
          "%s: an honest client got nothing done for %,d ms".formatted(kind.word(), pause));
    }
    NodeWatch.Growth growth =
        watch.allLive(kind.word()) ? watch.settle(kind.word()) : new NodeWatch.Growth(0, 0, -1, 0);
    return new AttackReport.Round(
        kind,
        strikes.frames(),
        strikes.bursts(),
        strikes.cut(),
        took,
        before,
        during,
        after,
        pause,
        growth.heapBytes(),
        growth.directBytes(),
        growth.residentBytes(),
        growth.files());
  }

  private static double rate(HonestClients honest, Duration during) throws InterruptedException {
    long from = honest.done();
    long begun = System.nanoTime();
    Thread.sleep(during.toMillis());
    return (honest.done() - from) * 1e9 / (System.nanoTime() - begun);
  }

  private List<AttackedNode> nodes() throws IOException {
    List<AttackedNode> nodes = new ArrayList<>();
    for (int node : cluster.nodes()) {
      List<InetSocketAddress> others =
          settings.otherPorts()
              ? cluster.otherAddresses(node).stream().map(Attack::parsed).toList()
              : List.of();
      nodes.add(AttackedNode.at(parsed(cluster.address(node)), others));
    }
    return nodes;
  }

  private static InetSocketAddress parsed(String address) {
    return Objects.requireNonNull(Addresses.parse(address), address);
  }

  /** Until there were enough frames, or time is over, or a node has ended. */
  private void strike(
      AttackKind kind, Strikes strikes, SplittableRandom random, HonestClients honest)
      throws InterruptedException {
    AtomicBoolean over = new AtomicBoolean();
    long begun = System.nanoTime();
    BooleanSupplier goesOn =
        () ->
            !over.get()
                && strikes.frames() < settings.frames()
                && settings
                    .atMost()
                    .map(most -> System.nanoTime() - begun < most.toNanos())
                    .orElse(true);
    Thread looker =
        Thread.ofPlatform()
            .daemon()
            .name("attack-looker")
            .start(() -> lookOn(kind, strikes, honest, over));
    try {
      strikes.run(settings.attackers(), random, goesOn);
    } finally {
      over.set(true);
      looker.join();
    }
  }

  private void lookOn(AttackKind kind, Strikes strikes, HonestClients honest, AtomicBoolean over) {
    try {
      while (!over.get()) {
        progress.accept(new Status(kind, strikes.frames(), settings.frames(), honest.done()));
        for (int node : cluster.nodes()) {
          if (!cluster.isRunning(node)) {
            over.set(true);
          }
        }
        Thread.sleep(LOOK_MILLIS);
      }
    } catch (IOException e) {
      findings.add("the processes cannot be looked at: " + e);
      over.set(true);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
