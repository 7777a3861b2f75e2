package org.ecstore.core.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.check.Check;
import org.ecstore.core.ledger.RecordAssembler.Assembled;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.testing.RandomRecords;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class RecordAssemblerTest {
  private static final int RECORD_BYTES_MAX = 64;
  private static final LedgerRecord LONG = new RandomRecords(1).commit(20, 40);
  private static final LedgerRecord OTHER = new RandomRecords(2).commit(20, 40);
  private static final LedgerRecord SHORT = new LedgerRecord.NoOp();

  private static List<Bytes> parts(LedgerRecord record, long run) {
    List<Bytes> parts = RecordParts.split(record, run, RECORD_BYTES_MAX);
    assertTrue(parts.size() > 3, "a record for this test has several parts");
    return parts;
  }

  /** Feeds records at consecutive positions from 1 and gathers what they make. */
  private static List<Assembled> feed(List<Bytes> raw) {
    return feed(new RecordAssembler(), 1, raw);
  }

  private static List<Assembled> feed(RecordAssembler assembler, long first, List<Bytes> raw) {
    List<Assembled> made = new ArrayList<>();
    for (int i = 0; i < raw.size(); i++) {
      assembler.feed(new Position(first + i), raw.get(i)).ifPresent(made::add);
    }
    return made;
  }

  private static Assembled at(long position, LedgerRecord record) {
    return new Assembled(new Position(position), record);
  }

  private static List<Bytes> join(List<List<Bytes>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }

  @Test
  void bytesOfPartsNeverChange() {
    LedgerRecord record =
        new LedgerRecord.EpochChange(
            new MapChange(new MapVersion(5), List.of(), List.of(), "r".repeat(60)));
    List<String> hex =
        RecordParts.split(record, 0x0102030405060708L, RECORD_BYTES_MAX).stream()
            .map(part -> HexFormat.of().formatHex(part.array()))
            .toList();
    assertEquals(
        List.of(
            "010f0102030405060708000227" + "01040500003c" + "72".repeat(33),
            "010f010203040506070801021b" + "72".repeat(27)),
        hex);
  }

  @Test
  void aShortRecordIsItsOwnRawRecord() {
    assertEquals(List.of(LedgerCodec.encode(SHORT)), RecordParts.split(SHORT, 7, RECORD_BYTES_MAX));
    assertEquals(List.of(at(1, SHORT)), feed(RecordParts.split(SHORT, 7)));
    Bytes exact = LedgerCodec.encode(LONG);
    assertEquals(List.of(exact), RecordParts.split(LONG, 7, exact.length()));
    assertEquals(2, RecordParts.split(LONG, 7, exact.length() - 1).size());
  }

  @Test
  void noRawRecordIsLongerThanAllowed() {
    for (Bytes part : parts(LONG, Long.MIN_VALUE)) {
      assertTrue(part.length() <= RECORD_BYTES_MAX);
    }
  }

  @Test
  void aRunIsARecordAtItsLastPart() {
    List<Bytes> parts = parts(LONG, 7);
    assertEquals(List.of(at(parts.size(), LONG)), feed(parts));
  }

  @Test
  void aRunThatEndsEarlyIsVoid() {
    List<Bytes> parts = parts(LONG, 7);
    List<Bytes> cut = parts.subList(0, parts.size() - 1);
    List<Bytes> short1 = List.of(LedgerCodec.encode(SHORT));
    int n = cut.size();
    assertEquals(List.of(at(n + 1, SHORT)), feed(join(List.of(cut, short1))));
    List<Bytes> other = parts(OTHER, 8);
    assertEquals(List.of(at(n + other.size(), OTHER)), feed(join(List.of(cut, other))));
    List<Bytes> again = parts(LONG, 9);
    assertEquals(List.of(at(n + again.size(), LONG)), feed(join(List.of(cut, again))));
  }

  @Test
  void aVoidRunIsNotTakenUpAgain() {
    List<Bytes> parts = parts(LONG, 7);
    List<Bytes> short1 = List.of(LedgerCodec.encode(SHORT));
    assertEquals(
        List.of(at(3, SHORT)),
        feed(join(List.of(parts.subList(0, 2), short1, parts.subList(2, parts.size())))));
  }

  @Test
  void aMissingPartMakesTheRunVoid() {
    List<Bytes> parts = new ArrayList<>(parts(LONG, 7));
    parts.remove(2);
    assertEquals(List.of(), feed(parts));
  }

  @Test
  void aDoubledPartMakesTheRunVoid() {
    List<Bytes> parts = new ArrayList<>(parts(LONG, 7));
    parts.add(2, parts.get(2));
    assertEquals(List.of(), feed(parts));
  }

  @Test
  void partsOfTwoRunsDoNotMix() {
    List<Bytes> parts = new ArrayList<>(parts(LONG, 7));
    parts.set(1, parts(LONG, 8).get(1));
    assertEquals(List.of(), feed(parts));
  }

  @Test
  void aGapInPositionsMakesTheRunVoid() {
    List<Bytes> parts = parts(LONG, 7);
    RecordAssembler assembler = new RecordAssembler();
    assertEquals(List.of(), feed(assembler, 1, parts.subList(0, 2)));
    assertEquals(List.of(), feed(assembler, 4, parts.subList(2, parts.size())));
  }

  @Test
  void aReaderThatStartsWithinARunSkipsItsRest() {
    List<Bytes> parts = parts(LONG, 7);
    List<Bytes> other = parts(OTHER, 8);
    for (int from = 1; from < parts.size(); from++) {
      List<Bytes> rest = parts.subList(from, parts.size());
      assertEquals(
          List.of(at(rest.size() + other.size(), OTHER)), feed(join(List.of(rest, other))));
    }
  }

  @Test
  void anIncompleteRunIsOpenSinceItsFirstPart() {
    List<Bytes> parts = parts(LONG, 7);
    RecordAssembler assembler = new RecordAssembler();
    assertEquals(Optional.empty(), assembler.openSince());
    feed(assembler, 5, parts.subList(0, parts.size() - 1));
    assertEquals(Optional.of(new Position(5)), assembler.openSince());
    feed(assembler, 5 + parts.size() - 1, parts.subList(parts.size() - 1, parts.size()));
    assertEquals(Optional.empty(), assembler.openSince());
  }

  @Test
  void checkpointsArePassedByWhereTheyAreNotWanted() {
    LedgerRecord empty =
        new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, Position.ZERO, List.of());
    List<LedgerRecord.Settled> outcomes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      outcomes.add(new LedgerRecord.Settled(new TxnId(i, i), new Position(i), true));
    }
    List<LedgerRecord> checkpoints =
        List.of(
            empty,
            new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, Position.ZERO, outcomes),
            new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, Position.ZERO, outcomes, 3));
    for (LedgerRecord checkpoint : checkpoints) {
      List<Bytes> raw =
          join(
              List.of(
                  parts(LONG, 7),
                  RecordParts.split(checkpoint, 8, RECORD_BYTES_MAX),
                  parts(OTHER, 9)));
      List<Assembled> all = feed(raw);
      assertEquals(checkpoint, all.get(1).record());
      assertEquals(
          List.of(all.get(0), all.get(2)), feed(RecordAssembler.withoutCheckpoints(), 1, raw));
    }
  }

  @Test
  void aRunThatIsPassedByIsOpenAsAnyOther() {
    List<LedgerRecord.Settled> outcomes =
        Collections.nCopies(20, new LedgerRecord.Settled(new TxnId(1, 2), new Position(3), true));
    List<Bytes> parts =
        parts(
            new LedgerRecord.Checkpoint(RangeMap.EMPTY, Position.ZERO, Position.ZERO, outcomes), 7);
    RecordAssembler assembler = RecordAssembler.withoutCheckpoints();
    feed(assembler, 5, parts.subList(0, parts.size() - 1));
    assertEquals(Optional.of(new Position(5)), assembler.openSince());
    feed(assembler, 5 + parts.size() - 1, parts.subList(parts.size() - 1, parts.size()));
    assertEquals(Optional.empty(), assembler.openSince());
  }

  @Test
  void recordsOutOfOrderAreABug() {
    RecordAssembler assembler = new RecordAssembler();
    Bytes raw = LedgerCodec.encode(SHORT);
    assembler.feed(new Position(2), raw);
    assertThrows(Check.Failed.class, () -> assembler.feed(new Position(2), raw));
  }

  @Test
  void rawRecordsThatAreNoneAreRefused() {
    for (Bytes raw :
        List.of(
            Bytes.EMPTY,
            Bytes.of(1),
            Bytes.of(9, 15),
            partOf(1, 1),
            partOf(0, 1),
            partOf(2, 2),
            partOf(0, Integer.MAX_VALUE),
            partOf(-1, 2))) {
      assertThrows(
          MalformedMessageException.class,
          () -> new RecordAssembler().feed(new Position(1), raw),
          raw::toString);
    }
  }

  private static Bytes partOf(long index, long count) {
    WireWriter out = new WireWriter().u8(1).u8(15).i64(7).varint(index).varint(count);
    return out.bytes(Bytes.of(1)).toBytes();
  }

  /** A ledger of many records, some runs cut by a fence; read whole, and from any place. */
  @Test
  void randomLedgersGiveTheirRecordsAndNoOthers() {
    for (long seed = 0; seed < 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      RandomRecords records = new RandomRecords(seed);
      List<Bytes> raw = new ArrayList<>();
      List<Assembled> expected = new ArrayList<>();
      List<Integer> firsts = new ArrayList<>();
      for (int run = 0; run < 20; run++) {
        LedgerRecord record = random.nextBoolean() ? records.record() : records.commit(9, 30);
        List<Bytes> parts = RecordParts.split(record, run, RECORD_BYTES_MAX);
        int kept = random.nextInt(3) == 0 ? random.nextInt(parts.size()) : parts.size();
        if (kept == parts.size()) {
          firsts.add(raw.size() + 1);
          expected.add(at(raw.size() + kept, record));
        }
        raw.addAll(parts.subList(0, kept));
      }
      assertEquals(expected, feed(raw), "seed " + seed);
      int from = 1 + random.nextInt(raw.size());
      List<Assembled> later = new ArrayList<>();
      for (int i = 0; i < expected.size(); i++) {
        if (firsts.get(i) >= from) {
          later.add(expected.get(i));
        }
      }
      assertEquals(
          later,
          feed(new RecordAssembler(), from, raw.subList(from - 1, raw.size())),
          "seed " + seed + " from " + from);
    }
  }
}
