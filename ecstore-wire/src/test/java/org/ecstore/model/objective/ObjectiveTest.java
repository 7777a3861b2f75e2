package org.ecstore.model.objective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.junit.jupiter.api.Test;

class ObjectiveTest {
  private static final ResponseTarget P99 = target(Statistic.P99, 20);
  private static final ObjectiveWorkload LOAD =
      ObjectiveWorkload.UNSTATED.with(new OperationRate(4_000));

  private static ResponseTarget target(Statistic statistic, long millis) {
    return new ResponseTarget(statistic, Duration.ofMillis(millis));
  }

  private static Objective guaranteed(List<ResponseTarget> targets, ObjectiveWorkload workload) {
    return new Objective("shop", List.of("users"), ServiceClass.GUARANTEED, 1, targets, workload);
  }

  private static void assertFault(String part, Objective objective) {
    assertTrue(
        objective.faults().stream().anyMatch(fault -> fault.contains(part)),
        () -> part + " in " + objective.faults());
  }

  @Test
  void whatCanBeKeptHasNoFault() {
    assertEquals(List.of(), guaranteed(List.of(P99), LOAD).faults());
    assertEquals(
        List.of(),
        guaranteed(List.of(P99, target(Statistic.MEAN, 5)), LOAD.with(new ClientCount(8)))
            .faults());
    Objective bestEffort =
        new Objective(
            "reports",
            List.of(),
            ServiceClass.BEST_EFFORT,
            1,
            List.of(),
            ObjectiveWorkload.UNSTATED);
    assertEquals(List.of(), bestEffort.faults());
  }

  private static Objective limited(long quota, OptionalLong data, String... tables) {
    return new Objective(
        "shop",
        List.of(tables),
        ServiceClass.BEST_EFFORT,
        1,
        List.of(),
        new ObjectiveWorkload(
            data, OptionalInt.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty()),
        OptionalLong.of(quota));
  }

  @Test
  void aQuotaIsEnoughAndIsOfTablesThatTheApplicationHas() {
    OptionalLong none = OptionalLong.empty();
    assertEquals(List.of(), limited(1, none, "users").faults());
    assertEquals(List.of(), limited(Objective.QUOTA_BYTES_MAX, none, "users").faults());
    assertEquals(List.of(), limited(9, OptionalLong.of(9), "users").faults());
    assertFault("a quota is from 1 to", limited(0, none, "users"));
    assertFault("a quota is from 1 to", limited(Objective.QUOTA_BYTES_MAX + 1, none, "users"));
    assertFault("a quota is of tables", limited(1, none));
    assertFault("the store's own", limited(1, none, "ecstore"));
    assertFault(
        "data of 10 bytes contradict a quota of 9", limited(9, OptionalLong.of(10), "users"));
    assertEquals(OptionalLong.of(7), guaranteed(List.of(P99), LOAD).quota(7).quotaBytes());
  }

  @Test
  void tablesAreInOrderAndOnce() {
    Objective objective =
        new Objective(
            "shop", List.of("b", "a", "b"), ServiceClass.GUARANTEED, 1, List.of(P99), LOAD);
    assertEquals(List.of("a", "b"), objective.tables());
    assertEquals(Optional.of("b"), objective.commonWith(objective("x", "b", "c")));
    assertEquals(Optional.empty(), objective.commonWith(objective("x", "c")));
  }

  private static Objective objective(String name, String... tables) {
    return new Objective(name, List.of(tables), ServiceClass.GUARANTEED, 1, List.of(P99), LOAD);
  }

  @Test
  void aGuaranteeNeedsAResponseTimeAndALoad() {
    Objective nothing = guaranteed(List.of(), ObjectiveWorkload.UNSTATED);
    assertFault("needs a response time", nothing);
    assertFault("is for a load", nothing);
  }

  @Test
  void timesThatContradictEachOtherAreFound() {
    assertFault(
        "mean of 30 ms contradicts p99 of 20 ms",
        guaranteed(List.of(P99, target(Statistic.MEAN, 30)), LOAD));
    assertFault("one p99, not two", guaranteed(List.of(P99, target(Statistic.P99, 30)), LOAD));
    assertFault("above 0", guaranteed(List.of(target(Statistic.P99, 0)), LOAD));
    assertFault("an hour at most", guaranteed(List.of(target(Statistic.P99, 4_000_000)), LOAD));
  }

  @Test
  void allFaultsAreSaidAtOnce() {
    Objective wrong =
        new Objective(
            "",
            List.of("a\nb"),
            ServiceClass.GUARANTEED,
            0,
            List.of(P99),
            new ObjectiveWorkload(
                OptionalLong.of(10),
                OptionalInt.of(2_000_000),
                OptionalInt.of(101),
                Optional.empty(),
                Optional.of(new OperationRate(0))));
    assertEquals(7, wrong.faults().size(), () -> wrong.faults().toString());
    assertFault("name of an application", wrong);
    assertFault("name of a table", wrong);
    assertFault("a weight", wrong);
    assertFault("a record has", wrong);
    assertFault("0 to 100 read", wrong);
    assertFault("larger than all data", wrong);
    assertFault("a rate", wrong);
  }

  @Test
  void namesHaveNoCharactersThatAreNotSeen() {
    for (String name : List.of("a\u001b[2J", "a\nb", "\u202eshop", "a\u2066b", "a\u2028b")) {
      assertFault("such as turn the direction of text", objective(name, "users"));
      assertFault("such as turn the direction of text", objective("shop", name));
    }
    assertEquals(List.of(), objective("J\u00fcrgen \ud83d\ude00", "\u0634\u0631").faults());
  }
}
