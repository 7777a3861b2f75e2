package org.ecstore.client.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.wire.Frames;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameAssemblyTest {
  /** Frames of any length, cut anywhere, come out as they went in. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void framesComeOutHoweverTheyArrive(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<byte[]> sent = new ArrayList<>();
    ByteBuf wire = Unpooled.buffer();
    for (int i = 0; i < 200; i++) {
      byte[] body = new byte[Frames.BODY_BYTES_MIN + random.nextInt(i % 10 == 0 ? 5_000 : 12)];
      random.nextBytes(body);
      sent.add(body);
      wire.writeInt(body.length).writeBytes(body);
    }
    FrameAssembly frames = new FrameAssembly();
    List<byte[]> received = new ArrayList<>();
    while (wire.isReadable()) {
      int most = random.nextBoolean() ? 3 : 9_000;
      ByteBuf piece = wire.readSlice(Math.min(wire.readableBytes(), 1 + random.nextInt(most)));
      for (byte[] body = frames.next(piece); body != null; body = frames.next(piece)) {
        received.add(body);
      }
      assertEquals(0, piece.readableBytes());
    }
    assertEquals(sent.size(), received.size());
    for (int i = 0; i < sent.size(); i++) {
      assertArrayEquals(sent.get(i), received.get(i));
    }
  }

  @Test
  void lengthsThatNoFrameHasAreRefusedBeforeThereIsRoomForThem() {
    for (int length : new int[] {0, -1, Frames.BODY_BYTES_MAX + 1, Integer.MIN_VALUE}) {
      ByteBuf wire = Unpooled.buffer().writeInt(length);
      assertThrows(MalformedMessageException.class, () -> new FrameAssembly().next(wire));
    }
    assertNull(new FrameAssembly().next(Unpooled.buffer().writeInt(Frames.BODY_BYTES_MAX)));
  }
}
