package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.ecstore.verify.check.Anomaly;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.Line;
import org.ecstore.verify.history.MicroOp;
import org.junit.jupiter.api.Test;

/** What counters must not show, and what a follower of changes must not miss. */
class BesideClientsTest {
  private final CounterClients.Judge judge = new CounterClients.Judge();

  private static List<String> kinds(List<Anomaly> found) {
    return found.stream().map(Anomaly::kind).toList();
  }

  @Test
  void aReadSeesWhatWasAcknowledgedAndMaySeeWhatHadBegun() {
    judge.added(10, 20);
    judge.added(30, 60);
    judge.mayHaveAdded(32, 33);
    judge.read(0, 0, 1, 9);
    judge.read(1, 1, 21, 25);
    judge.read(1, 1, 40, 50);
    judge.read(3, 3, 40, 50);
    judge.read(2, 2, 61, 70);
    judge.read(3, 3, 61, 70);
    assertEquals(List.of(), kinds(judge.check()));
    judge.read(0, 0, 21, 25);
    judge.read(1, 1, 61, 70);
    judge.read(2, 2, 21, 25);
    judge.read(4, 4, 61, 70);
    judge.read(2, 1, 40, 50);
    assertEquals(
        List.of(
            "lost-addition",
            "lost-addition",
            "repeated-addition",
            "repeated-addition",
            "torn-counters"),
        kinds(judge.check()));
  }

  private static Attempt attempt(Line.Type outcome, MicroOp step, long number) {
    return new Attempt(
        1,
        2,
        3,
        outcome,
        List.of(step),
        OptionalLong.empty(),
        OptionalLong.of(number),
        Optional.empty());
  }

  @Test
  void eachCommitThatAClientKnowsOfHasToBeTold() {
    MicroOp write = new MicroOp.Append(1, 1);
    List<Attempt> attempts =
        List.of(attempt(Line.Type.OK, write, 5), attempt(Line.Type.OK, write, 7));
    assertEquals(List.of(), kinds(ChangeFollower.missing(attempts, Set.of(5L, 6L, 7L))));
    assertEquals(
        List.of("change-missing"), kinds(ChangeFollower.missing(attempts, Set.of(5L, 6L))));
    assertEquals(
        List.of(),
        kinds(ChangeFollower.missing(List.of(attempt(Line.Type.INFO, write, 9)), Set.of())));
  }
}
