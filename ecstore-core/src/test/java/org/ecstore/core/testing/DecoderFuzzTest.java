package org.ecstore.core.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerCodec;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.map.MapCodec;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class DecoderFuzzTest {
  private static final int INPUTS = 100_000;
  private static final EnvelopeCodec ENVELOPES = new EnvelopeCodec(List.of(RecordMessage.TABLE));

  @Test
  void noBytesDoHarmAsALedgerRecord() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      valid.add(LedgerCodec.encode(new RandomRecords(seed).record()));
    }
    fuzz(
        valid,
        bytes -> {
          LedgerRecord record = LedgerCodec.decode(bytes);
          assertEquals(record, LedgerCodec.decode(LedgerCodec.encode(record)));
        });
  }

  @Test
  void noBytesDoHarmAsAMap() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      WireWriter out = new WireWriter();
      MapCodec.writeMap(out, new RandomRecords(seed).map());
      valid.add(out.toBytes());
    }
    fuzz(
        valid,
        bytes -> {
          RangeMap map = MapCodec.readMap(new WireReader(bytes));
          WireWriter out = new WireWriter();
          MapCodec.writeMap(out, map);
          assertEquals(map, MapCodec.readMap(new WireReader(out.toBytes())));
        });
  }

  @Test
  void noBytesDoHarmAsAnEnvelope() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      RandomRecords random = new RandomRecords(seed);
      ReadPoint point = new ReadPoint(random.position(), random.mapVersion());
      RecordMessage body = new RecordMessage(random.record());
      valid.add(ENVELOPES.encode(new Envelope(random.node(), seed, random.node(), point, body)));
    }
    fuzz(
        valid,
        bytes -> {
          Envelope envelope = ENVELOPES.decode(bytes);
          assertEquals(envelope, ENVELOPES.decode(ENVELOPES.encode(envelope)));
        });
  }

  /** One assembler takes them all: what it refuses must not spoil what comes after. */
  @Test
  void noBytesDoHarmAsARawRecord() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 100; seed++) {
      valid.addAll(RecordParts.split(new RandomRecords(seed).commit(6, 40), seed, 64));
    }
    RecordAssembler assembler = new RecordAssembler();
    long[] position = {0};
    fuzz(valid, bytes -> assembler.feed(new Position(++position[0]), bytes));
    RandomRecords random = new RandomRecords(1);
    LedgerRecord last = random.commit(6, 40);
    List<LedgerRecord> made = new ArrayList<>();
    for (Bytes part : RecordParts.split(last, 1, 64)) {
      assembler
          .feed(new Position(++position[0]), part)
          .ifPresent(assembled -> made.add(assembled.record()));
    }
    assertEquals(List.of(last), made);
  }

  private static void fuzz(List<Bytes> valid, Consumer<Bytes> decoder) {
    Mutations mutations = new Mutations(1, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes bytes = mutations.next();
      try {
        decoder.accept(bytes);
        passed++;
      } catch (MalformedMessageException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + bytes, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }
}
