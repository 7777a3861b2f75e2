package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Event;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.protocol.RequestOptions;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.MemoryLimits;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Stage;
import org.ecstore.server.loop.Inbox;
import org.ecstore.wire.Limits;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a client's connection is read from, over sockets that take all at once, or late. */
class ClientConnectionTest {
  private static final Bytes KEY = Bytes.utf8("key");
  private static final ClientRequest STATUS = new ClientRequest.Status(Optional.empty());

  private final Admission admission = new Admission(MemoryLimits.ofHeap(256 << 20));
  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** Requests that the event loop was given. */
  private final List<ClientRequest> called = new ArrayList<>();

  private final ClientConnection connection = connection();

  private ClientConnection connection() {
    NodeNetwork network =
        new NodeNetwork(
            "test-cluster",
            new NodeId(1),
            Optional.of(ClusterSecret.random()),
            NetSettings.DEFAULT,
            new EnvelopeCodec(List.of()),
            new RoomyInbox(called),
            NetLoops.onLoops().forNode(),
            admission,
            Metrics.NONE);
    ConnectionSlots.Slot slot =
        new ConnectionSlots(1).arrive(InetAddress.getLoopbackAddress(), why -> {});
    FrameDecoder decoder = network.newDecoder(channel, Preamble.Caller.CLIENT);
    ClientConnection made = network.newClient(channel, decoder, slot);
    channel.pipeline().addLast(decoder, made);
    return made;
  }

  /** Takes everything. */
  private record RoomyInbox(List<ClientRequest> called) implements Inbox {
    @Override
    public boolean offer(Event event, int bytes) {
      if (event instanceof Event.Called(var _, var request)) {
        called.add(request);
      }
      return true;
    }

    @Override
    public void offerLast(Event event) {}

    @Override
    public boolean congested() {
      return false;
    }

    @Override
    public boolean congestedForNodes() {
      return false;
    }
  }

  @AfterEach
  void close() {
    channel.finishAndReleaseAll();
    assertEquals(0, admission.held(Stage.ANSWERS));
  }

  private void ask(long correlation, ClientRequest request) {
    Bytes body = ClientCodec.encodeRequest(correlation, request);
    channel.writeInbound(
        Unpooled.wrappedBuffer(
            new WireWriter().i32(body.length()).raw(body.array()).toBytes().array()));
  }

