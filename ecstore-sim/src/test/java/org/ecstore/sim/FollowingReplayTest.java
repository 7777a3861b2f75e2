package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.replication.copy.LedgerReplay;
import org.junit.jupiter.api.Test;

/** A replay without an end, as a standby's (rule 6). */
class FollowingReplayTest {
  private static final NodeId SELF = new NodeId(1);

  private final LoneNode node = new LoneNode(SELF);
  private final List<Long> seen = new ArrayList<>();
  private final LedgerReplay replay =
      new LedgerReplay(
          node.context,
          new Position(1),
          LedgerReplay.ENDLESS,
          (records, through, more) -> {
            records.forEach(placed -> seen.add(placed.position().value()));
            more.run();
          },
          end -> fail("it has no end: " + end));

  private void append(int records, int valueBytes) {
    for (int i = 0; i < records; i++) {
      long at = node.ledger.size() + 1L;
      Bytes value = Bytes.wrap(new byte[valueBytes]);
      node.ledger.add(
          new LedgerRecord.Commit(
              new TxnId(7, at),
              SELF,
              1,
              new Position(at - 1),
              new MapVersion(1),
              Isolation.SERIALIZABLE,
              List.of(),
              List.of(new KeyWrite(Bytes.of(1), Optional.of(value)))));
    }
  }

  private void assertSeen(long through) {
    assertEquals(LongStream.rangeClosed(1, through).boxed().toList(), seen);
  }

  @Test
  void entriesGatherWhileItIsAboutAtTheEnd() {
    append(10, 10);
    replay.read();
    node.run();
    assertSeen(10);
    append(3, 10);
    node.run();
    append(2, 10);
    node.run();
    assertSeen(10);
    node.passTime();
    assertSeen(15);
    assertEquals(2, node.reads);
  }

  @Test
  void whoIsFarBehindReadsOnAtOnce() {
    node.entriesMax = 600;
    append(1_800, 1_000);
    replay.read();
    node.run();
    assertSeen(1_800);
  }

  @Test
  void nothingIsReadAfterItWasCalledOff() {
    append(1, 10);
    replay.read();
    node.run();
    replay.cancel();
    append(1, 10);
    node.passTime();
    assertSeen(1);
    assertEquals(1, node.reads);
  }

  /** Reads to the end of three records, and sees that it is one. */
  private void followToTheEnd() {
    append(3, 10);
    replay.read();
    node.run();
    node.passTime();
    assertSeen(3);
    assertEquals(2, node.reads);
  }

  @Test
  void whoIsAtTheEndAsksAgainWhenToldOfMore() {
    followToTheEnd();
    node.decided = new Position(3);
    append(1, 10);
    node.passTime();
    node.passTime();
    assertEquals(2, node.reads);
    node.decided = new Position(4);
    node.passTime();
    assertSeen(4);
  }

  @Test
  void whatItIsNotToldOfItFindsASecondLater() {
    followToTheEnd();
    append(1, 10);
    node.nanos = 999_999_999;
    node.passTime();
    assertSeen(3);
    node.nanos = 1_000_000_000;
    node.passTime();
    assertSeen(4);
  }

  @Test
  void atTheEndItIsCalledOffToo() {
    followToTheEnd();
    replay.cancel();
    node.decided = new Position(4);
    append(1, 10);
    node.passTime();
    assertEquals(2, node.reads);
  }

  @Test
  void aReadThatLeavesRecordsOutIsMadeAgainAtOnce() {
    append(3, 10);
    node.onItsWay = read -> new LedgerResult.Entries(List.of(), read.end());
    replay.read();
    node.run();
    node.onItsWay = UnaryOperator.identity();
    node.passTime();
    assertSeen(3);
  }
}
