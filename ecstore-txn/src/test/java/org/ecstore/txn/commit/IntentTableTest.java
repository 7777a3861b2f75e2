package org.ecstore.txn.commit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who is in whose way: each pair of a transaction with intents on a key and one that comes. */
class IntentTableTest {
  private static final Bytes KEY = Bytes.utf8("k");
  private static final KeyRange AROUND = KeyRange.of(Bytes.utf8("a"), Bytes.utf8("z"));
  private static final Position SNAPSHOT = new Position(10);

  private static List<Bytes> keysIf(boolean touched) {
    return touched ? List.of(KEY) : List.of();
  }

  private static TransactionIntents holder(long id, String does, Isolation isolation) {
    return new TransactionIntents(
        new TxnId(1, id),
        new NodeId(1),
        1,
        ReadPoint.ZERO,
        isolation,
        keysIf(does.contains("r") && isolation == Isolation.SERIALIZABLE),
        does.contains("s") && isolation == Isolation.SERIALIZABLE ? List.of(AROUND) : List.of(),
        keysIf(does.contains("w")),
        keysIf(does.contains("o")),
        SNAPSHOT);
  }

  /**
   * What the first does (reads, scans, writes, operates), for what it is validated, what is known
   * of its number (0: nothing); the same of the second, whose snapshot is 10; whether it is sent
   * away.
   */
  @ParameterizedTest
  @CsvSource({
    "w,  SERIALIZABLE, 0,  w,  SERIALIZABLE, false",
    "w,  SERIALIZABLE, 0,  rw, SERIALIZABLE, true",
    "w,  SERIALIZABLE, 0,  s,  SERIALIZABLE, true",
    "w,  SERIALIZABLE, 0,  w,  SNAPSHOT,     true",
    "rw, SERIALIZABLE, 0,  w,  SERIALIZABLE, true",
    "r,  SERIALIZABLE, 0,  w,  SERIALIZABLE, true",
    "s,  SERIALIZABLE, 0,  w,  SERIALIZABLE, true",
    "s,  SERIALIZABLE, 0,  w,  SNAPSHOT,     true",
    "r,  SERIALIZABLE, 0,  r,  SERIALIZABLE, false",
    "w,  SNAPSHOT,     0,  w,  SERIALIZABLE, true",
    "w,  SNAPSHOT,     0,  w,  SNAPSHOT,     true",
    "w,  SNAPSHOT,     0,  r,  SERIALIZABLE, true",
    "rw, SNAPSHOT,     0,  r,  SNAPSHOT,     false",
    "w,  SNAPSHOT,     12, w,  SERIALIZABLE, false",
    "rw, SERIALIZABLE, 12, w,  SERIALIZABLE, false",
    "w,  SERIALIZABLE, 12, rw, SERIALIZABLE, true",
    "w,  SERIALIZABLE, 9,  rw, SERIALIZABLE, false",
    "w,  SERIALIZABLE, 12, w,  SNAPSHOT,     true",
    "w,  SERIALIZABLE, 9,  w,  SNAPSHOT,     false",
    "o,  SNAPSHOT,     0,  o,  SNAPSHOT,     false",
    "o,  SNAPSHOT,     0,  o,  SERIALIZABLE, false",
    "o,  SERIALIZABLE, 0,  o,  SNAPSHOT,     false",
    "o,  SNAPSHOT,     0,  w,  SERIALIZABLE, false",
    "o,  SNAPSHOT,     0,  w,  SNAPSHOT,     true",
    "w,  SNAPSHOT,     0,  o,  SNAPSHOT,     true",
    "o,  SNAPSHOT,     0,  r,  SERIALIZABLE, true",
    "r,  SERIALIZABLE, 0,  o,  SNAPSHOT,     true",
    "o,  SNAPSHOT,     12, w,  SNAPSHOT,     true",
    "w,  SNAPSHOT,     12, o,  SNAPSHOT,     false",
  })
  void whoIsInTheWay(
      String first,
      Isolation firstFor,
      long number,
      String second,
      Isolation secondFor,
      boolean sentAway) {
    IntentTable table = new IntentTable();
    TransactionIntents there = holder(1, first, firstFor);
    assertEquals(Optional.empty(), table.place(there, SNAPSHOT, Optional.empty()));
    if (number > 0) {
      table.committed(there, new Position(number));
      table.takeReads(there, 10);
    }
    TransactionIntents comes = holder(2, second, secondFor);
    Optional<TransactionIntents> inTheWay =
        table
            .place(
                comes,
                SNAPSHOT,
                secondFor == Isolation.SNAPSHOT ? Optional.of(SNAPSHOT) : Optional.empty())
            .map(IntentTable.Foreign::holder);
    assertEquals(sentAway ? Optional.of(there) : Optional.empty(), inTheWay);
  }

  /** So that there are moments without a write for one who must find the key unchanged. */
  @Test
  void writesOfAKeyThatIsSoughtKeepApartForAWhile() {
    IntentTable table = new IntentTable();
    table.place(holder(1, "w", Isolation.SERIALIZABLE), SNAPSHOT, Optional.empty());
    assertFalse(isSentAway(table));
    table.seek(KEY, 0);
    table.forgetSought(49_000_000);
    assertTrue(isSentAway(table));
    table.forgetSought(50_000_000);
    assertFalse(isSentAway(table));
  }

  private static boolean isSentAway(IntentTable table) {
    TransactionIntents comes = holder(2, "w", Isolation.SERIALIZABLE);
    boolean sentAway = table.place(comes, SNAPSHOT, Optional.empty()).isPresent();
    table.remove(comes);
    return sentAway;
  }
}
