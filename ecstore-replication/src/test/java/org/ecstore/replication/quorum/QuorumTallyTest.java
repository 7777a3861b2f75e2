package org.ecstore.replication.quorum;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

/** Which answers of a quorum decide (rule 13). */
final class QuorumTallyTest {
  private static final NodeId A = new NodeId(1);
  private static final NodeId B = new NodeId(2);
  private static final NodeId C = new NodeId(3);
  private static final Bytes OLD = Bytes.utf8("old");
  private static final Bytes NEW = Bytes.utf8("new");

  private static Position at(long value) {
    return new Position(value);
  }

  private static CopyAnswer present(long closed, long version, Bytes value, boolean whole) {
    return CopyAnswer.present(at(closed), at(1), at(version), value, whole);
  }

  @Test
  void theAnswerThatIsClosedHighestIsTheNewest() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, present(9, 4, OLD, true));
    tally.answered(B, present(12, 10, NEW, false));
    assertEquals(B, tally.newest().getKey());
    assertEquals(Optional.empty(), tally.valueOf(tally.newest().getValue()), "only its digest");
    tally.answered(C, present(11, 10, NEW, true));
    assertEquals(Optional.of(NEW), tally.valueOf(tally.newest().getValue()));
  }

  @Test
  void absenceThatIsClosedAboveAVersionBeatsIt() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, present(9, 9, OLD, true));
    tally.answered(B, CopyAnswer.absent(at(12), at(11), at(11)));
    assertEquals(Optional.empty(), tally.newest().getValue().version());
    // A tombstone that is gone was at or below the base: who is closed there has the deletion.
    assertEquals(List.of(A, C), tally.lacking(List.of(A, B, C), at(11)));
  }

  @Test
  void aVersionBeatsAbsenceThatHasNotHeardOfIt() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, CopyAnswer.absent(at(8), at(1), at(1)));
    tally.answered(B, present(9, 9, NEW, true));
    assertEquals(Optional.of(at(9)), tally.newest().getValue().version());
  }

  @Test
  void aPrimarysWordOnOthersCounts() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, present(12, 10, NEW, true));
    tally.holds(B, at(10));
    tally.holds(C, at(9));
    assertEquals(2, tally.holders(List.of(A, B, C), at(10)));
    assertEquals(1, tally.size(), "it is no answer");
    assertEquals(1, tally.holders(List.of(A, C), at(10)), "only copies that take part count");
  }

  @Test
  void anOlderAnswerOfTheSameCopyComesLate() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, present(12, 10, NEW, true));
    tally.answered(A, present(9, 4, OLD, true));
    assertEquals(at(12), tally.newest().getValue().closed());
  }

  @Test
  void differentValuesOfOneVersionAreAContradiction() {
    QuorumTally tally = new QuorumTally();
    tally.answered(A, present(12, 10, NEW, true));
    tally.answered(B, present(11, 4, OLD, false));
    assertEquals(Optional.empty(), tally.contradiction());
    tally.answered(C, present(12, 10, OLD, false));
    assertTrue(tally.contradiction().orElseThrow().contains("differ at version p10"));
  }
}
