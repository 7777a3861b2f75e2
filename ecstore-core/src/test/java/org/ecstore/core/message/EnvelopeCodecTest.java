package org.ecstore.core.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class EnvelopeCodecTest {
  private static final EnvelopeCodec CODEC =
      new EnvelopeCodec(List.of(Talk.table(200), Walk.table(300, 300)));

  private static Envelope envelope(NodeMessage body) {
    ReadPoint point = new ReadPoint(new Position(200), new MapVersion(5));
    return new Envelope(new NodeId(1), 300, new NodeId(2), point, body);
  }

  @Test
  void bytesOfEnvelopesNeverChange() {
    Bytes encoded = CODEC.encode(envelope(new Talk.Say("hi", 9)));
    assertEquals(
        "0101ac0202c80105" + "c801" + "026869" + "09", HexFormat.of().formatHex(encoded.array()));
    assertEquals(envelope(new Talk.Say("hi", 9)), CODEC.decode(encoded));
  }

  @Test
  void envelopesComeBackAsTheyWere() {
    for (long seed = 0; seed < 5_000; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      NodeMessage body =
          switch (random.nextInt(3)) {
            case 0 -> new Talk.Say("x".repeat(random.nextInt(9)), random.nextLong());
            case 1 -> new Talk.Listen();
            default -> new Walk(random.nextLong());
          };
      Envelope envelope =
          new Envelope(
              new NodeId(random.nextLong() >>> 1),
              random.nextLong(),
              new NodeId(random.nextLong() >>> 1),
              new ReadPoint(
                  new Position(random.nextLong() >>> 1), new MapVersion(random.nextLong() >>> 1)),
              body);
      assertEquals(envelope, CODEC.decode(CODEC.encode(envelope)), "seed " + seed);
    }
  }

  @Test
  void everyProperPrefixAndEveryExtensionIsRefused() {
    Bytes encoded = CODEC.encode(envelope(new Talk.Say("hi", 9)));
    for (int length = 0; length < encoded.length(); length++) {
      Bytes cut = encoded.slice(0, length);
      assertThrows(MalformedMessageException.class, () -> CODEC.decode(cut));
    }
    assertMessage(
        MalformedMessageException.class, "must ascend", () -> CODEC.decode(encoded.successor()));
  }

  @Test
  void unknownTypesAndVersionsAreRefused() {
    for (long type : new long[] {0, 199, 202, 299, 301, Integer.MAX_VALUE, 1L << 32, -1}) {
      WireWriter out = new WireWriter().u8(1).varint(1).varint(1).varint(1).varint(1).varint(1);
      Bytes encoded = out.varint(type).toBytes();
      assertMessage(
          MalformedMessageException.class,
          "unknown type of message: " + type,
          () -> CODEC.decode(encoded));
    }
    assertMessage(
        MalformedMessageException.class,
        "unknown version of an envelope: 2",
        () -> CODEC.decode(Bytes.of(2, 0, 0)));
  }

  @Test
  void familiesMustNotShareNumbers() {
    MessageTable<Talk> talk = Talk.table(200);
    for (int first : new int[] {199, 200, 201}) {
      MessageTable<Walk> walk = Walk.table(first, first + 1);
      assertMessage(
          IllegalArgumentException.class,
          "numbers overlap",
          () -> new EnvelopeCodec(List.of(talk, walk)));
      assertMessage(
          IllegalArgumentException.class,
          "numbers overlap",
          () -> new EnvelopeCodec(List.of(walk, talk)));
    }
    assertMessage(
        IllegalArgumentException.class,
        "numbers overlap: Walk (100 to 400) and Talk (200 to 201)",
        () -> new EnvelopeCodec(List.of(talk, Walk.table(100, 400))));
    new EnvelopeCodec(List.of(talk, Walk.table(202, 203)));
  }

  @Test
  void aMessageOfNoTableCannotBeSent() {
    assertMessage(
        IllegalArgumentException.class,
        "in no table of messages: Other",
        () -> CODEC.encode(envelope(new Other())));
  }

  @Test
  void optionalFieldsOfANewerNodeArePassedBy() {
    Envelope envelope = envelope(new Walk(7));
    Bytes newer = CODEC.encode(envelope).concat(Bytes.of(3, 2, 1, 1, 40, 0));
    assertEquals(envelope, CODEC.decode(newer));
    assertMessage(
        MalformedMessageException.class,
        "must ascend",
        () -> CODEC.decode(newer.concat(Bytes.of(3, 0))));
  }

  private static void assertMessage(
      Class<? extends RuntimeException> type, String part, Executable call) {
    String message = String.valueOf(assertThrows(type, call).getMessage());
    assertTrue(message.contains(part), () -> message);
  }
}
