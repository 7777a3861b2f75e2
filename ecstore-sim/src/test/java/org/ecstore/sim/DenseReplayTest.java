package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.port.Ledger.LedgerEntry;
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

/** A replay hands over dense positions only, whatever a read leaves out (rule 6). */
class DenseReplayTest {
  private static final NodeId SELF = new NodeId(1);

  private final LoneNode node = new LoneNode(SELF);
  private final List<Long> seen = new ArrayList<>();
  private final List<Long> complete = new ArrayList<>();
  private final List<LedgerReplay.End> ended = new ArrayList<>();

  private LedgerReplay replay(long from, long target) {
    return new LedgerReplay(
        node.context,
        new Position(from),
        new Position(target),
        (records, through, more) -> {
          records.forEach(placed -> seen.add(placed.position().value()));
          complete.add(through.value());
          more.run();
        },
        ended::add);
  }

  private void append(int records) {
    for (int i = 0; i < records; i++) {
      long at = node.ledger.size() + 1L;
      node.ledger.add(
          new LedgerRecord.Commit(
              new TxnId(7, at),
              SELF,
              1,
              new Position(at - 1),
              new MapVersion(1),
              Isolation.SERIALIZABLE,
              List.of(),
              List.of(new KeyWrite(Bytes.of(1), Optional.of(Bytes.of(2))))));
    }
  }

  /** The next read is answered so; those after it as they should be. */
  private void once(UnaryOperator<LedgerResult.Entries> wrong) {
    node.onItsWay =
        read -> {
          node.onItsWay = UnaryOperator.identity();
          return wrong.apply(read);
        };
  }

  private static LedgerResult.Entries without(LedgerResult.Entries read, int from, int to) {
    List<LedgerEntry> entries = new ArrayList<>(read.entries());
    entries.subList(from, to).clear();
    return new LedgerResult.Entries(entries, read.end());
  }

  private void assertReplayed(long from, long through) {
    assertEquals(LongStream.rangeClosed(from, through).boxed().toList(), seen);
    assertEquals(List.of(LedgerReplay.End.REACHED), ended);
  }

  @Test
  void recordsThatAReadLeavesOutInTheMiddleAreReadAgain() {
    append(10);
    once(read -> without(read, 3, 6));
    LedgerReplay replay = replay(1, 10);
    replay.read();
    node.run();
    node.passTime();
    assertReplayed(1, 10);
    assertEquals(3, complete.getFirst());
    assertFalse(replay.troubles().isEmpty());
  }

  @Test
  void recordsThatAReadLeavesOutAtItsBeginningAreReadAgain() {
    append(10);
    once(read -> without(read, 0, 4));
    replay(1, 10).read();
    node.run();
    assertEquals(List.of(), seen);
    node.passTime();
    assertReplayed(1, 10);
  }

  /** The copy would close over records that were never handed over. */
  @Test
  void anEndOfWhichTheRecordsWereNotHandedOverIsNotComeTo() {
    append(10);
    once(read -> new LedgerResult.Entries(List.of(), read.end()));
    LedgerReplay replay = replay(1, 10);
    replay.read();
    node.run();
    assertEquals(List.of(), complete);
    assertEquals(List.of(), ended);
    node.passTime();
    assertReplayed(1, 10);
    assertTrue(replay.troubles().startsWith("1 "), replay.troubles());
  }

  @Test
  void burntNumbersAreNoGap() {
    append(10);
    node.onItsWay =
        read ->
            new LedgerResult.Entries(
                without(read, 3, 6).entries().stream().map(DenseReplayTest::after).toList(),
                read.end());
    replay(1, 10).read();
    node.run();
    assertEquals(List.of(1L, 2L, 3L, 7L, 8L, 9L, 10L), seen);
    assertEquals(List.of(LedgerReplay.End.REACHED), ended);
  }

  /** Numbers 4, 5 and 6 are burnt. */
  private static LedgerEntry after(LedgerEntry entry) {
    return entry.first().value() == 7
        ? new LedgerEntry(entry.first(), entry.records(), new Position(3))
        : entry;
  }
}
