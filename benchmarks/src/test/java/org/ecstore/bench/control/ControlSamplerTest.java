package org.ecstore.bench.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ecstore.bench.qos.ClusterSettling;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Looks at, and kills of, a cluster that is none. */
class ControlSamplerTest {
  @TempDir private Path directory;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private static ServiceFigures slot(long agoMillis, long spanMillis, long p99Micros) {
    return new ServiceFigures(agoMillis, spanMillis, 250, 240, 0, 10_000, 20_000, p99Micros);
  }

  /** Each field is what it answers next. */
  private static final class Pretended implements RunCluster {
    private final BlockingQueue<String> done = new LinkedBlockingQueue<>();
    private volatile boolean answers = true;
    private volatile boolean isBroken;
    private volatile Optional<Integer> leader = Optional.of(2);
    private volatile List<ServiceFigures> slots = List.of();

    @Override
    public Seen look() throws IOException {
      if (isBroken) {
        throw new UncheckedIOException(new IOException("a directory went while it was listed"));
      }
      if (!answers) {
        throw new IOException("a file is half written");
      }
      return new Seen(
          Set.of(ProcessHandle.current().pid()),
          OptionalInt.of(3),
          OptionalInt.of(3),
          OptionalInt.of(2),
          "node");
    }

    @Override
    public Optional<Control> control() {
      return answers
          ? Optional.of(
              new Control(
                  new NodeId(1),
                  ControlSettings.DEFAULT,
                  "",
                  List.of(),
                  List.of(),
                  List.of(),
                  List.of(MadeUpRun.ADD)))
          : Optional.empty();
    }

    @Override
    public Optional<Objectives> objectives() {
      Objective shop = MadeUpRun.settings(0, 0, true).shop(50);
      return answers
          ? Optional.of(
              new Objectives(
                  new NodeId(1),
                  List.of(new ObjectiveLine(shop, 0, Optional.empty(), slots)),
                  List.of()))
          : Optional.empty();
    }

    @Override
    public String addresses() {
      return "";
    }

    @Override
    public void state(Objective objective) {}

    @Override
    public void allow(ControlSettings settings) {}

    @Override
    public void use(MeasuredSource table) {}

    @Override
    public boolean settle(ClusterSettling.Window load, Duration within) {
      return true;
    }

    @Override
    public Optional<Integer> leader() {
      return leader;
    }

    @Override
    public void kill(int node) {
      done.add("kill " + node);
      if (node == 4) {
        throw new IllegalStateException("node 4 is none");
      }
    }

    @Override
    public void launch(int node) throws IOException {
      done.add("launch " + node);
      if (node == 3) {
        throw new IOException("node 3 has no directory");
      }
    }
  }

  private final Pretended cluster = new Pretended();

  private ControlSampler idle() throws IOException {
    return ControlSampler.idle(
        cluster, Duration.ofSeconds(5), directory.resolve("samples.jsonl"), said::add);
  }

  @Test
  void theLastFullSlotIsWhatClientsHave() throws IOException {
    cluster.slots =
        List.of(slot(10_000, 5_000, 90_000), slot(2_000, 5_000, 70_000), slot(1, 900, 10_000));
    try (ControlSampler sampler = idle()) {
      sampler.sample();
      ControlSample.Had had = sampler.samples().getFirst().shop().orElseThrow();
      assertEquals(70, had.millis(Statistic.P99));
      assertEquals(ServiceVerdict.VIOLATED, had.verdict());
      assertEquals(50, had.figures().perSecond());
      assertEquals("node", sampler.keeper());
      assertEquals(OptionalInt.of(2), sampler.samples().getFirst().making());
      assertEquals("add n4", sampler.actions().getFirst().action().what());
    }
    assertTrue(
        Files.readString(directory.resolve("samples.jsonl")).lines().findFirst().isPresent());
  }

  @Test
  void whatWasLongAgoSaysNothingOfNow() throws IOException {
    cluster.slots = List.of(slot(16_000, 5_000, 90_000));
    try (ControlSampler sampler = idle()) {
      sampler.sample();
      assertEquals(Optional.empty(), sampler.samples().getFirst().shop());
    }
  }

  @Test
  void whileNoNodeAnswersASampleHasGaps() throws IOException {
    cluster.answers = false;
    try (ControlSampler sampler = idle()) {
      sampler.phase("calm");
      sampler.sample();
      sampler.sample();
      ControlSample last = sampler.samples().getLast();
      assertEquals(OptionalInt.empty(), last.members());
      assertEquals(OptionalInt.empty(), last.making());
      assertEquals(Optional.empty(), last.steering());
      assertEquals("calm", last.phase());
    }
    assertEquals(List.of(), said);
  }

  /** A run that looked at nothing any more has no verdict of what it did not see. */
  @Test
  void whereItCannotLookAnyMoreTheRunFails() throws Exception {
    cluster.isBroken = true;
    BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    ControlSampler sampler =
        ControlSampler.begin(
            cluster, Duration.ofSeconds(5), directory.resolve("samples.jsonl"), heard::add);
    String first = heard.poll(60, TimeUnit.SECONDS);
    IOException failed = assertThrows(IOException.class, sampler::close);
    assertEquals(first, failed.getMessage());
    assertTrue(String.valueOf(first).contains("a directory went while it was listed"), first);
  }

  @Test
  void aKillThatFailsForAnyReasonIsSaid() throws InterruptedException {
    cluster.leader = Optional.of(4);
    LeaderKills kills = kill(List.of(Duration.ofMillis(1)));
    try (kills) {
      assertEquals("kill 4", cluster.done.poll(60, TimeUnit.SECONDS));
    }
    assertEquals(Optional.of("node 4 is none"), kills.kills().getFirst().trouble());
  }

  private LeaderKills kill(List<Duration> moments) {
    return LeaderKills.begin(cluster, moments, Duration.ofMillis(1), () -> 30, said::add);
  }

  @Test
  void theNodeThatLeadsIsKilledAndStartedAgain() throws InterruptedException {
    LeaderKills kills = kill(List.of(Duration.ofMillis(1), Duration.ofMillis(2)));
    try (kills) {
      for (String next : List.of("kill 2", "launch 2", "kill 2", "launch 2")) {
        assertEquals(next, cluster.done.poll(60, TimeUnit.SECONDS));
      }
    }
    assertEquals(2, kills.kills().size());
    assertEquals(Optional.empty(), kills.kills().getFirst().trouble());
    assertEquals(30, kills.kills().getFirst().seconds());
  }

  @Test
  void aPhaseThatEndsHasNoFurtherKills() {
    LeaderKills kills = kill(List.of(Duration.ofHours(1)));
    kills.close();
    assertEquals(List.of(), kills.kills());
  }

  @Test
  void aNodeThatDoesNotStartIsSaid() throws InterruptedException {
    cluster.leader = Optional.of(3);
    LeaderKills kills = kill(List.of(Duration.ofMillis(1)));
    try (kills) {
      assertEquals("kill 3", cluster.done.poll(60, TimeUnit.SECONDS));
    }
    assertEquals(Optional.of("node 3 has no directory"), kills.kills().getFirst().trouble());
  }
}
