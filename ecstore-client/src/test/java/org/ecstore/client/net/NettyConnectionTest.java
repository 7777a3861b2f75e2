package org.ecstore.client.net;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.client.spi.CallFailedException;
import org.ecstore.client.spi.CallFailedException.Kind;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NettyConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private static ClientRequest locate(String key) {
    return new ClientRequest.Locate(Bytes.utf8(key));
  }

  private static NettyConnector connector(TestServer... servers) {
    List<String> seeds = new ArrayList<>();
    for (TestServer server : servers) {
      seeds.add(server.address());
    }
    return new NettyConnector(seeds, LONG);
  }

  private static ClientReply located(CorrelatedRequest request) {
    Bytes key = ((ClientRequest.Locate) request.request()).key();
    return new ClientReply.Located(
        new Route(new RangeId(1), new Epoch(1), KeyRange.single(key), new NodeId(1), key.toUtf8()),
        0);
  }

  /** The key asked for comes back as the address of a route. */
  private static void echo(TestServer.Peer peer, CorrelatedRequest request) {
    if (request.request() instanceof ClientRequest.Locate) {
      peer.reply(request.correlation(), located(request));
    } else {
      TestServer.welcome(peer, request);
    }
  }

  private static String echoed(CompletableFuture<ClientReply> future) throws Exception {
    ClientReply reply = future.get(30, TimeUnit.SECONDS);
    return ((ClientReply.Located) reply).route().address();
  }

  private static CallFailedException failure(CompletableFuture<ClientReply> future) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS));
    return assertInstanceOf(CallFailedException.class, failed.getCause());
  }

  @Test
  void repliesFindTheirCallsWhateverTheirOrder() throws Exception {
    List<Runnable> held = new ArrayList<>();
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  if (request.request() instanceof ClientRequest.Locate) {
                    held.add(() -> echo(peer, request));
                    if (held.size() == 100) {
                      Collections.reverse(held);
                      held.forEach(Runnable::run);
                    }
                  } else {
                    echo(peer, request);
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      List<CompletableFuture<ClientReply>> futures = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        futures.add(connection.call(locate("key" + i), LONG));
      }
      for (int i = 0; i < 100; i++) {
        assertEquals("key" + i, echoed(futures.get(i)));
      }
      assertEquals(1, server.accepted());
    }
  }

  /** What a client measures costs no message, and no round trip, of its own (issue 19.4). */
  @Test
  void reportsGoAlongWithRequestsAndAreNoMessagesMore() throws Exception {
    Queue<CorrelatedRequest> taken = new ConcurrentLinkedQueue<>();
    Queue<Bytes> due = new ConcurrentLinkedQueue<>();
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  taken.add(request);
                  echo(peer, request);
                });
        NettyConnector connector =
            new NettyConnector(
                List.of(server.address()),
                LONG,
                Optional.of("shop"),
                () -> Optional.ofNullable(due.poll()))) {
      NodeConnection connection = connector.connect(server.address());
      for (int i = 0; i < 10; i++) {
        if (i % 4 == 1) {
          due.add(Bytes.utf8("report" + i));
        }
        assertEquals("key" + i, echoed(connection.call(locate("key" + i), LONG)));
      }
    }
    List<CorrelatedRequest> all = List.copyOf(taken);
    assertEquals(1 + 10, all.size(), "the greeting, and a message for each request");
    assertEquals(Optional.of("shop"), all.get(0).options().application());
    assertEquals(Optional.empty(), all.get(0).options().report());
    for (int i = 0; i < 10; i++) {
      assertEquals(locate("key" + i), all.get(1 + i).request());
      assertEquals(
          i % 4 == 1 ? Optional.of(Bytes.utf8("report" + i)) : Optional.empty(),
          all.get(1 + i).options().report());
    }
  }

  @Test
  void largeRequestsWaitForTheSocketAndAllArrive() throws Exception {
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  if (request.request() instanceof ClientRequest.Commit commit) {
                    long bytes = commit.writes().get(0).value().orElseThrow().length();
                    peer.reply(
                        request.correlation(),
                        new ClientReply.Committed(new Position(bytes), ReadPoint.ZERO));
                  } else {
                    TestServer.welcome(peer, request);
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      List<CompletableFuture<ClientReply>> futures = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        futures.add(connection.call(commit((1 << 20) - i), LONG));
      }
      for (int i = 0; i < 40; i++) {
        ClientReply.Committed committed =
            (ClientReply.Committed) futures.get(i).get(30, TimeUnit.SECONDS);
        assertEquals((1 << 20) - i, committed.number().value());
      }
    }
  }

  private static ClientRequest commit(int valueBytes) {
    return new ClientRequest.Commit(
        new TxnId(1, 2),
        new ReadPoint(Position.ZERO, MapVersion.ZERO),
        Isolation.SNAPSHOT,
        List.of(),
        List.of(),
        List.of(new KeyWrite(Bytes.utf8("k"), Optional.of(Bytes.wrap(new byte[valueBytes])))),
        1000);
  }

  @Test
  void callsOnTheWayWhenTheConnectionBreaksAreLostAndTheNextOneReconnects() throws Exception {
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  if (request.request() instanceof ClientRequest.Locate locate
                      && locate.key().equals(Bytes.utf8("break"))) {
                    peer.hangUp();
                  } else {
                    echo(peer, request);
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals(Kind.LOST, failure(connection.call(locate("break"), LONG)).kind());
      assertEquals("back", echoed(callUntilSent(connection, "back")));
      assertEquals(2, server.accepted());
    }
  }

  /** Calls fail fast for a moment after a failure: then as a client does, again. */
  private static CompletableFuture<ClientReply> callUntilSent(NodeConnection connection, String key)
      throws Exception {
    return await()
        .pollInterval(Duration.ofMillis(1))
        .atMost(Duration.ofSeconds(30))
        .until(() -> answered(connection.call(locate(key), LONG)), CompletableFuture::isDone);
  }

  /** The call if it was answered; if it was not sent, one that never is. */
  private static CompletableFuture<ClientReply> answered(CompletableFuture<ClientReply> call)
      throws Exception {
    try {
      call.get(30, TimeUnit.SECONDS);
      return call;
    } catch (ExecutionException e) {
      assertEquals(Kind.NOT_SENT, assertInstanceOf(CallFailedException.class, e.getCause()).kind());
      return new CompletableFuture<>();
    }
  }

  @Test
  void aPortWithoutAListenerIsNotSent() throws IOException {
    try (Socket held = new Socket()) {
      held.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      String address = "127.0.0.1:" + held.getLocalPort();
      try (NettyConnector connector = new NettyConnector(List.of(address), LONG)) {
        CallFailedException failed = failure(connector.connect(address).call(locate("k"), LONG));
        assertEquals(Kind.NOT_SENT, failed.kind());
        assertTrue(String.valueOf(failed.getMessage()).contains(address), failed.getMessage());
      }
    }
  }

  @Test
  void aHostThatIsUnknownIsNotSentHoweverLongTheLookUpTakes() {
    String address = "no-such-host.invalid:7400";
    Duration connectTimeout = Duration.ofMillis(500);
    try (NettyConnector connector = new NettyConnector(List.of(address), connectTimeout)) {
      assertEquals(
          Kind.NOT_SENT, failure(connector.connect(address).call(locate("k"), LONG)).kind());
    }
  }

  /** The node answers a call with bytes of its own making. */
  private static void answeredBy(Bytes bytes) {
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  if (request.request() instanceof ClientRequest.Locate) {
                    peer.raw(bytes);
                  } else {
                    TestServer.welcome(peer, request);
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals(Kind.LOST, failure(connection.call(locate("k"), LONG)).kind());
    }
  }

  @Test
  void bytesThatAreNoReplyCloseTheConnection() {
    answeredBy(TestServer.frame(Bytes.utf8("what is this?")));
    answeredBy(TestServer.frame(Bytes.of(1, 200, 1)));
    answeredBy(TestServer.frame(Bytes.EMPTY));
    answeredBy(Bytes.utf8("HTTP/1.1 400 Bad Request\r\n\r\n"));
  }

  @Test
  void anOversizedFrameClosesTheConnectionBeforeItIsTakenIn() {
    int over = Limits.FRAME_BYTES_MAX + 1;
    answeredBy(Bytes.of(over >>> 24, over >>> 16, over >>> 8, over));
    answeredBy(Bytes.of(0x7f, 0xff, 0xff, 0xff));
    answeredBy(Bytes.of(0xff, 0xff, 0xff, 0xff));
  }

  @Test
  void aNodeThatIsNoneOrSpeaksAnotherVersionGetsNoCalls() {
    for (ClientReply wrong :
        List.of(
            new ClientReply.Welcome(
                ProtocolVersions.SPOKEN.highest() + 1, "cluster", new NodeId(1)),
            new ClientReply.Refused(RefusalCode.BAD_REQUEST, "another version"))) {
      try (TestServer server =
              new TestServer((peer, request) -> peer.reply(request.correlation(), wrong));
          NettyConnector connector = connector(server)) {
        CallFailedException failed =
            failure(connector.connect(server.address()).call(locate("k"), LONG));
        assertEquals(Kind.NOT_SENT, failed.kind());
        assertTrue(String.valueOf(failed.getMessage()).contains("welcome"), failed.getMessage());
      }
    }
  }

  private static final ProtocolVersions ONE_AND_TWO = new ProtocolVersions(1, 2);

  private static NettyConnector speaking(ProtocolVersions versions, TestServer server) {
    return new NettyConnector(
        List.of(server.address()), LONG, new Greeting(versions, Optional.empty()));
  }

  @Test
  void eachConnectionSaysWhichApplicationItIsOf() throws Exception {
    Queue<Optional<String>> said = new ConcurrentLinkedQueue<>();
    TestServer.Script node =
        (peer, request) -> {
          if (request.request() instanceof ClientRequest.Hello) {
            said.add(request.options().application());
          }
          echo(peer, request);
        };
    try (TestServer server = new TestServer(node)) {
      for (Optional<String> application : List.of(Optional.of("shop"), Optional.<String>empty())) {
        try (NettyConnector connector =
            new NettyConnector(List.of(server.address()), LONG, application)) {
          echoed(connector.connect(server.address()).call(locate("k"), LONG));
        }
      }
    }
    assertEquals(List.of(Optional.of("shop"), Optional.empty()), List.copyOf(said));
  }

  /** They share threads, and each takes along what its own application has to report. */
  @Test
  void connectionsOfOneConnectorMayBeOfSeveralApplications() throws Exception {
    Queue<String> said = new ConcurrentLinkedQueue<>();
    TestServer.Script node =
        (peer, request) -> {
          said.add(
              request.options().application().orElse("-")
                  + " "
                  + request
                      .options()
                      .report()
                      .map(report -> new String(report.array(), StandardCharsets.UTF_8))
                      .orElse("-"));
          echo(peer, request);
        };
    try (TestServer server = new TestServer(node);
        NettyConnector connector =
            new NettyConnector(
                List.of(server.address()),
                LONG,
                Optional.of("shop"),
                (Optional<String> name) ->
                    () -> name.map(text -> Bytes.utf8("report of " + text)))) {
      echoed(connector.connect(server.address()).call(locate("k"), LONG));
      echoed(connector.connect(server.address(), "reports").call(locate("k"), LONG));
      assertEquals(2, server.accepted());
    }
    assertEquals(
        List.of("shop -", "- report of shop", "reports -", "- report of reports"),
        List.copyOf(said));
  }

  /** As a node of version 1 does. */
  private static void greetAsOne(TestServer.Peer peer, CorrelatedRequest request) {
    if (request.request() instanceof ClientRequest.Hello hello) {
      ProtocolVersions one = new ProtocolVersions(1, 1);
      peer.reply(
          request.correlation(),
          one.highestCommon(hello.versions())
              .<ClientReply>map(
                  version -> new ClientReply.Welcome(version, "cluster", new NodeId(1)))
              .orElseGet(
                  () ->
                      new ClientReply.Refused(
                          RefusalCode.BAD_REQUEST, one.refusalOf(hello.versions()))));
    } else {
      echo(peer, request);
    }
  }

  @Test
  void aClientOfSeveralVersionsAgreesOnOneWithAnOlderNode() throws Exception {
    try (TestServer server = new TestServer(NettyConnectionTest::greetAsOne);
        NettyConnector connector = speaking(ONE_AND_TWO, server)) {
      assertEquals("k", echoed(connector.connect(server.address()).call(locate("k"), LONG)));
    }
  }

  @Test
  void aClientThatIsTooNewForANodeSaysSoByBothVersions() {
    try (TestServer server = new TestServer(NettyConnectionTest::greetAsOne);
        NettyConnector connector = speaking(new ProtocolVersions(2, 2), server)) {
      CallFailedException failed =
          failure(connector.connect(server.address()).call(locate("k"), LONG));
      assertEquals(Kind.NOT_SENT, failed.kind());
      String why = String.valueOf(failed.getMessage());
      assertTrue(
          why.contains("this node speaks protocol version 1, the client version 2"), () -> why);
    }
  }

  @Test
  void aWelcomeOfAnyVersionOfTheClientIsTaken() throws Exception {
    for (int version : new int[] {1, 2}) {
      TestServer.Script node =
          (peer, request) -> {
            if (request.request() instanceof ClientRequest.Hello) {
              peer.reply(
                  request.correlation(),
                  new ClientReply.Welcome(version, "cluster", new NodeId(1)));
            } else {
              echo(peer, request);
            }
          };
      try (TestServer server = new TestServer(node);
          NettyConnector connector = speaking(ONE_AND_TWO, server)) {
        assertEquals("k", echoed(connector.connect(server.address()).call(locate("k"), LONG)));
      }
    }
  }

  /** And one that says nothing of it, as one of an earlier release, reads as well as any. */
  @Test
  void howWellANodesEngineReadsIsKnownFromItsWelcome() throws Exception {
    Queue<ClientReply.Welcome> welcomes = new ConcurrentLinkedQueue<>();
    int version = ProtocolVersions.SPOKEN.highest();
    welcomes.add(new ClientReply.Welcome(version, "cluster", new NodeId(1), 0, 2));
    welcomes.add(new ClientReply.Welcome(version, "cluster", new NodeId(1)));
    TestServer.Script node =
        (peer, request) -> {
          if (request.request() instanceof ClientRequest.Hello) {
            peer.reply(request.correlation(), welcomes.remove());
          } else if (request.request() instanceof ClientRequest.Inspect) {
            peer.hangUp();
          } else {
            echo(peer, request);
          }
        };
    try (TestServer server = new TestServer(node);
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals(0, connection.readRank());
      assertEquals("k", echoed(connection.call(locate("k"), LONG)));
      assertEquals(2, connection.readRank());
      assertEquals(Kind.LOST, failure(connection.call(new ClientRequest.Inspect(), LONG)).kind());
      // Right after it broke a call fails at once.
      await()
          .until(
              () ->
                  connection
                      .call(locate("k"), LONG)
                      .handle((reply, failure) -> failure == null)
                      .get(30, TimeUnit.SECONDS));
      assertEquals(0, connection.readRank());
    }
  }

  @Test
  void aNodeOfAnotherClusterGetsNoCalls() throws Exception {
    TestServer.Script stranger =
        (peer, request) ->
            peer.reply(
                request.correlation(),
                new ClientReply.Welcome(ProtocolVersions.SPOKEN.highest(), "other", new NodeId(1)));
    try (TestServer ours = new TestServer(NettyConnectionTest::echo);
        TestServer theirs = new TestServer(stranger);
        NettyConnector connector = connector(ours, theirs)) {
      assertEquals("k", echoed(connector.connect(ours.address()).call(locate("k"), LONG)));
      CallFailedException failed =
          failure(connector.connect(theirs.address()).call(locate("k"), LONG));
      assertEquals(Kind.NOT_SENT, failed.kind());
      assertTrue(String.valueOf(failed.getMessage()).contains("cluster"), failed.getMessage());
    }
  }

  /** The node answers the first question; the others are for a test to answer, or not. */
  private static TestServer.Script paused(Queue<Runnable> held) {
    return (peer, request) -> {
      if (request.request() instanceof ClientRequest.Locate locate
          && !locate.key().equals(Bytes.utf8("first"))) {
        held.add(() -> echo(peer, request));
      } else {
        echo(peer, request);
      }
    };
  }

  /** A node that says nothing more, though its machine keeps the connection. */
  @Test
  void silenceTimesOutAndLongSilenceClosesTheConnection() throws Exception {
    try (TestServer server = new TestServer(paused(new ConcurrentLinkedQueue<>()));
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals("first", echoed(connection.call(locate("first"), LONG)));
      CompletableFuture<ClientReply> patient = connection.call(locate("patient"), LONG);
      for (int i = 0; i < 3; i++) {
        CallFailedException failed = failure(connection.call(locate("k"), Duration.ofMillis(20)));
        assertEquals(Kind.TIMED_OUT, failed.kind());
      }
      assertEquals(Kind.LOST, failure(patient).kind());
      assertEquals(1, connection.losses());
    }
  }

  /** As reads do where there are other copies: what others wait for is not theirs to end. */
  @Test
  void callsThatWaitShortlyDoNotCutTheConnectionUnderOthersWhenTheNodePauses() throws Exception {
    Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    try (TestServer server = new TestServer(paused(held));
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals("first", echoed(connection.call(locate("first"), LONG)));
      CompletableFuture<ClientReply> commit = connection.call(locate("commit"), LONG);
      List<CompletableFuture<ClientReply>> reads = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        reads.add(connection.call(locate("k"), Duration.ofMillis(20)));
      }
      for (CompletableFuture<ClientReply> read : reads) {
        assertEquals(Kind.TIMED_OUT, failure(read).kind());
      }
      await().until(() -> held.size() == 21);
      held.forEach(Runnable::run);
      assertEquals("commit", echoed(commit));
      assertEquals(0, connection.losses());
      assertEquals(1, server.accepted());
    }
  }

  @Test
  void aLateReplyIsForgottenAndHarmsNoOther() throws Exception {
    List<Runnable> held = new ArrayList<>();
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  if (request.request() instanceof ClientRequest.Locate locate
                      && locate.key().equals(Bytes.utf8("late"))) {
                    held.add(() -> echo(peer, request));
                  } else {
                    held.forEach(Runnable::run);
                    echo(peer, request);
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      assertEquals("first", echoed(connection.call(locate("first"), LONG)));
      assertEquals(
          Kind.TIMED_OUT, failure(connection.call(locate("late"), Duration.ofMillis(50))).kind());
      assertEquals("next", echoed(connection.call(locate("next"), LONG)));
      assertEquals(1, server.accepted());
    }
  }

  @Test
  void closingFailsWhatIsOnItsWayAndWhatComesAfter() {
    try (TestServer server = new TestServer(TestServer::welcome)) {
      NettyConnector connector = connector(server);
      NodeConnection connection = connector.connect(server.address());
      CompletableFuture<ClientReply> under = connection.call(locate("k"), LONG);
      connector.close();
      connector.close();
      failure(under);
      assertEquals(Kind.NOT_SENT, failure(connection.call(locate("k"), LONG)).kind());
    }
  }

  @Test
  void tooManyCallsAtOnceAreNotTaken() {
    try (TestServer server = new TestServer(TestServer::welcome);
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      CompletableFuture<ClientReply> last = connection.call(locate("k"), LONG);
      for (int i = 0; i < (16 << 10); i++) {
        last = connection.call(locate("k"), LONG);
      }
      CallFailedException failed = failure(last);
      assertEquals(Kind.NOT_TAKEN, failed.kind());
      assertTrue(String.valueOf(failed.getMessage()).contains("too many"), failed.getMessage());
    }
  }

  /** What is not written was not begun, whatever becomes of the rest. */
  @Test
  void callsBeyondWhatTheNodeAnswersWaitHereAndAreNotTakenWhenTheirTimeIsUp() throws Exception {
    AtomicInteger arrived = new AtomicInteger();
    try (TestServer server =
            new TestServer(
                (peer, request) -> {
                  TestServer.welcome(peer, request);
                  if (request.request() instanceof ClientRequest.Locate locate) {
                    if (locate.key().equals(Bytes.utf8("first"))) {
                      peer.reply(request.correlation(), located(request));
                    } else {
                      arrived.incrementAndGet();
                    }
                  } else if (request.request() instanceof ClientRequest.AskOutcome) {
                    peer.reply(request.correlation(), new ClientReply.OutcomeUnknown("no"));
                  }
                });
        NettyConnector connector = connector(server)) {
      NodeConnection connection = connector.connect(server.address());
      connection.call(locate("first"), LONG).get(30, TimeUnit.SECONDS);
      for (int i = 0; i < 960; i++) {
        var unused = connection.call(locate("k"), LONG);
      }
      List<CompletableFuture<ClientReply>> inLine = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        inLine.add(connection.call(locate("k"), Duration.ofMillis(10)));
      }
      for (CompletableFuture<ClientReply> call : inLine) {
        assertEquals(Kind.NOT_TAKEN, failure(call).kind());
      }
      ClientRequest question =
          new ClientRequest.AskOutcome(
              new TxnId(1, 2), new ReadPoint(Position.ZERO, MapVersion.ZERO));
      assertInstanceOf(
          ClientReply.OutcomeUnknown.class,
          connection.call(question, LONG).get(30, TimeUnit.SECONDS));
      assertEquals(960, arrived.get());
    }
  }
}
