package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.WriteHolds;
import org.ecstore.replication.read.ReadOutcome;
import org.ecstore.replication.read.SnapshotReads;
import org.junit.jupiter.api.Test;

/** Reads of epochs that a node does not know yet: some may come true, and any may be made up. */
class ForgedEpochsTest {
  private final LoneNode node = new LoneNode(new NodeId(1));
  private final SnapshotReads reads =
      new SnapshotReads(node.context, node.ledgerView, node.copies, new NoHolds());
  private final List<ReadOutcome> outcomes = new ArrayList<>();

  private static final class NoHolds implements WriteHolds {
    @Override
    public Optional<Position> leastNoted(Copy copy) {
      return Optional.empty();
    }

    @Override
    public void awaitSettled(
        Copy copy,
        List<Bytes> keys,
        Optional<KeyRange> interval,
        Position position,
        long untilNanos,
        Runnable ready,
        Runnable late) {
      ready.run();
    }
  }

  private void read(long epoch) {
    reads.get(
        new SnapshotReads.At(
            new RangeId(1), new Epoch(epoch), Position.ZERO, node.context.nanos() + 1_000),
        List.of(Bytes.EMPTY),
        outcomes::add);
  }

  @Test
  void oneThatIsFarAheadIsNotWaitedFor() {
    read(Long.MAX_VALUE);
    read(1_001);
    assertEquals(2, outcomes.size());
    outcomes.forEach(outcome -> assertInstanceOf(ReadOutcome.NotNow.class, outcome));
    assertEquals(0, node.ledgerView.parked());
  }

  @Test
  void noMoreThanSoManyWaitSoThatVotesStillCan() {
    for (int i = 0; i < 5_000; i++) {
      read(7);
    }
    assertEquals(1_000, node.ledgerView.parked());
    assertEquals(4_000, outcomes.size());
  }
}
