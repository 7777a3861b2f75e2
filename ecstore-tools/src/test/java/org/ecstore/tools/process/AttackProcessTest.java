package org.ecstore.tools.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.cluster.process.NewCluster;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.tools.attack.Attack;
import org.ecstore.tools.attack.AttackKind;
import org.ecstore.tools.attack.AttackReport;
import org.ecstore.tools.attack.AttackSettings;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A whole attack on processes, of some kinds, for some seconds. */
@Timeout(300)
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
class AttackProcessTest {
  private static final int FRAMES = 500;
  private static final boolean LONG = Boolean.getBoolean("ecstore.long");

  /** What honest clients get done is asked for, and not how much it is. */
  private static final Duration WARM = LONG ? AttackSettings.WARM : Duration.ofSeconds(1);

  private static final Duration CALM = LONG ? AttackSettings.CALM : Duration.ofMillis(300);

  @TempDir private Path directory;

  private AttackSettings settings(List<AttackKind> kinds) {
    return new AttackSettings(
        2,
        kinds,
        FRAMES,
        Optional.of(Duration.ofSeconds(60)),
        4,
        true,
        Duration.ofSeconds(60),
        1,
        WARM,
        CALM,
        directory.resolve("cluster"));
  }

  @Test
  @Tag("slow")
  void nodesBearEachKindAtEveryPort() throws Exception {
    List<AttackKind> kinds =
        List.of(AttackKind.RANDOM, AttackKind.MUTATED, AttackKind.FORGED, AttackKind.REPLAYED);
    AttackReport report = Attack.run(settings(kinds), _ -> {});
    assertEquals(List.of(), report.violations());
    assertEquals(kinds, report.rounds().stream().map(AttackReport.Round::kind).toList());
    for (AttackReport.Round round : report.rounds()) {
      assertTrue(round.frames() >= FRAMES, round::toString);
    }
    assertTrue(report.honest() > 0);
  }

  @Tag("nightly")
  @Test
  void nodeThatEndsMeanwhileIsAViolation() throws Exception {
    ProcessCluster same =
        ProcessCluster.during(
            directory.resolve("cluster"), Duration.ofMinutes(1), NewCluster.DEFAULT);
    AtomicBoolean killed = new AtomicBoolean();
    AttackReport report =
        Attack.run(
            settings(List.of(AttackKind.PARTIAL, AttackKind.FORGED)),
            _ -> {
              if (!killed.getAndSet(true)) {
                kill(same);
              }
            });
    assertTrue(
        report.violations().stream().anyMatch(text -> text.contains("node 2 has ended")),
        report::toString);
    assertEquals(1, report.rounds().size(), "the others would say nothing");
    same.close();
  }

  private static void kill(ProcessCluster cluster) {
    try {
      cluster.kill(2);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
