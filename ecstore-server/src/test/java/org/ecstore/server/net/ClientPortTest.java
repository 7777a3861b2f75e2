package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.id.Epoch;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Stage;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Limits;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** What clients, strangers and enemies meet on the port of a node. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientPortTest {
  private NetLoops loops = NetLoops.onLoops();

  private final List<AutoCloseable> open = new ArrayList<>();

  /** Who does the network work. */
  NetLoops loops() {
    return NetLoops.onThreads(1);
  }

  /** Waits until an event loop that is held has so much before it that no more is read. */
  void awaitCongestion(AnsweringNode node) {
    Await.until("the event loop is congested", node.eventLoop::congested);
  }

  @BeforeAll
  void startLoops() {
    loops = loops();
  }

  @AfterAll
  void stopLoops() {
    loops.close();
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private AnsweringNode node(NetSettings settings) throws IOException {
    return closing(new AnsweringNode(1, settings, loops));
  }

  private <T extends AutoCloseable> T closing(T resource) {
    open.add(resource);
    return resource;
  }

  private static ClientRequest get(int units) {
    return new ClientRequest.Get(
        ReadPoint.ZERO, new RangeId(1), new Epoch(1), List.of(Bytes.of('k', units)));
  }

  private static void assertServes(RawClient client) throws IOException {
    assertInstanceOf(ClientReply.Values.class, client.call(4711, get(0)));
  }

  private static ClientReply.Refused refusal(CorrelatedReply reply) {
    return assertInstanceOf(ClientReply.Refused.class, reply.reply());
  }

  @Test
  void repliesCarryTheCorrelationOfTheirRequests() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(RawClient.greeted(node.address));
    for (int i = 1; i <= 1_000; i++) {
      client.send(i, get(0));
    }
    for (int i = 1; i <= 1_000; i++) {
      assertEquals(i, client.receive().correlation());
    }
  }

  @Test
  void theDefaultAddressIsLoopback() throws Exception {
    assertTrue(node(NetSettings.DEFAULT).address.getAddress().isLoopbackAddress());
  }

  @Test
  void aWrongMagicClosesThatConnectionOnly() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient stranger = closing(new RawClient(node.address));
    stranger.sendRaw(Bytes.utf8("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    assertTrue(stranger.closedSilently());
    assertServes(neighbour);
    assertEquals(1, node.network.cutConnections());
  }

  @Test
  void anotherVersionOfTheProtocolIsTurnedAway() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(new RawClient(node.address));
    client.sendRaw(Bytes.of('e', 'c', 'S', 't', Preamble.FRAMING_VERSION + 1, 'C'));
    assertTrue(client.closedSilently());
  }

  @Test
  void malformedOptionalFieldsAreRefusedInOneLineAndCut() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    for (Bytes wrong : List.of(Bytes.of(9, 0, 9, 0), Bytes.of(9, 5, 0), Bytes.of(3, 1, 0))) {
      RawClient client = closing(RawClient.greeted(node.address));
      client.sendFrame(ClientCodec.encodeRequest(7, get(0)).concat(wrong));
      CorrelatedReply reply = client.receive();
      assertEquals(7, reply.correlation());
      assertEquals(RefusalCode.BAD_REQUEST, refusal(reply).code());
      assertTrue(client.closedSilently());
    }
  }

  @Test
  void streamsOfRandomBytesHarmNoOtherClient() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient neighbour = closing(RawClient.greeted(node.address));
    Random random = new Random(20101);
    for (int i = 0; i < 50; i++) {
      RawClient stranger = closing(new RawClient(node.address));
      if (i % 2 == 0) {
        stranger.sendRaw(Preamble.CLIENT);
      }
      byte[] junk = new byte[1 + random.nextInt(2_000)];
      random.nextBytes(junk);
      sendToDeafEars(stranger, Bytes.wrap(junk));
      assertServes(neighbour);
      stranger.close();
    }
  }

  /** The node may have closed the connection before all of it was sent. */
  private static void sendToDeafEars(RawClient client, Bytes bytes) {
    try {
      client.sendRaw(bytes);
    } catch (IOException closedByNode) {
      assertTrue(closedByNode.getMessage() != null);
    }
  }

  @Test
  void anAnnouncedFrameBeyondTheLimitIsRefusedBeforeItsBytesCome() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient client = closing(RawClient.greeted(node.address));
    client.sendRaw(new WireWriter().i32(Limits.FRAME_BYTES_MAX + 1).toBytes());
    CorrelatedReply reply = client.receive();
    assertEquals(0, reply.correlation());
    assertEquals(RefusalCode.TOO_LARGE, refusal(reply).code());
    assertTrue(client.closedSilently());
    assertServes(neighbour);
  }

  @Test
  void aFrameWithoutRoomForAMessageIsRefused() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(RawClient.greeted(node.address));
    client.sendRaw(new WireWriter().i32(0).toBytes());
    assertEquals(RefusalCode.BAD_REQUEST, refusal(client.receive()).code());
    assertTrue(client.closedSilently());
  }

  @Test
  void anUnknownMessageIsRefusedUnderItsOwnCorrelation() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(RawClient.greeted(node.address));
    client.sendFrame(new WireWriter().u8(1).u8(63).varint(77).toBytes());
    CorrelatedReply reply = client.receive();
    assertEquals(77, reply.correlation());
    assertEquals(RefusalCode.BAD_REQUEST, refusal(reply).code());
    assertTrue(client.closedSilently());
  }

  @Test
  void anOversizedKeyIsRefused() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient client = closing(RawClient.greeted(node.address));
    client.send(5, new ClientRequest.Locate(Bytes.wrap(new byte[Limits.KEY_BYTES_MAX + 2])));
    CorrelatedReply reply = client.receive();
    assertEquals(5, reply.correlation());
    assertEquals(RefusalCode.TOO_LARGE, refusal(reply).code());
    assertTrue(refusal(reply).detail().contains("4098"), refusal(reply).detail());
    assertTrue(client.closedSilently());
    assertServes(neighbour);
  }

  @Test
  void nothingIsAnsweredBeforeTheGreeting() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(new RawClient(node.address));
    client.sendRaw(Preamble.CLIENT);
    client.send(3, get(0));
    assertEquals(RefusalCode.BAD_REQUEST, refusal(client.receive()).code());
    assertTrue(client.closedSilently());
  }

  @Test
  void aRefusedGreetingIsAnsweredOnceAndNothingBehindItIsTaken() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(new RawClient(node.address));
    ClientRequest hello = new ClientRequest.Hello(new ProtocolVersions(1_000, 1_001), "test");
    client.sendRaw(
        Preamble.CLIENT
            .concat(frame(7, hello))
            .concat(frame(8, new ClientRequest.EndSnapshot(1)))
            .concat(frame(9, get(0))));
    CorrelatedReply reply = client.receive();
    assertEquals(7, reply.correlation());
    assertEquals(RefusalCode.BAD_REQUEST, refusal(reply).code());
    assertTrue(client.closedSilently());
    assertServes(closing(RawClient.greeted(node.address)));
    assertEquals(List.of(), List.copyOf(node.events));
  }

  private static Bytes frame(long correlation, ClientRequest request) {
    Bytes body = ClientCodec.encodeRequest(correlation, request);
    return new WireWriter().i32(body.length()).raw(body.array()).toBytes();
  }

  @Test
  void aConnectionThatDoesNotGreetIsClosed() throws Exception {
    NetSettings hasty =
        NetSettings.DEFAULT.withTimes(
            Duration.ofMillis(50),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
    AnsweringNode node = node(hasty);
    RawClient silent = closing(new RawClient(node.address));
    assertTrue(silent.closedSilently());
    RawClient halfGreeted = closing(new RawClient(node.address));
    halfGreeted.sendRaw(Preamble.CLIENT);
    assertTrue(halfGreeted.closedSilently());
  }

  @Test
  void aMessageThatDoesNotEndIsCut() throws Exception {
    NetSettings hasty =
        NetSettings.DEFAULT.withTimes(
            Duration.ofMinutes(1),
            Duration.ofMillis(400),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1));
    AnsweringNode node = node(hasty);
    RawClient client = closing(RawClient.greeted(node.address));
    client.sendRaw(new WireWriter().i32(1_000).u8(1).toBytes());
    assertTrue(client.closedSilently());
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    NetSettings hasty =
        NetSettings.DEFAULT.withTimes(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(800),
            Duration.ofMinutes(1));
    AnsweringNode node = node(hasty);
    RawClient client = closing(RawClient.greeted(node.address));
    assertTrue(client.closedSilently());
  }

  @Test
  void clientsBeyondTheLimitAreRefusedAndThoseWithinAreServed() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT.withLimits(3, 100, 1 << 20));
    List<RawClient> inside = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      inside.add(closing(RawClient.greeted(node.address)));
    }
    RawClient outside = closing(RawClient.greeted(node.address));
    outside.send(1, get(0));
    assertEquals(RefusalCode.OVERLOADED, refusal(outside.receive()).code());
    for (RawClient client : inside) {
      assertServes(client);
    }
  }

  @Test
  void aClientThatDoesNotReadItsRepliesIsCutAndOthersAreServed() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT.withLimits(100, 64, 4 << 20));
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient deaf = closing(RawClient.greeted(node.address));
    // 64 calls of 1 MiB each wait at most, the socket's buffers hold a few of them, 4 MiB are
    // borne. They come together: of later ones none is read while the first are not taken.
    WireWriter calls = new WireWriter();
    for (int i = 0; i < 64; i++) {
      Bytes body = ClientCodec.encodeRequest(i, get(16));
      calls.i32(body.length()).raw(body.array());
    }
    deaf.sendRaw(calls.toBytes());
    assertInstanceOf(Event.ClientGone.class, node.nextEvent());
    assertServes(neighbour);
  }

  @Test
  void aClientThatTakesNoBytesForTooLongIsCut() throws Exception {
    NetSettings hasty =
        NetSettings.DEFAULT.withTimes(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(100));
    AnsweringNode node = node(hasty);
    RawClient deaf = closing(RawClient.greeted(node.address));
    for (int i = 0; i < 64; i++) {
      sendQuietly(deaf, i);
    }
    assertInstanceOf(Event.ClientGone.class, node.nextEvent());
  }

  private static void sendQuietly(RawClient client, int correlation) {
    try {
      client.send(correlation, get(16));
    } catch (IOException closedByNode) {
      assertTrue(closedByNode.getMessage() != null);
    }
  }

  @Test
  void aReaderThatIsOnlySlowGetsEveryReply() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT.withLimits(100, 4, 128 << 20));
    RawClient client = closing(RawClient.greeted(node.address));
    int calls = 100;
    Thread sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < calls; i++) {
                    sendQuietly(client, i);
                  }
                });
    for (int i = 0; i < calls; i++) {
      assertEquals(i, client.receive().correlation());
    }
    sender.join();
  }

  @Test
  void aFullInboxStopsReadingAndEveryCallIsAnsweredOnceInTheEnd() throws Exception {
    CountDownLatch held = new CountDownLatch(1);
    AnsweringNode node =
        closing(
            new AnsweringNode(
                AnsweringNode.CLUSTER,
                1,
                NetSettings.DEFAULT,
                new LoopLimits(16, 1 << 20, 4),
                loops));
    open.add(held::countDown);
    RawClient client = closing(RawClient.greeted(node.address));
    CountDownLatch holding = new CountDownLatch(1);
    node.beforeCall =
        called -> {
          holding.countDown();
          awaitQuietly(held);
        };
    int calls = 5_000;
    // Until the event loop is held within a call it may still take one from an inbox that was just
    // full.
    client.send(0, get(0));
    holding.await();
    Thread sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 1; i < calls; i++) {
                    sendSmall(client, i);
                  }
                });
    awaitCongestion(node);
    held.countDown();
    Set<Long> answered = new HashSet<>();
    int served = 0;
    while (answered.size() < calls) {
      CorrelatedReply reply = client.receive();
      assertTrue(answered.add(reply.correlation()), "one reply for each call");
      served += reply.reply() instanceof ClientReply.Values ? 1 : 0;
    }
    assertTrue(served > 0);
    sender.join();
    assertServes(client);
  }

  private static void sendSmall(RawClient client, int correlation) {
    try {
      client.send(correlation, get(0));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private AnsweringNode small(int bytes) throws IOException {
    return closing(
        new AnsweringNode(
            AnsweringNode.CLUSTER,
            1,
            NetSettings.DEFAULT,
            LoopLimits.DEFAULT,
            loops,
            new MemoryLimits(bytes, bytes, bytes, bytes, bytes, bytes, bytes)));
  }

  @Test
  void aGreetingWithALongNameIsCutBeforeItHasCome() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = closing(new RawClient(node.address));
    client.sendRaw(Preamble.CLIENT);
    client.sendRaw(new WireWriter().i32(80 << 20).u8(1).u8(1).toBytes());
    assertEquals(RefusalCode.TOO_LARGE, refusal(client.receive()).code());
    assertTrue(client.closedSilently());
  }

  @Test
  void aRequestHeavierThanTheNodeTakesIsRefusedAndTheConnectionGoesOn() throws Exception {
    AnsweringNode node = small(100_000);
    RawClient client = closing(RawClient.greeted(node.address));
    List<Bytes> keys = Collections.nCopies(1_000, Bytes.of('k', 0));
    ClientRequest heavy = new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), new Epoch(1), keys);
    client.send(5, heavy);
    CorrelatedReply reply = client.receive();
    assertEquals(5, reply.correlation());
    assertEquals(RefusalCode.TOO_LARGE, refusal(reply).code());
    assertServes(client);
    assertEquals(0, node.network.admission().held(Stage.FRAMES));
  }

  @Test
  void theNodeLearnsThatAClientIsGone() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient client = RawClient.greeted(node.address);
    client.send(1, new ClientRequest.EndSnapshot(9));
    client.close();
    Event.Called last = assertInstanceOf(Event.Called.class, node.nextEvent());
    Event.ClientGone gone = assertInstanceOf(Event.ClientGone.class, node.nextEvent());
    assertEquals(last.call().connection(), gone.connection());
  }

  @Test
  void aNodeWithABugClosesItsClientsConnections() throws Exception {
    AnsweringNode node = node(NetSettings.DEFAULT);
    RawClient neighbour = closing(RawClient.greeted(node.address));
    RawClient client = closing(RawClient.greeted(node.address));
    client.send(1, new ClientRequest.Status(java.util.Optional.empty()));
    assertTrue(client.closedSilently());
    assertTrue(neighbour.closedSilently());
    assertTrue(node.eventLoop.failure().isPresent());
  }
}
