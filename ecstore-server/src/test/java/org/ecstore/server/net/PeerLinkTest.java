package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
import org.ecstore.server.fault.LinkFaults;
import org.ecstore.server.loop.LoopLimits;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** The ways between nodes. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PeerLinkTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(12), new MapVersion(3));

  private NetLoops loops = NetLoops.onLoops();

  private final List<AutoCloseable> open = new ArrayList<>();

  /** Who does the network work. */
  NetLoops loops() {
    return NetLoops.onThreads(1);
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

  private <T extends AutoCloseable> T closing(T resource) {
    open.add(resource);
    return resource;
  }

  private AnsweringNode node(long id) throws IOException {
    return closing(new AnsweringNode(id, NetSettings.DEFAULT, loops));
  }

  private static void send(AnsweringNode from, AnsweringNode to, String text) throws Exception {
    from.eventLoop
        .ask(
            () -> {
              from.network.send(to.id, POINT, new AnsweringNode.Note(text));
              from.network.flush();
              return text;
            })
        .get();
  }

  /** Sends until one arrives: each may be lost. */
  private static Envelope sendUntilDelivered(AnsweringNode from, AnsweringNode to)
      throws Exception {
    Event event;
    do {
      send(from, to, "again");
      event = to.events.poll(5, TimeUnit.MILLISECONDS);
    } while (event == null);
    return assertInstanceOf(Event.Delivered.class, event).envelope();
  }

  @Test
  void aMessageCarriesItsSenderItsIncarnationAndItsPoint() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.incarnation(7);
    a.network.members(List.of(a.member(7), b.member(1)));
    b.network.members(List.of(a.member(7), b.member(1)));
    send(a, b, "hello");
    Envelope envelope = assertInstanceOf(Event.Delivered.class, b.nextEvent()).envelope();
    assertEquals(new Envelope(a.id, 7, b.id, POINT, new AnsweringNode.Note("hello")), envelope);
  }

  @Test
  void messagesOnAStandingConnectionArriveInOrder() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    for (int i = 0; i < 1_000; i++) {
      send(a, b, "m" + i);
    }
    for (int i = 0; i < 1_000; i++) {
      Envelope envelope = assertInstanceOf(Event.Delivered.class, b.nextEvent()).envelope();
      assertEquals(new AnsweringNode.Note("m" + i), envelope.body());
    }
  }

  /** What a test of an application does to a link. */
  private static final class ToldFaults implements LinkFaults {
    volatile boolean cut;
    volatile long delayNanos;

    @Override
    public boolean isCut(NodeId to) {
      return cut;
    }

    @Override
    public long delayNanos(NodeId to) {
      return delayNanos;
    }
  }

  private static String nextNote(AnsweringNode node) throws Exception {
    String text;
    do {
      Envelope envelope = assertInstanceOf(Event.Delivered.class, node.nextEvent()).envelope();
      text = assertInstanceOf(AnsweringNode.Note.class, envelope.body()).text();
    } while (text.equals("again"));
    return text;
  }

  @Test
  void whatIsSaidOverALinkThatIsCutIsLostAndOverASlowOneComesLater() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    ToldFaults faults = new ToldFaults();
    a.network.faults(faults);
    faults.cut = true;
    send(a, b, "lost");
    faults.cut = false;
    faults.delayNanos = TimeUnit.SECONDS.toNanos(3);
    send(a, b, "slow");
    send(a, b, "slow too");
    faults.delayNanos = 0;
    send(a, b, "quick");
    assertEquals("quick", nextNote(b));
    assertEquals("slow", nextNote(b));
    assertEquals("slow too", nextNote(b));
  }

  @Test
  void aNodeThatComesBackElsewhereIsReachedAgain() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    b.close();
    AnsweringNode again = node(2);
    a.network.members(List.of(again.member(2)));
    again.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, again);
  }

  /** On a port outside of those that the system hands out, which others could take meanwhile. */
  private AnsweringNode nodeOnPortOfItsOwn(int first) throws IOException {
    for (int port = first; ; port++) {
      try {
        return nodeOnPort(port);
      } catch (BindException taken) {
        assertTrue(port < first + 1_000, "no port is free");
      }
    }
  }

  /** The system lets go of a closed port a little later than the call to close returns. */
  private AnsweringNode nodeOnPortAgain(int port) {
    return Await.present("the port is free", () -> nodeOnPortIfFree(port));
  }

  private Optional<AnsweringNode> nodeOnPortIfFree(int port) throws IOException {
    try {
      return Optional.of(nodeOnPort(port));
    } catch (BindException stillTaken) {
      return Optional.empty();
    }
  }

  private AnsweringNode nodeOnPort(int candidate) throws IOException {
    NetSettings settings = NetSettings.DEFAULT;
    return closing(
        new AnsweringNode(
            2,
            new NetSettings(
                settings.host(),
                candidate,
                100,
                100,
                1 << 20,
                100,
                settings.handshake(),
                settings.frame(),
                settings.idle(),
                settings.stall()),
            loops));
  }

  @Test
  void aNodeThatComesBackAtTheSameAddressIsReachedAgain() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = nodeOnPortOfItsOwn(23_000);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    b.close();
    AnsweringNode again = nodeOnPortAgain(b.address.getPort());
    assertEquals(b.address, again.address);
    again.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, again);
  }

  @Test
  void messagesToANodeThatIsNotThereAreDropped() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    b.close();
    for (int i = 0; i < 10_000; i++) {
      send(a, b, "lost");
    }
    // Each is dropped at once, or when the attempt to connect has failed.
    Await.until("all are dropped", () -> a.network.droppedMessages() >= 10_000);
    assertEquals(10_000, a.network.droppedMessages());
  }

  @Test
  void messagesToAStrangerAreDropped() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    send(a, b, "lost");
    assertEquals(1, a.network.droppedMessages());
  }

  @Test
  void aNodeOfAnotherClusterIsNotHeard() throws Exception {
    AnsweringNode stranger =
        closing(
            new AnsweringNode(
                "another-cluster", 1, NetSettings.DEFAULT, LoopLimits.DEFAULT, loops));
    AnsweringNode b = node(2);
    stranger.network.members(List.of(b.member(1)));
    Await.until(
        "a connection is cut",
        () -> {
          send(stranger, b, "not for you");
          return b.network.cutConnections() > 0;
        });
    assertTrue(b.events.isEmpty());
  }

  @Test
  void aMessageForTheNodeThatHadTheAddressBeforeIsNotHeard() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    Member moved = new Member(new NodeId(3), 1, new MemberInfo(Addresses.format(b.address)));
    a.network.members(List.of(moved));
    Await.until(
        "a connection is cut",
        () -> {
          sendTo(moved, a);
          return b.network.cutConnections() > 0;
        });
    assertTrue(b.events.isEmpty());
  }

  private static void sendTo(Member moved, AnsweringNode a) throws Exception {
    a.eventLoop
        .ask(
            () -> {
              a.network.send(moved.node(), POINT, new AnsweringNode.Note("for n3"));
              a.network.flush();
              return 0;
            })
        .get();
  }

  private static Member named(AnsweringNode node, String host, long incarnation) {
    return new Member(
        node.id, incarnation, new MemberInfo(Addresses.format(host, node.address.getPort())));
  }

  /** Coordination tells of members on its only thread, and the event loop connects to them. */
  @Test
  void aNameServerThatDoesNotAnswerHoldsUpNeitherCoordinationNorTheEventLoop() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    AnsweringNode c = node(3);
    CountDownLatch away = new CountDownLatch(1);
    Queue<String> asked = new ConcurrentLinkedQueue<>();
    a.network.resolver(
        host -> {
          asked.add(host.getHostString());
          awaitQuietly(away);
          return b.address;
        });
    a.network.members(List.of(named(b, "b.example", 1), c.member(1)));
    b.network.members(List.of(a.member(1)));
    c.network.members(List.of(a.member(1)));
    assertTrue(asked.isEmpty(), asked::toString);
    send(a, b, "to be dropped, or to wait");
    Await.until("b is looked up", () -> !asked.isEmpty());
    sendUntilDelivered(a, c);
    away.countDown();
    sendUntilDelivered(a, b);
    assertEquals(List.of("b.example"), List.copyOf(asked));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As where a node joins while there is no name server. */
  @Test
  void aConnectionStandsThoughItsHostIsNotFoundAnyMore() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    AnsweringNode c = node(3);
    a.network.resolver(host -> b.address);
    a.network.members(List.of(named(b, "b.example", 1)));
    b.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    b.events.clear();
    long dropped = a.network.droppedMessages();
    a.network.resolver(host -> host);
    a.network.members(List.of(named(b, "b.example", 1), named(c, "c.example", 1)));
    send(a, b, "on the same connection");
    Await.until(
        "it is delivered",
        () ->
            b.events.stream()
                .anyMatch(
                    event ->
                        event instanceof Event.Delivered delivered
                            && delivered
                                .envelope()
                                .body()
                                .equals(new AnsweringNode.Note("on the same connection"))));
    assertEquals(dropped, a.network.droppedMessages());
    assertEquals(1, b.network.connections());
  }

  @Test
  void aMalformedMessageClosesThatConnectionOnly() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    a.network.members(List.of(b.member(1)));
    b.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    RawClient bad = closing(new RawClient(b.address));
    bad.sendRaw(Preamble.NODE);
    bad.sendFrame(Bytes.of(1, 2, 3, 4, 5));
    assertTrue(bad.closedSilently());
    sendUntilDelivered(a, b);
  }

  @Test
  void aPortThatRefusesConnectionsIsToldWithTheIncarnationThatHadIt() throws Exception {
    AnsweringNode a = node(1);
    AnsweringNode b = node(2);
    AnsweringNode c = node(3);
    LinkedBlockingQueue<List<Long>> refused = new LinkedBlockingQueue<>();
    a.network.onRefused((peer, incarnation) -> refused.add(List.of(peer.value(), incarnation)));
    a.network.members(List.of(b.member(4), c.member(5)));
    b.network.members(List.of(a.member(1)));
    c.network.members(List.of(a.member(1)));
    sendUntilDelivered(a, b);
    sendUntilDelivered(a, c);
    assertTrue(refused.isEmpty(), refused::toString);
    b.close();
    Await.until(
        "a refusal is told",
        () -> {
          send(a, b, "closed");
          send(a, c, "open");
          return !refused.isEmpty();
        });
    assertEquals(List.of(2L, 4L), refused.take());
    a.network.members(List.of(b.member(6), c.member(5)));
    refused.clear();
    Await.until(
        "a refusal is told with the later incarnation",
        () -> {
          send(a, b, "closed");
          return refused.stream().anyMatch(List.of(2L, 6L)::equals);
        });
    assertTrue(refused.stream().allMatch(each -> each.getFirst() == 2L), refused::toString);
  }
}
