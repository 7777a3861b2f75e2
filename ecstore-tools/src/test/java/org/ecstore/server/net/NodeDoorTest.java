package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.tools.attack.attacker.Forger;
import org.ecstore.verify.door.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What those meet who stand in for a node or for an operator, and those who are one. */
@Timeout(120)
class NodeDoorTest {
  private static final ReadPoint FAR =
      new ReadPoint(new Position(Long.MAX_VALUE - 5), MapVersion.ZERO);
  private static final ReadPoint POINT = new ReadPoint(new Position(12), new MapVersion(3));
  private static final ClientRequest.Administer REQUEST =
      new ClientRequest.Administer(new AdminRequest.Rebalance(), 7);

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
    return closing(new AnsweringNode(id, NetSettings.DEFAULT, loops));
  }

  private AnsweringNode node(long id, Optional<ClusterSecret> secret) throws IOException {
    return closing(
        new AnsweringNode(
            AnsweringNode.CLUSTER, secret, id, NetSettings.DEFAULT, LoopLimits.DEFAULT, loops));
  }

  private static void send(AnsweringNode from, NodeId to, String text) throws Exception {
    from.eventLoop
        .ask(
            () -> {
              from.network.send(to, POINT, new AnsweringNode.Note(text));
              from.network.flush();
              return text;
            })
        .get();
  }

  private static String heard(AnsweringNode node) throws InterruptedException {
    Event.Delivered delivered = assertInstanceOf(Event.Delivered.class, node.nextEvent());
    return assertInstanceOf(AnsweringNode.Note.class, delivered.envelope().body()).text();
  }

  /** Sends until one arrives: each may be lost. */
  private static void assertReaches(AnsweringNode from, AnsweringNode to) throws Exception {
    Await.until(
        "a message arrives",
        () -> {
          send(from, to.id, "again");
          return !to.events.isEmpty();
        });
    assertEquals("again", heard(to));
  }

  /** Sends until the receiver has closed so many connections. */
  private static void sendUntilCut(AnsweringNode from, AnsweringNode to, String text)
      throws Exception {
    Await.until(
        "a connection is cut",
        () -> {
          send(from, to.id, text);
          return to.network.cutConnections() > 0;
        });
  }

  private static void awaitCut(AnsweringNode node) {
    Await.until("a connection is cut", () -> node.network.cutConnections() > 0);
  }

  private static Member behind(Tap tap, AnsweringNode node) {
    return new Member(node.id, 1, new MemberInfo(Addresses.format(tap.address())));
  }

  /** Two nodes that know each other, with an attacker on the way from one to the other. */
  private Tap tapped(AnsweringNode from, AnsweringNode to) throws Exception {
    Tap tap = closing(new Tap(to.address));
    to.network.members(List.of(from.member(1), to.member(1)));
    from.network.members(List.of(from.member(1), behind(tap, to)));
    send(from, to.id, "hello");
    assertEquals("hello", heard(to));
    return tap;
  }

  @Test
  void noForgeryIsBelieved() throws Exception {
    AnsweringNode genuine = node(1);
    AnsweringNode target = node(2);
    target.network.members(List.of(genuine.member(1), target.member(1)));
    Bytes forged =
        target
            .network
            .codec()
            .encode(new Envelope(genuine.id, 1, target.id, FAR, new AnsweringNode.Note("forged")));
    Map<String, Forger.Answer> answers = Forger.at(target.address, 1).all(genuine.id, 1, forged);
    assertEquals(
        Set.of(Forger.Answer.CUT), new LinkedHashSet<>(answers.values()), answers::toString);
    assertInstanceOf(Event.ClientGone.class, target.nextEvent(), "as which it came to look");
    assertTrue(target.events.isEmpty());
    genuine.network.members(List.of(target.member(1)));
    assertReaches(genuine, target);
  }

  @Test
  void aRecordedConnectionIsNotTakenAgain() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    Tap tap = tapped(from, to);
    RawClient again = closing(new RawClient(to.address));
    again.sendRaw(tap.seen());
    // The challenge is another one.
    again.receiveFrame();
    assertTrue(again.closedSilently());
    send(from, to.id, "genuine");
    assertEquals("genuine", heard(to));
  }

  @Test
  void aFrameThatIsSaidTwiceIsNotTakenTwice() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    Tap tap = tapped(from, to);
    tap.repeatWhatComes();
    send(from, to.id, "twice");
    assertEquals("twice", heard(to));
    awaitCut(to);
    assertTrue(to.events.isEmpty());
  }

  @Test
  void aFrameWithAFlippedBitIsNotTaken() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    Tap tap = tapped(from, to);
    tap.flipABit();
    send(from, to.id, "hello".repeat(40));
    awaitCut(to);
    assertTrue(to.events.isEmpty());
    assertReaches(from, to);
  }

  @Test
  void anEarlierIncarnationIsNotHeard() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    from.network.members(List.of(from.member(1), to.member(1)));
    to.network.members(List.of(from.member(2), to.member(1)));
    sendUntilCut(from, to, "from the grave");
    assertTrue(to.events.isEmpty());
  }

  @Test
  void aConnectionEndsWhenMembershipKnowsALaterIncarnation() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    from.network.members(List.of(to.member(1)));
    to.network.members(List.of(from.member(1)));
    assertReaches(from, to);
    to.network.members(List.of(from.member(2)));
    sendUntilCut(from, to, "from the grave");
  }

  @Test
  void aNodeThatHasJustJoinedIsHeardOnceMembershipKnowsIt() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode to = node(2);
    to.network.members(List.of(to.member(1)));
    from.network.members(List.of(from.member(1), to.member(1)));
    send(from, to.id, "hello");
    Await.until("it is connected", () -> to.network.connections() > 0);
    assertTrue(to.events.isEmpty());
    to.network.members(List.of(from.member(1), to.member(1)));
    assertEquals("hello", heard(to));
  }

  @Test
  void aNodeWithAnotherSecretIsNeitherHeardNorTold() throws Exception {
    AnsweringNode stranger = node(1, Optional.of(ClusterSecret.random()));
    AnsweringNode to = node(2);
    Tap tap = closing(new Tap(to.address));
    stranger.network.members(List.of(stranger.member(1), behind(tap, to)));
    to.network.members(List.of(stranger.member(1), to.member(1)));
    sendUntilCut(stranger, to, "let me in");
    assertTrue(to.events.isEmpty());
    assertTrue(!tap.seen().toUtf8().contains("let me in"), "it says nothing to who proves nothing");
  }

  @Test
  void aNodeWithoutASecretHearsNoOther() throws Exception {
    AnsweringNode from = node(1);
    AnsweringNode alone = node(2, Optional.empty());
    from.network.members(List.of(alone.member(1)));
    alone.network.members(List.of(from.member(1)));
    sendUntilCut(from, alone, "hello");
    assertTrue(alone.events.isEmpty());
    send(alone, from.id, "hello");
    assertEquals(1, alone.network.droppedMessages());
  }

  private static String refusal(ClientReply reply) {
    return assertInstanceOf(ClientReply.Refused.class, reply).detail();
  }

  private static Bytes challenge(RawClient client) throws IOException {
    return assertInstanceOf(
            ClientReply.Challenge.class, client.call(1, new ClientRequest.AskChallenge()))
        .random();
  }

  @Test
  void aWishNeedsTheSecret() throws Exception {
    RawClient client = closing(RawClient.greeted(node(1).address));
    assertTrue(refusal(client.call(1, REQUEST)).contains("without a challenge"));
    Bytes challenge = challenge(client);
    ClusterSecret other = ClusterSecret.random();
    assertTrue(
        refusal(client.call(2, OperatorProof.sign(other, challenge, REQUEST)))
            .contains("does not have the secret"));
  }

  @Test
  void aProofIsGoodForOneWishAndForNoOther() throws Exception {
    AnsweringNode node = node(1);
    RawClient client = closing(RawClient.greeted(node.address));
    ClientRequest.Administer signed =
        OperatorProof.sign(AnsweringNode.SECRET, challenge(client), REQUEST);
    ClientRequest.Administer another =
        new ClientRequest.Administer(new AdminRequest.Drain(new NodeId(3)), 7, signed.proof());
    assertTrue(refusal(client.call(2, another)).contains("does not have the secret"));
    ClientRequest.Administer good =
        OperatorProof.sign(AnsweringNode.SECRET, challenge(client), REQUEST);
    assertInstanceOf(ClientReply.Decided.class, client.call(3, good));
    assertTrue(refusal(client.call(4, good)).contains("without a challenge"));
  }
}
