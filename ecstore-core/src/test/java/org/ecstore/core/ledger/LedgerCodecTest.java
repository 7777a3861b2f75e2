package org.ecstore.core.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.testing.RandomRecords;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.protocol.WriteKind;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class LedgerCodecTest {
  private static final TxnId TXN = new TxnId(0x0102030405060708L, 9);
  private static final Bytes MIDDLE = Bytes.utf8("m");
  private static final RangeDescriptor LEFT =
      new RangeDescriptor(
          new RangeId(2),
          KeyRange.of(Bytes.EMPTY, MIDDLE),
          new Epoch(5),
          new NodeId(1),
          300,
          List.of(new NodeId(3), new NodeId(4)));
  private static final RangeDescriptor RIGHT =
      new RangeDescriptor(
          new RangeId(3), KeyRange.from(MIDDLE), new Epoch(5), new NodeId(2), 1, List.of());

  private static final Map<LedgerRecord, String> GOLDEN = new LinkedHashMap<>();

  static {
    GOLDEN.put(new LedgerRecord.NoOp(), "0101");
    GOLDEN.put(
        new LedgerRecord.Commit(
            TXN,
            new NodeId(1),
            300,
            new Position(200),
            new MapVersion(5),
            Isolation.SERIALIZABLE,
            List.of(
                new LedgerRecord.RangeVote(new RangeId(2), new Epoch(5)),
                new LedgerRecord.RangeVote(new RangeId(3), new Epoch(4))),
            List.of(
                new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.utf8("vv"))),
                new KeyWrite(Bytes.utf8("l"), Optional.empty()))),
        "01020102030405060708000000000000000901ac02c8010501020205030402016b01027676016c00");
    GOLDEN.put(
        new LedgerRecord.Commit(
            TXN,
            new NodeId(1),
            1,
            Position.ZERO,
            MapVersion.ZERO,
            Isolation.SNAPSHOT,
            List.of(),
            List.of()),
        "01020102030405060708000000000000000901010000020000");
    GOLDEN.put(
        new LedgerRecord.Commit(
            TXN,
            new NodeId(1),
            1,
            Position.ZERO,
            MapVersion.ZERO,
            Isolation.SNAPSHOT,
            List.of(),
            List.of(),
            300),
        "01070102030405060708000000000000000901010000020000ac02");
    GOLDEN.put(
        new LedgerRecord.Checkpoint(
            RangeMap.EMPTY, new Position(100), new Position(200), List.of(), 300),
        "0108000064c80100ac02");
    GOLDEN.put(
        new LedgerRecord.Abort(TXN, new Position(200)), "010301020304050607080000000000000009c801");
    GOLDEN.put(
        new LedgerRecord.EpochChange(
            new MapChange(
                new MapVersion(5), List.of(new RangeId(1)), List.of(LEFT, RIGHT), "split")),
        "010405010102020001016d0501ac0202030403016d00050201000573706c6974");
    GOLDEN.put(new LedgerRecord.VersionFloor(new Position(200)), "0105c801");
    GOLDEN.put(
        new LedgerRecord.Checkpoint(
            RangeMap.of(new MapVersion(5), List.of(LEFT, RIGHT)),
            new Position(100),
            new Position(200),
            List.of(
                new LedgerRecord.Settled(TXN, new Position(201), true),
                new LedgerRecord.Settled(TXN, new Position(202), false))),
        "01060502020001016d0501ac0202030403016d000502010064c8010201020304050607080000000000000009c9010101020304050607080000000000000009ca0100");
  }

  @Test
  void bytesOfRecordsNeverChange() {
    GOLDEN.forEach(
        (record, hex) -> {
          Bytes encoded = LedgerCodec.encode(record);
          assertEquals(hex, HexFormat.of().formatHex(encoded.array()), record::toString);
          assertEquals(record, LedgerCodec.decode(encoded));
        });
  }

  @Test
  void everyRecordHasGoldenBytes() {
    for (Class<?> type : LedgerRecord.class.getPermittedSubclasses()) {
      assertTrue(GOLDEN.keySet().stream().anyMatch(type::isInstance), type::getSimpleName);
    }
  }

  @Test
  void randomRecordsComeBackAsTheyWere() {
    for (long seed = 0; seed < 20_000; seed++) {
      LedgerRecord record = new RandomRecords(seed).record();
      assertEquals(record, LedgerCodec.decode(LedgerCodec.encode(record)), "seed " + seed);
    }
  }

  @Test
  void everyProperPrefixAndEveryExtensionIsRefused() {
    for (LedgerRecord record : GOLDEN.keySet()) {
      Bytes encoded = LedgerCodec.encode(record);
      for (int length = 0; length < encoded.length(); length++) {
        Bytes cut = encoded.slice(0, length);
        assertThrows(MalformedMessageException.class, () -> LedgerCodec.decode(cut));
      }
      assertMessage("trailing bytes", () -> LedgerCodec.decode(encoded.successor()));
    }
  }

  @Test
  void unknownVersionsAndTypesAndLoosePartsAreRefused() {
    assertMessage("unknown version", () -> LedgerCodec.decode(Bytes.of(2, 1)));
    assertMessage("unknown type", () -> LedgerCodec.decode(Bytes.of(1, 0)));
    assertMessage("unknown type", () -> LedgerCodec.decode(Bytes.of(1, 9)));
    Bytes part = RecordParts.split(new RandomRecords(1).commit(20, 40), 7, 64).get(0);
    assertMessage("a part is not a logical record", () -> LedgerCodec.decode(part));
  }

  @Test
  void mapsThatDoNotTileAllKeysAreRefused() {
    LedgerRecord whole =
        new LedgerRecord.Checkpoint(
            RangeMap.of(new MapVersion(5), List.of(LEFT, RIGHT)),
            Position.ZERO,
            Position.ZERO,
            List.of());
    byte[] encoded = LedgerCodec.encode(whole).array();
    int startOfRight = lastIndexOf(encoded, (byte) 'm');
    byte[] gap = encoded.clone();
    gap[startOfRight] = 'n';
    assertMessage("gap or overlap before range r3", () -> LedgerCodec.decode(Bytes.wrap(gap)));
    byte[] twice = encoded.clone();
    twice[startOfRight - 2] = 2;
    assertMessage("range r2 twice", () -> LedgerCodec.decode(Bytes.wrap(twice)));
  }

  /** A record of a later release is not taken for another one. */
  @Test
  void anOperationThatIsNotKnownIsRefusedByItsNumber() {
    Bytes operand = Bytes.utf8("operandm");
    LedgerRecord.Commit added =
        new LedgerRecord.Commit(
            TXN,
            new NodeId(1),
            1,
            Position.ZERO,
            MapVersion.ZERO,
            Isolation.SNAPSHOT,
            List.of(),
            List.of(new KeyWrite(Bytes.utf8("k"), new Mutation.Operation(AtomicOp.ADD, operand))));
    byte[] encoded = LedgerCodec.encode(added).array();
    int opAt = lastIndexOf(encoded, (byte) 'm') - operand.length() - 1;
    assertEquals(WriteKind.OPERATION, encoded[opAt - 1]);
    assertEquals(AtomicOp.ADD.number(), encoded[opAt]);
    assertEquals(added, LedgerCodec.decode(Bytes.wrap(encoded.clone())));
    encoded[opAt] = 99;
    assertMessage(
        "operation 99 is not supported by this version",
        () -> LedgerCodec.decode(Bytes.wrap(encoded)));
  }

  private static int lastIndexOf(byte[] array, byte wanted) {
    int at = array.length - 1;
    while (array[at] != wanted) {
      at--;
    }
    return at;
  }

  private static void assertMessage(String part, Executable call) {
    String message =
        String.valueOf(assertThrows(MalformedMessageException.class, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
