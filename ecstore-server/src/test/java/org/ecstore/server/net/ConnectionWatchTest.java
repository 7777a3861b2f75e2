package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.Unpooled;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Stage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who is cut for what it does not take, while there is room for answers and while there is not. */
class ConnectionWatchTest {
  private static final int ROOM = 1 << 20;
  private static final int WAITING = 400_000;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(1_010);

  private final Admission admission =
      new Admission(new MemoryLimits(ROOM, ROOM, ROOM, ROOM, ROOM, ROOM, ROOM));
  private final Account others = admission.open(Origin.ofPeer("elsewhere"));
  private final FrameDecoder decoder =
      new FrameDecoder(admission.open(Origin.ofPeer("here")), Stage.FRAMES);
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);
  private final List<String> cut = new ArrayList<>();
  private final ConnectionWatch watch = new ConnectionWatch(NetSettings.DEFAULT, decoder, cut::add);
  private long nanos = System.nanoTime();

  ConnectionWatchTest() {
    channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(ROOM / 4, ROOM));
    watch.message();
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
  }

  private void answersWait(int bytes) {
    var _ = channel.write(Unpooled.wrappedBuffer(new byte[bytes]));
  }

  private void othersFindNoRoom() {
    others.hold(Stage.ANSWERS, ROOM);
  }

  private void taken(int bytes) {
    watch.taken(bytes);
    nanos += LOOK_NANOS;
    watch.look(channel.pipeline().firstContext(), nanos);
  }

  private void assertCut(int times) {
    assertEquals(times, cut.size(), cut::toString);
  }

  @Test
  void whoTakesNothingIsCutWhenOthersFindNoRoom() {
    answersWait(WAITING);
    for (int i = 0; i < 100; i++) {
      taken(0);
    }
    assertCut(0);
    othersFindNoRoom();
    taken(0);
    assertCut(1);
  }

  @Test
  void whoTakesLittleIsCutWhenOthersFindNoRoom() {
    answersWait(WAITING);
    for (int i = 0; i < 100; i++) {
      taken(50_000);
    }
    assertCut(0);
    othersFindNoRoom();
    taken(50_000);
    assertCut(1);
  }

  @Test
  void whoTakesItsPartOfWhatWaitsIsKept() {
    othersFindNoRoom();
    answersWait(WAITING);
    for (int i = 0; i < 100; i++) {
      taken(WAITING / 3);
    }
    assertCut(0);
  }

  @Test
  void whoHasNothingWaitingIsKept() {
    othersFindNoRoom();
    for (int i = 0; i < 100; i++) {
      taken(0);
    }
    assertCut(0);
  }

  /** Whatever the room: it has all that one connection may have waiting. */
  @Test
  void whoMayHaveNoMoreWaitingIsCutWhenItTakesNothing() {
    answersWait(2 * ROOM);
    for (int i = 0; i < 100; i++) {
      taken(1);
    }
    assertCut(0);
    for (int i = 0; i < 31; i++) {
      taken(0);
    }
    assertEquals("it takes no replies for PT30S", cut.getLast());
  }
}
