package org.ecstore.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.protocol.RequestTable;
import org.ecstore.protocol.RequestWeight;
import org.ecstore.server.admission.Account;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Refusal;
import org.ecstore.server.admission.Stage;
import org.ecstore.server.loop.AnswerBytes;
import org.ecstore.server.loop.Inbox;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.jspecify.annotations.Nullable;

/**
 * A client's TCP connection. Requests are decoded on the event loop and handed to the event loop;
 * replies are gathered on the event loop and encoded on the event loop, a batch at a time.
 *
 * <p>A request is weighed before it is decoded, and its weight taken from the node's room until it
 * is answered, also when the client is gone by then; one that finds no room is refused. The
 * connection stops reading while the event loop's inbox is congested, while too many of this
 * client's calls wait for a reply, and while the client does not read its replies: what the node
 * holds for one client is bounded, whatever the client does. A client that sends what is no message
 * is told so and cut, and so is one whose greeting is refused: nothing that it sends behind it is
 * taken.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter implements ReplyPath {
  /**
   * A node that has not answered a client that left by now never will; it answers every request
   * within its time limit, of which this is more than the longest.
   */
  private static final long LEFT_SECONDS_MAX = 90;

  /** With fewer under way a connection is read from though others have filled half of the inbox. */
  private static final int CALLS_IN_CONGESTION = 8;

  /** Between two reports of a connection that are handed on. */
  private static final long REPORT_NANOS_MIN = TimeUnit.MILLISECONDS.toNanos(500);

  /** Of one that only looks, whose answer finds too many of the same connection before it. */
  private static final ClientReply DEAF =
      Admission.overloaded("answers wait for this connection to take them").reply();

  private static final String TOO_MANY_WAIT = "too many requests wait";

  /** Questions by which operators look that a connection has under way. */
  static final int LOOKS_MAX = 4;

  private static final ClientReply TOO_MANY_LOOKS =
      Admission.overloaded(
              "this connection has " + LOOKS_MAX + " questions about the cluster under way already")
          .reply();

  private static final ClientReply NO_ROOM_TO_LOOK =
      Admission.overloaded("too many answers wait to be taken").reply();

  private final long id;
  private final NodeNetwork network;
  private final NetSettings settings;
  private final Inbox inbox;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final Account account;
  private final ConnectionWatch watch;
  private final OperatorDoor operators;

  /** What the requests under way weigh, by their correlation. */
  private final Map<Long, Long> underWay = new HashMap<>();

  /** Those of them by which an operator looks. */
  private final Set<Long> looks = new HashSet<>();

  /** Event loop only. */
  private List<CorrelatedReply> gathered = new ArrayList<>();

  /** Requests without an answer since the inbox had room. */
  private int silent;

  private boolean greeted;

  /** The application that the node's logic is to hear of before the next request. */
  private Optional<String> greetedBy = Optional.empty();

  private boolean cut;
  private boolean admittedAny;
  private boolean reported;
  private long reportedNanos;
  private boolean left;

  ClientConnection(
      long id,
      NodeNetwork network,
      Inbox inbox,
      Channel channel,
      FrameDecoder decoder,
      ConnectionSlots.Slot slot) {
    this.id = id;
    this.network = network;
    this.settings = network.settings();
    this.inbox = inbox;
    this.channel = channel;
    this.decoder = decoder;
    this.account = decoder.account();
    this.watch = new ConnectionWatch(settings, decoder, this::cut);
    this.operators = new OperatorDoor(network.secret(), slot, settings.connectionsMax());
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    network.register(id, this);
    watch.start(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (cut) {
      return;
    }
    watch.message();
    if (message instanceof FrameDecoder.Dropped dropped) {
      refuse(ctx, correlationOf(dropped.head()), dropped.refusal());
      return;
    }
    received(ctx, (Bytes) message);
  }

  /** What is heavier than a room, or finds none, is refused before it is decoded. */
  private void received(ChannelHandlerContext ctx, Bytes body) {
    long weight = RequestWeight.of(body);
    Optional<Refusal> refusal =
        weight > account.limits().transactionMax()
            ? Optional.of(network.admission().tooHeavy(weight))
            : account.takeRequest(weight);
    if (refusal.isPresent()) {
      refuse(ctx, correlationOf(body), refusal.get());
    } else if (!decoded(ctx, body, weight)) {
      account.giveRequest(weight);
    }
    adjustReading();
  }

  private void refuse(ChannelHandlerContext ctx, long correlation, Refusal refusal) {
    if (greeted) {
      answerAtOnce(ctx, correlation, refusal.reply());
    } else {
      refuseAndCut(ctx, correlation, refusal.code(), refusal.detail());
    }
  }

  /** Whether its weight is kept until it is answered. */
  private boolean decoded(ChannelHandlerContext ctx, Bytes body, long weight) {
    CorrelatedRequest decoded;
    try {
      decoded = ClientCodec.decodeRequest(body);
    } catch (MalformedMessageException e) {
      RefusalCode code = e.isTooLarge() ? RefusalCode.TOO_LARGE : RefusalCode.BAD_REQUEST;
      refuseAndCut(ctx, correlationOf(body), code, e.getMessage());
      return false;
    }
    boolean hello = decoded.request() instanceof ClientRequest.Hello;
    if (hello == greeted) {
      String detail = hello ? "a second Hello" : "the first message is not a Hello";
      refuseAndCut(ctx, decoded.correlation(), RefusalCode.BAD_REQUEST, detail);
      return false;
    }
    if (underWay.containsKey(decoded.correlation())) {
      String detail = "a second request under the correlation of one under way";
      refuseAndCut(ctx, decoded.correlation(), RefusalCode.BAD_REQUEST, detail);
      return false;
    }
    if (decoded.request() instanceof ClientRequest.Hello greeting) {
      if (ProtocolVersions.SPOKEN.highestCommon(greeting.versions()).isEmpty()) {
        String detail = ProtocolVersions.SPOKEN.refusalOf(greeting.versions());
        refuseAndCut(ctx, decoded.correlation(), RefusalCode.BAD_REQUEST, detail);
        return false;
      }
      greeted = true;
      decoder.greeted(account.limits().clientFrameMax());
      account.isOf(decoded.options().application().orElse(Origin.ANY_APPLICATION));
      decoded.options().application().ifPresent(name -> greetedBy = Optional.of(name));
    }
    boolean isLook = OperatorDoor.isLook(decoded.request());
    Optional<ClientReply> atTheDoor =
        isLook ? refusalOfLook() : operators.answer(decoded.request());
    if (atTheDoor.isPresent()) {
      if (RequestTable.isAnswered(decoded.request())) {
        answerAtOnce(ctx, decoded.correlation(), atTheDoor.get());
      }
      return false;
    }
    boolean isUnderWay = admit(ctx, decoded, weight);
    if (isLook && isUnderWay) {
      looks.add(decoded.correlation());
    }
    return isUnderWay;
  }

  /** Before it costs anything: the answer is made of all that the cluster has. */
  private Optional<ClientReply> refusalOfLook() {
    if (looks.size() >= LOOKS_MAX) {
      return Optional.of(TOO_MANY_LOOKS);
    }
    boolean hasRoom = !account.isFull(Stage.ANSWERS) && !network.admission().isFull(Stage.ANSWERS);
    return hasRoom ? Optional.empty() : Optional.of(NO_ROOM_TO_LOOK);
  }

  private boolean admit(ChannelHandlerContext ctx, CorrelatedRequest decoded, long weight) {
    boolean wantsReply = RequestTable.isAnswered(decoded.request());
    greetedBy = greetedBy.filter(name -> !inbox.offer(new Event.Greeted(id, name), name.length()));
    ClientCall call = new ClientCall(id, decoded.correlation());
    decoded.options().report().ifPresent(this::report);
    if (inbox.offer(new Event.Called(call, decoded.request()), (int) weight)) {
      admittedAny = true;
      if (wantsReply) {
        underWay.put(decoded.correlation(), weight);
      } else {
        silent++;
      }
      return wantsReply;
    }
    if (decoded.request() instanceof ClientRequest.Hello) {
      refuseAndCut(ctx, decoded.correlation(), RefusalCode.OVERLOADED, TOO_MANY_WAIT);
    } else if (wantsReply) {
      answerAtOnce(
          ctx,
          decoded.correlation(),
          new ClientReply.Refused(RefusalCode.OVERLOADED, TOO_MANY_WAIT));
    }
    return false;
  }

  /** One that comes too soon, or finds no room, is dropped: the next one is as good. */
  private void report(Bytes report) {
    long now = System.nanoTime();
    if (reported && now - reportedNanos < REPORT_NANOS_MIN) {
      return;
    }
    reported = true;
    reportedNanos = now;
    String name = account.origin().application();
    var _ =
        inbox.offer(
            new Event.Reported(id, name.equals(Origin.ANY_APPLICATION) ? "" : name, report),
            report.length());
  }

  /** The correlation of a message that could not be decoded, or 0. */
  private static long correlationOf(Bytes body) {
    WireReader in = new WireReader(body);
    try {
      in.u8();
      in.u8();
      return in.varint();
    } catch (MalformedMessageException e) {
      return 0;
    }
  }

  private void adjustReading() {
    if (!channel.isActive()) {
      return;
    }
    watch.busy(!underWay.isEmpty());
    channel
        .config()
        .setAutoRead(
            !cut
                && channel.isWritable()
                && underWay.size() < settings.callsPerConnectionMax()
                && !account.isFull(Stage.ANSWERS)
                && !takesRoomOfOthers()
                && mayFindRoom());
  }

  /** Answers wait for it while the node has no room for more. */
  private boolean takesRoomOfOthers() {
    return account.held(Stage.ANSWERS) > 0 && network.admission().isFull(Stage.ANSWERS);
  }

  /** The socket has taken answers: a client that was stopped by their bytes is read from again. */
  private void taken(int bytes) {
    watch.taken(bytes);
    if (!channel.config().isAutoRead()) {
      adjustReading();
    }
  }

  /** What is not answered counts until the inbox has had room: it costs the event loop as much. */
  private boolean mayFindRoom() {
    if (underWay.size() + silent < CALLS_IN_CONGESTION) {
      return true;
    }
    boolean hasRoom = !inbox.congested();
    if (hasRoom) {
      silent = 0;
    }
    return hasRoom;
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    adjustReading();
  }

  @Override
  public void inboxRelieved() {
    execute(this::adjustReading);
  }

  @Override
  public void reply(long correlation, ClientReply reply) {
    ClientReply taken = reply;
    long bytes = AnswerBytes.of(reply);
    if (bytes > AnswerBytes.LITTLE
        && !account.mayAnswer(bytes)
        && AnswerBytes.mayBeRefused(reply)) {
      taken = network.counted(bytes > account.answerMax() ? tooLong(bytes) : DEAF);
      bytes = AnswerBytes.of(taken);
    }
    // Counted here, as the event loop may be late.
    account.hold(Stage.ANSWERS, bytes);
    gathered.add(new CorrelatedReply(correlation, taken));
  }

  /** Cut off, all that is under way by the connection would be lost. */
  private ClientReply tooLong(long bytes) {
    return new ClientReply.Refused(
        RefusalCode.TOO_LARGE,
        "an answer of %d bytes, where this node's heap allows %d: ask for a part of it, or give"
                .formatted(bytes, account.answerMax())
            + " nodes more heap");
  }

  @Override
  public void flush() {
    List<CorrelatedReply> batch = gathered;
    gathered = new ArrayList<>();
    execute(
        () -> {
          batch.forEach(this::answered);
          @Nullable ChannelHandlerContext ctx = channel.pipeline().context(this);
          if (ctx != null && !cut) {
            write(ctx, batch);
          }
          batch.forEach(reply -> account.give(Stage.ANSWERS, AnswerBytes.of(reply.reply())));
          adjustReading();
        });
  }

  private void answered(CorrelatedReply reply) {
    Long weight = underWay.remove(reply.correlation());
    if (weight != null) {
      account.giveRequest(weight);
      if (!looks.isEmpty()) {
        looks.remove(reply.correlation());
      }
    }
    if (left && underWay.isEmpty()) {
      end();
    }
  }

  /** It has left, and nothing that it asked for is under way. */
  private void end() {
    account.end();
    network.unregister(id);
  }

  private void execute(Runnable task) {
    if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(task);
    }
  }

  /** What the node's logic has not answered. */
  private void answerAtOnce(ChannelHandlerContext ctx, long correlation, ClientReply reply) {
    write(ctx, List.of(new CorrelatedReply(correlation, network.counted(reply))));
  }

  private void write(ChannelHandlerContext ctx, List<CorrelatedReply> replies) {
    FrameEncoder frames = new FrameEncoder(ctx, account, this::taken);
    replies.forEach(frames::add);
    frames.flush();
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    boolean tooMuch =
        waiting != null && waiting.totalPendingWriteBytes() > settings.outboundBytesMax();
    if (tooMuch || account.isOverdrawn(Stage.ANSWERS)) {
      cut("it does not read its replies");
    }
  }

  private void refuseAndCut(
      ChannelHandlerContext ctx, long correlation, RefusalCode code, @Nullable String detail) {
    String text = detail == null ? "not a message of this protocol" : detail;
    network.logCut(channel, text);
    stopReading();
    FrameEncoder frames = new FrameEncoder(ctx);
    frames.add(
        new CorrelatedReply(correlation, network.counted(new ClientReply.Refused(code, text))));
    frames.flush();
    var _ =
        ctx.writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER)
            .addListener(ChannelFutureListener.CLOSE);
    closeLater(ctx);
  }

  /** One that does not take why it is refused has no more time for that than for its greeting. */
  private void closeLater(ChannelHandlerContext ctx) {
    if (!ctx.executor().isShuttingDown()) {
      Future<?> end =
          ctx.executor()
              .schedule(this::close, settings.handshake().toMillis(), TimeUnit.MILLISECONDS);
      channel.closeFuture().addListener(_ -> end.cancel(false));
    }
  }

  private void cut(String why) {
    network.logCut(channel, why);
    stopReading();
    var _ = channel.close();
  }

  private void stopReading() {
    cut = true;
    watch.stop();
    channel.config().setAutoRead(false);
  }

  @Override
  public void close() {
    var _ = channel.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cut) {
      return;
    }
    Throwable found = CutReason.of(cause);
    if (found instanceof FrameDecoder.FrameTooLargeException) {
      refuseAndCut(ctx, 0, RefusalCode.TOO_LARGE, found.getMessage());
    } else if (found instanceof MalformedMessageException) {
      refuseAndCut(ctx, 0, RefusalCode.BAD_REQUEST, found.getMessage());
    } else {
      cut(CutReason.words(found));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cut = true;
    watch.stop();
    left = true;
    if (underWay.isEmpty()) {
      end();
    } else if (!ctx.executor().isShuttingDown()) {
      // What it asked for is still being done, and holds memory until then.
      var _ = ctx.executor().schedule(this::forget, LEFT_SECONDS_MAX, TimeUnit.SECONDS);
    }
    if (admittedAny) {
      inbox.offerLast(new Event.ClientGone(id));
    }
  }

  private void forget() {
    underWay.values().forEach(account::giveRequest);
    underWay.clear();
    looks.clear();
    end();
  }
}
