package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Stage;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;
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
    decoder.makeRoom(channel.pipeline().context(decoder), late + TimeUnit.SECONDS.toNanos(2));
    assertInstanceOf(FrameDecoder.Dropped.class, channel.readInbound());
    assertEquals(0, held());
    come(frame(9_000), 7_004, 9_004);
    assertFalse(decoder.isPartial());
    come(frame(20));
    assertComes(20);
  }

  /** A connection of a node with room for ten mebibytes of frames, the longest of which has six. */
  private static final class Door implements AutoCloseable {
    private static final int MEBI = 1 << 20;
    private static final int LONGEST = 6 * MEBI;
    private static final int PIECE_BYTES = 64 << 10;

    private final FrameDecoder decoder;
    private final EmbeddedChannel channel;
    private long nanos = System.nanoTime();

    Door(Admission admission) {
      decoder = new FrameDecoder(admission.open(Origin.ofPeer("here")), Stage.FRAMES);
      decoder.greeted(LONGEST);
      channel = new EmbeddedChannel(decoder);
    }

    static Admission node() {
      int room = 10 * MEBI;
      return new Admission(new MemoryLimits(room, room, room, room, room, 5 * MEBI, room));
    }

    void announce(int length) {
      channel.writeInbound(Unpooled.copyInt(length));
    }

    void bring(int bytes) {
      for (int left = bytes; left > 0; left -= PIECE_BYTES) {
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[Math.min(left, PIECE_BYTES)]));
      }
    }

    void secondsPass(int seconds) {
      for (int i = 0; i < seconds; i++) {
        nanos += TimeUnit.SECONDS.toNanos(1);
        decoder.makeRoom(channel.pipeline().context(decoder), nanos);
      }
    }

    /** Whether the last frame was dropped; null if it has not ended. */
    @Nullable Boolean dropped() {
      Object said = channel.readInbound();
      return said == null ? null : said instanceof FrameDecoder.Dropped;
    }

    @Override
    public void close() {
      channel.finishAndReleaseAll();
    }
  }

  /** It counted as quick for as long as all that had come would have taken at the least rate. */
  @Test
  void aFrameThatBeganQuicklyAndDoesNotMoveMakesRoom() {
    Admission node = Door.node();
    try (Door half = new Door(node)) {
      half.announce(Door.LONGEST);
      half.bring(4 * Door.MEBI + 1);
      half.secondsPass(2);
      assertNull(half.dropped());
      half.secondsPass(2);
      assertEquals(true, half.dropped());
      assertEquals(0, node.held(Stage.FRAMES));
    }
    assertEquals(0, node.held(Stage.LARGE_FRAMES));
  }

  @Test
  void aFrameThatMovesIsKeptHoweverLongItTakes() {
    try (Door steady = new Door(Door.node())) {
      steady.announce(Door.LONGEST);
      steady.bring(Door.LONGEST / 2);
      for (int left = Door.LONGEST / 2; left > 0; left -= 512 << 10) {
        steady.secondsPass(1);
        steady.bring(256 << 10);
        steady.secondsPass(1);
        steady.bring(256 << 10);
      }
      assertEquals(false, steady.dropped());
    }
  }

  @Test
  void aPartThatKeepsAnotherFromItsRoomMakesRoomThoughMostOfItIsFree() {
    Admission node = Door.node();
    try (Door part = new Door(node);
        Door other = new Door(node)) {
      part.announce(3 * Door.MEBI);
      part.bring(2 * Door.MEBI + 1);
      part.secondsPass(4);
      assertNull(part.dropped());
      other.announce(Door.LONGEST);
      other.bring(3 * Door.MEBI);
      other.bring(3 * Door.MEBI);
      assertEquals(true, other.dropped());
      part.secondsPass(1);
      assertEquals(true, part.dropped());
      other.announce(Door.LONGEST);
      other.bring(Door.LONGEST);
      assertEquals(false, other.dropped());
    }
  }

  @Test
  void largeFramesLeaveAQuarterOfTheRoomToSmallOnes() {
    Admission node = Door.node();
    List<Door> doors = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Door large = new Door(node);
      doors.add(large);
      large.announce(2 * Door.MEBI);
      large.bring(Door.MEBI - 1);
    }
    assertTrue(node.held(Stage.FRAMES) <= 10L * Door.MEBI / 4 * 3);
    Door small = new Door(node);
    doors.add(small);
    small.announce(FrameDecoder.SMALL_BYTES_MAX);
    small.bring(FrameDecoder.SMALL_BYTES_MAX - 1);
    small.bring(1);
    assertEquals(false, small.dropped());
    doors.forEach(Door::close);
    assertEquals(0, node.held(Stage.FRAMES));
    assertEquals(0, node.held(Stage.LARGE_FRAMES));
  }
}