  private void askForRow(long correlation) {
    ask(
        correlation,
        new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), new Epoch(1), List.of(KEY)));
  }

  private void answer(long correlation, ClientReply reply) {
    connection.reply(correlation, reply);
  }

  private void send() {
    connection.flush();
    channel.runPendingTasks();
  }

  private static ClientReply longest() {
    return longest(1);
  }

  private static ClientReply longest(int rows) {
    Row row = new Row(KEY, new Position(1), Bytes.wrap(new byte[Limits.GET_BYTES_MAX]));
    return new ClientReply.Values(
        Collections.nCopies(rows, Optional.of(row)),
        new ReadSource(new NodeId(1), CopyRole.PRIMARY, Position.ZERO, Position.ZERO, 0));
  }

  private void greet() {
    ask(0, new ClientRequest.Hello(ProtocolVersions.SPOKEN, "test"));
    answer(0, new ClientReply.Welcome(1, "test-cluster", new NodeId(1)));
    send();
  }

  /** It was not read from ever again: what stopped it was given back behind the last look. */
  @Test
  void isReadFromWhenTheSocketHasTakenAsMuchAsItMayHold() {
    greet();
    for (int i = 1; i <= 4; i++) {
      askForRow(i);
    }
    for (int i = 1; i <= 4; i++) {
      answer(i, longest());
    }
    send();
    assertTrue(channel.config().isAutoRead());
  }

  /** Keeps what is written until it is told to hand it on. */
  private static final class LateSocket extends ChannelOutboundHandlerAdapter {
    private final List<Runnable> kept = new ArrayList<>();

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
      kept.add(
          () -> {
            var _ = ctx.write(message, promise);
          });
    }
  }

  @Test
  void isReadFromWhenALateSocketHasTakenIt() {
    greet();
    // It is never full, so that nothing but what is given back says that there is room.
    channel.config().setWriteBufferHighWaterMark(16 * Limits.GET_BYTES_MAX);
    LateSocket socket = new LateSocket();
    channel.pipeline().addFirst(socket);
    for (int i = 1; i <= 2; i++) {
      askForRow(i);
      answer(i, longest());
    }
    send();
    assertFalse(channel.config().isAutoRead());
    socket.kept.forEach(Runnable::run);
    channel.flushOutbound();
    assertTrue(channel.config().isAutoRead());
  }

  private LateSocket late() {
    LateSocket socket = new LateSocket();
    channel.pipeline().addFirst(socket);
    return socket;
  }

  private void take(LateSocket socket) {
    socket.kept.forEach(Runnable::run);
    socket.kept.clear();
    channel.flushOutbound();
  }

  private static ClientReply small() {
    return new ClientReply.Welcome(1, "c".repeat(1_000), new NodeId(1));
  }

  /** It held eight times as much, and six connections had all room for answers. */
  @Test
  void whatWaitsHoldsNoMoreThanTwiceItsBytes() {
    greet();
    LateSocket socket = late();
    long bytes = 0;
    for (int batch = 1; batch <= 40; batch++) {
      for (int i = 0; i < batch; i++) {
        askForRow(i);
        answer(i, small());
        bytes += 1_000;
      }
      send();
      if (batch == 1) {
        assertTrue(admission.held(Stage.ANSWERS) < 1_100, "a lone answer holds its bytes");
      }
    }
    long held = admission.held(Stage.ANSWERS);
    assertTrue(held >= bytes && held < 2.2 * bytes, held + " for " + bytes);
    take(socket);
  }

  /** It kept its seat and its answers without end: one that is refused is watched no more. */
  @Test
  void isClosedThoughItDoesNotTakeWhatItIsRefusedWith() {
    greet();
    LateSocket socket = late();
    askForRow(1);
    answer(1, small());
    send();
    channel.writeInbound(Unpooled.wrappedBuffer(new byte[Integer.BYTES]));
    assertTrue(channel.isOpen(), "it may still take what it is refused with");
    channel.advanceTimeBy(NetSettings.DEFAULT.handshake().toMillis() + 1, TimeUnit.MILLISECONDS);
    channel.runPendingTasks();
    assertFalse(channel.isOpen());
    socket.kept.forEach(Runnable::run);
  }

  @Test
  void isNotReadFromWhileItsAnswersWaitAndTheNodeHasRoomForNone() {
    greet();
    Account others = admission.open(Origin.ofPeer("elsewhere"));
    others.hold(Stage.ANSWERS, admission.limits().answersMax());
    askForRow(1);
    assertTrue(channel.config().isAutoRead(), "nothing waits for it");
    LateSocket socket = late();
    answer(1, small());
    send();
    assertFalse(channel.config().isAutoRead());
    take(socket);
    assertTrue(channel.config().isAutoRead());
    others.give(Stage.ANSWERS, admission.limits().answersMax());
  }

  /** What was written, in order. */
  private List<ClientReply> written() {
    ByteBuf frames = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      frames.writeBytes(part);
      part.release();
    }
    List<ClientReply> replies = new ArrayList<>();
    while (frames.isReadable()) {
      byte[] body = new byte[frames.readInt()];
      frames.readBytes(body);
      replies.add(ClientCodec.decodeReply(Bytes.wrap(body)).reply());
    }
    frames.release();
    return replies;
  }

  private static ClientReply status(int ranges) {
    Route route =
        new Route(new RangeId(1), new Epoch(1), KeyRange.single(KEY), new NodeId(1), "a:1");
    return new ClientReply.StatusReport(
        ReadPoint.ZERO, List.of(), Collections.nCopies(ranges, route));
  }

  private static void assertOverloaded(ClientReply reply) {
    ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, reply);
    assertEquals(RefusalCode.OVERLOADED, refused.code());
  }

  /** A question of a few bytes has an answer as long as the cluster is large. */
  @Test
  void fewQuestionsAboutTheClusterAreUnderWay() {
    greet();
    written();
    called.clear();
    for (int i = 1; i <= 100; i++) {
      ask(i, STATUS);
    }
    assertEquals(Collections.nCopies(ClientConnection.LOOKS_MAX, STATUS), called);
    List<ClientReply> refused = written();
    assertEquals(100 - ClientConnection.LOOKS_MAX, refused.size());
    refused.forEach(ClientConnectionTest::assertOverloaded);
    answer(1, status(1));
    send();
    assertEquals(List.of(status(1)), written());
    askForRow(101);
    ask(102, STATUS);
    ask(103, STATUS);
    assertEquals(1, written().size(), "one more is taken, and reads are");
    assertEquals(ClientConnection.LOOKS_MAX + 2, called.size());
  }

  /** The connection was cut, and with it all that was under way by it was lost. */
  @Test
  void anAnswerThatTheHeapHasNoRoomForIsRefusedAndTheConnectionStays() {
    greet();
    written();
    askForRow(1);
    ask(2, STATUS);
    answer(2, status(120_000));
    send();
    ClientReply.Refused refused = assertInstanceOf(ClientReply.Refused.class, written().getFirst());
    assertEquals(RefusalCode.TOO_LARGE, refused.code());
    assertTrue(refused.detail().contains("ask for a part of it"), refused::detail);
    answer(1, small());
    send();
    assertEquals(List.of(small()), written());
  }

  /** Alone each would have been taken; the connection was cut when the last one was encoded. */
  @Test
  void anAnswerThatIsTooMuchBesideThoseThatWaitIsRefusedAndTheConnectionStays() {
    greet();
    written();
    LateSocket socket = late();
    Account account = channel.pipeline().get(FrameDecoder.class).account();
    long almost = (4 << 20) - 1;
    account.hold(Stage.ANSWERS, almost);
    askForRow(1);
    answer(1, longest(3));
    send();
    account.give(Stage.ANSWERS, almost);
    assertTrue(channel.isOpen());
    take(socket);
    assertOverloaded(written().getFirst());
    askForRow(2);
    askForRow(3);
    answer(2, longest(1));
    answer(3, longest(3));
    send();
    assertTrue(channel.isOpen(), "both were to be encoded at once");
    take(socket);
  }

  @Test
  void whatIsSaidOfTheClusterCountsFromWhenItIsMade() {
    greet();
    ask(1, STATUS);
    answer(1, status(10_000));
    assertTrue(admission.held(Stage.ANSWERS) > 10_000L * 64);
    send();
    written();
  }

  @Test
  void noQuestionAboutTheClusterIsTakenWhileTheNodeHasNoRoomForAnswers() {
    greet();
    written();
    called.clear();
    Account others = admission.open(Origin.ofPeer("elsewhere"));
    others.hold(Stage.ANSWERS, admission.limits().answersMax());
    ask(1, STATUS);
    assertEquals(List.of(), called);
    assertOverloaded(written().getFirst());
    others.give(Stage.ANSWERS, admission.limits().answersMax());
    ask(2, STATUS);
    assertEquals(List.of(STATUS), called);
  }

  /** A refusal would say that nothing was done, and the client would do it again. */
  @Test
  void whatBecameOfACommitIsToldHoweverManyAnswersWait() {
    greet();
    written();
    ask(1, new ClientRequest.AskOutcome(new TxnId(1, 1), ReadPoint.ZERO));
    askForRow(2);
    Account account = channel.pipeline().get(FrameDecoder.class).account();
    long share = 4 << 20;
    account.hold(Stage.ANSWERS, share);
    assertTrue(account.isFull(Stage.ANSWERS));
    ClientReply committed = new ClientReply.Committed(new Position(7), ReadPoint.ZERO);
    answer(1, committed);
    answer(2, longest());
    send();
    List<ClientReply> told = written();
    assertEquals(committed, told.getFirst());
    assertOverloaded(told.getLast());
    account.give(Stage.ANSWERS, share);
  }

  @Test
  void whatIsUnderWayCountsForItsApplicationUntilItIsAnsweredThoughTheClientHasGone() {
    Bytes hello =
        ClientCodec.encodeRequest(
            new CorrelatedRequest(
                0,
                new ClientRequest.Hello(ProtocolVersions.SPOKEN, "test"),
                new RequestOptions(Optional.of("shop"), Optional.empty(), Optional.empty())));
    channel.writeInbound(
        Unpooled.wrappedBuffer(
            new WireWriter().i32(hello.length()).raw(hello.array()).toBytes().array()));
    answer(0, small());
    send();
    askForRow(1);
    Account account = channel.pipeline().get(FrameDecoder.class).account();
    assertEquals("shop", account.origin().application());
    var _ = channel.close();
    channel.runPendingTasks();
    assertTrue(account.held(Stage.REQUESTS) > 0);
    answer(1, small());
    send();
    assertEquals(0, account.held(Stage.REQUESTS));
  }
}
