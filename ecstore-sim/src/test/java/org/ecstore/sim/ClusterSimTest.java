package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.sim.ledger.RunsOfParts;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.Test;

/** A small part of what {@code bin/ecstore sim} runs, with each build. */
final class ClusterSimTest {
  @Test
  void seedsKeepEveryPromise() {
    SeedRuns.Report report = SeedRuns.run(1, 100, 2, NodeMutation.RIGHT, false, seed -> {});
    assertEquals(Optional.empty(), report.first());
    assertEquals(0, report.violations());
    assertTrue(report.commits() > report.attempts() / 3, report::toString);
    for (String fault :
        new String[] {
          "crash",
          "crash in a step",
          "crash of all",
          "partition, one node cut off",
          "partition, one direction",
          "partition, one link",
          "partition, clients from a node",
          "partition, a node from the services",
          "cut off from the ledger",
          "cut off from coordination",
          "session expires behind the back",
          "two are told to lead",
          "clock jumps",
          "clock stands still",
          "trouble in a take-over",
          "ledger rolls in a take-over",
          "trouble at a vote",
          "pause",
          "connections break",
          "hint flaps",
          "disk fails",
          "disk full",
          "ledger full",
          "told to leave",
          "left",
          "stays after all",
          RunsOfParts.WHOLE,
          RunsOfParts.VOID,
          RunsOfParts.READ_WITHIN,
          "a call of an engine half done",
          "a hot-spot replica answers",
          "a hot-spot replica does not answer"
        }) {
      assertTrue(report.faults().getOrDefault(fault, 0) > 0, "never came about: " + fault);
    }
  }

  /** A node that was still starting answered EndSnapshot, which has no reply. */
  @Test
  void endOfASnapshotOnAStartingNodeHasNoReply() {
    assertKept(41);
    assertKept(288);
  }

  /** A reader whose own quorum was not strict asked R of more than N copies, and missed a write. */
  @Test
  void quorumsMeetAlsoWhereThereAreMoreCopiesThanN() {
    assertKept(60396);
  }

  /** A sequencer that waited to fence again did so after another node had been named leader. */
  @Test
  void noRetryToLeadAfterSteppingDown() {
    assertKept(439);
  }

  /**
   * A node that had built the copy which the last change placed, and had not heard of that change
   * yet, was asked for the next copy: it dropped the one it had, the only one.
   */
  @Test
  void whatWasBuiltIsNotDroppedBeforeTheMapIsKnown() {
    assertKept(8);
    assertKept(97);
  }

  /**
   * A newcomer's range was split at once, and a crash took back all its notes but that of the copy
   * it had built: it took the copy for one of a range that was passed by, and dropped it.
   */
  @Test
  void whatWasBuiltStandsForWhatIsLeftOfItsRange() {
    assertKept(4688);
  }

  private static void assertKept(long seed) {
    assertEquals(java.util.List.of(), Simulation.run(seed, NodeMutation.RIGHT).violations());
  }
}
