package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.txn.commit.CommittedWrites;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A primary reads what commits wrote that it voted for, and whose coordinator is gone. */
class CommittedWritesTest {
  private static final NodeId SELF = new NodeId(1);
  private static final int RECORDS = 200;

  private final LoneNode node = new LoneNode(SELF);
  private final CommittedWrites fetches = new CommittedWrites(node.context);
  private final Map<Long, Optional<Bytes>> read = new TreeMap<>();

  @BeforeEach
  void commits() {
    for (long at = 1; at <= RECORDS; at++) {
      node.ledger.add(
          new LedgerRecord.Commit(
              new TxnId(7, at),
              SELF,
              1,
              new Position(at - 1),
              new MapVersion(1),
              Isolation.SERIALIZABLE,
              List.of(),
              List.of(new KeyWrite(key(at), Optional.of(Bytes.EMPTY)))));
    }
    node.entriesMax = 10;
  }

  private static Bytes key(long at) {
    return Bytes.utf8("key " + at);
  }

  private void fetch(long from, long number) {
    fetches.fetch(
        new Position(from),
        new Position(number),
        commit -> read.put(number, commit.map(one -> one.writes().getFirst().key())));
  }

  private static Map<Long, Optional<Bytes>> expected(long... numbers) {
    Map<Long, Optional<Bytes>> all = new TreeMap<>();
    for (long number : numbers) {
      all.put(number, Optional.of(key(number)));
    }
    return all;
  }

  @Test
  void manyThatAreInDoubtReadTheLedgerOnce() {
    List<Long> numbers = new ArrayList<>();
    for (long number = 10; number <= RECORDS; number += 10) {
      numbers.add(number);
      fetch(1, number);
    }
    node.run();
    assertEquals(expected(numbers.stream().mapToLong(Long::longValue).toArray()), read);
    assertEquals(RECORDS / node.entriesMax, node.reads);
  }

  @Test
  void thoseThatComeMeanwhileAreNext() {
    fetch(50, 150);
    node.context.flush();
    node.step();
    fetch(1, 20);
    fetch(140, 160);
    node.run();
    assertEquals(expected(20, 150, 160), read);
  }

  @Test
  void whatIsTrimmedKeepsTheOthersFromNothing() {
    node.ledgerFirst = 100;
    fetch(90, 120);
    fetch(110, 130);
    fetch(100, 140);
    node.run();
    Map<Long, Optional<Bytes>> all = expected(130, 140);
    all.put(120L, Optional.empty());
    assertEquals(all, read);
  }

  @Test
  void twoMayWantTheSameCommit() {
    List<Bytes> keys = new ArrayList<>();
    for (long from : new long[] {3, 5}) {
      fetches.fetch(
          new Position(from),
          new Position(9),
          commit -> keys.add(commit.orElseThrow().writes().getFirst().key()));
    }
    node.run();
    assertEquals(List.of(key(9), key(9)), keys);
  }
}
