package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Stage;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a connection holds of a node's memory while its frames come. */
class FrameDecoderTest {
  private static final int ROOM = 10_000;

  private final Admission admission =
      new Admission(new MemoryLimits(ROOM, ROOM, ROOM, ROOM, ROOM, ROOM, ROOM));

  private final FrameDecoder decoder = decoder();
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

  private FrameDecoder decoder() {
    return new FrameDecoder(admission.open(Origin.ofPeer("here")), Stage.FRAMES);
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    assertEquals(0, held());
  }

  private long held() {
    return admission.held(Stage.FRAMES);
  }

  private static byte[] body(int length) {
    byte[] body = new byte[length];
    new Random(length).nextBytes(body);
    return body;
  }

  private static byte[] frame(int length) {
    return new WireWriter().i32(length).raw(body(length)).toBytes().array();
  }

  private void come(byte[] bytes, int from, int to) {
    channel.writeInbound(Unpooled.copiedBuffer(bytes, from, to - from));
  }

  private void come(byte[] bytes) {
    come(bytes, 0, bytes.length);
  }

  private void assertComes(int length) {
    assertEquals(Bytes.wrap(body(length)), channel.readInbound());
  }

  @Test
  void framesComeWholeInWhateverPieces() {
    decoder.greeted(ROOM);
    Random random = new Random(7);
    for (int i = 0; i < 500; i++) {
      int length = 2 + random.nextInt(4_000);
      byte[] frame = frame(length);
      for (int at = 0; at < frame.length; ) {
        int to = Math.min(frame.length, at + 1 + random.nextInt(3_000));
        come(frame, at, to);
        at = to;
      }
      assertComes(length);
      assertEquals(0, held());
    }
  }

  @Test
  void aPartHoldsNoMoreThanTwiceWhatHasCome() {
    decoder.greeted(ROOM);
    byte[] frame = frame(9_000);
    come(frame, 0, 4);
    assertEquals(0, held());
    for (int at = 4; at < 8_000; at += 10) {
      come(frame, at, at + 10);
      assertTrue(held() <= 2L * (at + 10), "after " + at + " bytes: " + held());
    }
  }

  @Test
  void aFrameThatFindsNoRoomIsDroppedAndTheNextOneComes() {
    decoder.greeted(ROOM);
    FrameDecoder other = decoder();
    other.greeted(ROOM);
    EmbeddedChannel holder = new EmbeddedChannel(other);
    holder.writeInbound(Unpooled.copiedBuffer(frame(8_000), 0, 7_000));
    byte[] frame = frame(5_000);
    come(frame, 0, 4_004);
    FrameDecoder.Dropped dropped =
        assertInstanceOf(FrameDecoder.Dropped.class, channel.readInbound());
    assertEquals(RefusalCode.OVERLOADED, dropped.refusal().code());
    assertEquals(Bytes.wrap(body(5_000)).slice(0, FrameDecoder.HEAD_BYTES), dropped.head());
    come(frame, 4_004, frame.length);
    assertNull(channel.readInbound());
    come(frame(300));
    assertComes(300);
    holder.finishAndReleaseAll();
  }

  @Test
  void aFrameLongerThanAnyTheNodeTakesIsDroppedAsTooLarge() {
    decoder.greeted(1_000);
    come(frame(1_001));
    FrameDecoder.Dropped dropped =
        assertInstanceOf(FrameDecoder.Dropped.class, channel.readInbound());
    assertEquals(RefusalCode.TOO_LARGE, dropped.refusal().code());
    come(frame(1_000));
    assertComes(1_000);
  }

  @Test
  void beforeTheGreetingALongFrameEndsTheConnection() {
    come(frame(FrameDecoder.GREETING_BYTES_MAX));
    assertComes(FrameDecoder.GREETING_BYTES_MAX);
    assertThrows(
        FrameDecoder.FrameTooLargeException.class,
        () -> come(frame(FrameDecoder.GREETING_BYTES_MAX + 1)));
    come(frame(10));
    assertNull(channel.readInbound());
  }

  @Test
  void aSlowFrameMakesRoomWhereRoomIsScarce() {
    decoder.greeted(ROOM);
    long late = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    come(frame(9_000), 0, 2_004);
    decoder.makeRoom(channel.pipeline().context(decoder), late);
    assertNull(channel.readInbound());
    come(frame(9_000), 2_004, 7_004);
    assertTrue(decoder.isPartial());
    decoder.makeRoom(channel.pipeline().context(decoder), late);
    assertInstanceOf(FrameDecoder.Dropped.class, channel.readInbound());
    assertEquals(0, held());
    come(frame(9_000), 7_004, 9_004);
    assertFalse(decoder.isPartial());
    come(frame(20));
    assertComes(20);
  }
}
