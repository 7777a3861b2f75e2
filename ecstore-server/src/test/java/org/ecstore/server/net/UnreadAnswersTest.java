package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.id.Epoch;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Stage;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.verify.door.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that ask for small answers and do not read them, over real sockets. */
@Timeout(180)
class UnreadAnswersTest {
  private static final int MEBI = 1 << 20;
  private static final MemoryLimits SMALL =
      new MemoryLimits(8 * MEBI, 8 * MEBI, MEBI, 8 * MEBI, 8 * MEBI, 4 * MEBI, 1_000);

  /** Its answer has a key of a thousand bytes, and a value of none. */
  private static final ClientRequest SMALL_GET =
      new ClientRequest.Get(
          ReadPoint.ZERO,
          new RangeId(1),
          new Epoch(1),
          List.of(Bytes.utf8("k".repeat(999)).concat(Bytes.of(0))));

  private final NetLoops loops = NetLoops.onThreads(1);
  private final List<AutoCloseable> open = new ArrayList<>();

  private <T extends AutoCloseable> T closing(T resource) {
    open.add(resource);
    return resource;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
    loops.close();
  }

  private AnsweringNode node() throws Exception {
    return closing(
        new AnsweringNode(
            AnsweringNode.CLUSTER, 1, NetSettings.DEFAULT, LoopLimits.DEFAULT, loops, SMALL));
  }

  private static long held(AnsweringNode node) {
    return node.network.admission().held(Stage.ANSWERS);
  }

  /**
   * Asks, each time when the one before has an answer, while fewer bytes of answers wait than make
   * room scarce: those before may have found more room in the sockets.
   */
  private static void leaveUnread(AnsweringNode node, RawClient deaf) throws Exception {
    try {
      for (int i = 1; held(node) < SMALL.answersMax() / 2; i++) {
        deaf.send(i, SMALL_GET);
        node.eventLoop.ask(() -> true).get();
      }
    } catch (IOException closedByNode) {
      // As it should be.
    }
  }

  /** It was kept for ten minutes: less waited than makes a socket not writable. */
  @Test
  void aClientWhoseSmallAnswersTakeTheRoomOfOthersIsCut() throws Exception {
    AnsweringNode node = node();
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient deaf = closing(RawClient.greeted(node.address));
    Await.until(
        "it is cut",
        () -> {
          leaveUnread(node, deaf);
          return !node.events.isEmpty();
        });
    assertInstanceOf(Event.ClientGone.class, node.nextEvent());
    Await.until("there is room again", () -> held(node) == 0);
    assertInstanceOf(ClientReply.Values.class, neighbour.call(1, SMALL_GET));
  }
}
