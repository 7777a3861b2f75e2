package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.verify.door.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One machine opens more connections than there is room for. */
@Timeout(120)
class FloodTest {
  private static final int SEATS = 20;
  private static final ClientRequest GET =
      new ClientRequest.Get(
          ReadPoint.ZERO, new RangeId(1), new Epoch(1), List.of(Bytes.of('k', 0)));

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

  private AnsweringNode node(long id) throws IOException {
    return closing(
        new AnsweringNode(id, NetSettings.DEFAULT.withLimits(SEATS, 100, 1 << 20), loops));
  }

  private static void assertServes(RawClient client) throws IOException {
    assertInstanceOf(ClientReply.Values.class, client.call(4711, GET));
  }

  /** A node that was not there before the flood says something. */
  private void assertHearsNodes(AnsweringNode target) throws Exception {
    AnsweringNode other = node(9);
    target.network.members(List.of(other.member(1)));
    other.network.members(List.of(target.member(1)));
    Event heard;
    do {
      other
          .eventLoop
          .ask(
              () -> {
                other.network.send(target.id, ReadPoint.ZERO, new AnsweringNode.Note("hello"));
                other.network.flush();
                return 0;
              })
          .get();
      heard = target.events.poll(1, TimeUnit.MILLISECONDS);
    } while (!(heard instanceof Event.Delivered));
    assertEquals(new NodeId(9), ((Event.Delivered) heard).envelope().from());
  }

  @Test
  void silentConnectionsShutOutNeitherClientsNorNodes() throws Exception {
    AnsweringNode node = node(1);
    RawClient before = closing(RawClient.greeted(node.address));
    for (int i = 0; i < 10 * SEATS; i++) {
      closing(new RawClient(node.address));
    }
    assertServes(before);
    assertServes(closing(RawClient.greeted(node.address)));
    assertHearsNodes(node);
    Await.until("those in excess are closed", () -> node.network.connections() <= 3 * SEATS);
  }

  @Test
  void clientsThatHaveAllSeatsShutOutNeitherNodesNorOperators() throws Exception {
    AnsweringNode node = node(1);
    List<RawClient> seated = new ArrayList<>();
    for (int i = 0; i < SEATS; i++) {
      seated.add(closing(RawClient.greeted(node.address)));
    }
    assertHearsNodes(node);
    RawClient operator = closing(RawClient.greeted(node.address));
    ClientReply.Challenge challenge =
        assertInstanceOf(
            ClientReply.Challenge.class, operator.call(1, new ClientRequest.AskChallenge()));
    assertInstanceOf(
        ClientReply.Decided.class,
        operator.call(
            2,
            OperatorProof.sign(
                AnsweringNode.SECRET,
                challenge.random(),
                new ClientRequest.Administer(new AdminRequest.Rebalance(), 7))));
    for (RawClient client : seated) {
      assertServes(client);
    }
  }

  @Test
  void clientWithoutASeatIsToldSoAndGetsOneWhenOneIsFree() throws Exception {
    AnsweringNode node = node(1);
    List<RawClient> seated = new ArrayList<>();
    for (int i = 0; i < SEATS; i++) {
      seated.add(closing(RawClient.greeted(node.address)));
    }
    RawClient waiting = closing(RawClient.greeted(node.address));
    ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, waiting.call(1, GET));
    assertEquals(RefusalCode.OVERLOADED, refused.code());
    assertTrue(refused.detail().contains("20 connections"), refused::detail);
    seated.getFirst().close();
    AtomicLong calls = new AtomicLong(1);
    Await.until(
        "a seat is free",
        () -> !(waiting.call(calls.incrementAndGet(), GET) instanceof ClientReply.Refused));
    assertServes(waiting);
  }
}
