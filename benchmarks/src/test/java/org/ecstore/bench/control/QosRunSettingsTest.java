package org.ecstore.bench.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.Statistic;
import org.junit.jupiter.api.Test;

class QosRunSettingsTest {
  private static QosPhase phase(String name, int seconds, double rate, int floodClients) {
    return new QosPhase(
        name, Duration.ofSeconds(seconds), new QosPhase.Rate(rate, 64), floodClients);
  }

  @Test
  void theLoadIsCalmThenDoubledThenGone() {
    assertEquals(
        List.of(phase("calm", 40, 50, 0), phase("doubled", 100, 100, 0), phase("gone", 100, 5, 0)),
        MadeUpRun.settings(0, 0, true).phases(50));
    assertEquals(phase("flooded", 100, 50, 64), MadeUpRun.settings(64, 0, true).phases(50).get(1));
  }

  @Test
  void aPlansLoadIsClientsThatWait() {
    QosRunSettings settings = MadeUpRun.planned();
    assertEquals(
        List.of(8, 16, 1),
        settings.phases(0).stream().map(QosPhase::load).map(QosPhase.Load::clients).toList());
    assertTrue(
        settings.phases(0).stream().allMatch(phase -> phase.load() instanceof QosPhase.Waiting));
    Objective shop = settings.shop(0);
    assertEquals(List.of(), shop.faults());
    assertEquals(Optional.of(new ClientCount(8)), shop.workload().load());
    assertEquals(Statistic.MEAN, shop.targets().getFirst().statistic());
    assertEquals(OptionalInt.of(100), shop.workload().readPercent());
  }

  @Test
  void whatIsPromisedIsBeyondTheDoubledRate() {
    QosRunSettings settings = MadeUpRun.settings(64, 0, true);
    Objective shop = settings.shop(50);
    assertEquals(Optional.of(new OperationRate(200)), shop.workload().load());
    assertEquals(List.of(), shop.faults());
    assertEquals(List.of(), settings.reports().orElseThrow().faults());
    assertEquals(Optional.empty(), MadeUpRun.settings(0, 0, true).reports());
  }

  @Test
  void aFrozenControllerMayDoNothing() {
    assertEquals(
        new ControlSettings(ControlMode.ACT, 5, 0), MadeUpRun.settings(0, 0, true).control());
    assertEquals(ControlMode.FREEZE, MadeUpRun.settings(0, 0, false).control().mode());
  }

  private static List<List<Duration>> plan(int calm, int second, int gone, int kills) {
    return KillPlan.of(
        List.of(
            phase("calm", calm, 1, 0), phase("doubled", second, 1, 0), phase("gone", gone, 1, 0)),
        kills);
  }

  @Test
  void killsAreSpreadOverTheLastPhasesAndNotAtTheirBeginnings() {
    assertEquals(
        List.of(List.of(), List.of(Duration.ofSeconds(130)), List.of(Duration.ofSeconds(130))),
        plan(120, 300, 300, 2));
    List<Duration> two = List.of(Duration.ofSeconds(75), Duration.ofSeconds(185));
    assertEquals(List.of(List.of(), two, two), plan(120, 300, 300, 4));
    assertEquals(List.of(List.of(), List.of(), List.of()), plan(120, 20, 25, 5));
    assertEquals(3, plan(120, 20, 60, 3).get(2).size());
  }
}
