package org.ecstore.client.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.report.ReportSource;
import org.ecstore.client.spi.CallFailedException.Kind;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.RequestOptions;
import org.ecstore.protocol.TraceContext;
import org.ecstore.wire.Frames;
import org.ecstore.wire.Preamble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection to one node: made at the first call, again after it broke. All state below the line
 * belongs to one event loop; calls come from any thread, are encoded there, and enter through the
 * loop's queue.
 *
 * <p>Limits: calls outstanding, their bytes, those that the node has not answered, and what is
 * handed to the socket at a time (calls wait here while it is full). Bytes that are no reply close
 * the connection. So does silence: several calls that timed out, and not a word of the node for a
 * while from the first of them on. By their number alone callers that do not wait for long, as
 * those who read where there are other copies, would take it from all others at each pause of the
 * node. What had been written by then is lost, the rest was not sent.
 */
final class NettyConnection implements NodeConnection {
  private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);

  private static final int CALLS_MAX = 16 << 10;
  private static final long CALL_BYTES_MAX = 256L << 20;

  /**
   * Calls that the node has and has not answered. It reads no more from a client of which it has
   * 1,024: what lies before it then is neither begun nor refused, and looks lost to who waits for
   * it. So the others wait here, where it is known that they never left.
   */
  private static final int UNANSWERED_MAX = 960;

  /** Room beside them for questions what became of commits, which settle others. */
  private static final int QUESTIONS_MAX = 48;

  private static final int SILENT_TIMEOUTS_MAX = 3;

  /** A node that pauses for less than this, and the timeout of a call, is not given up. */
  private static final long SILENT_NANOS_MAX = TimeUnit.SECONDS.toNanos(2);

  private static final long RECONNECT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 << 10, 1 << 20);

  /** What is handed to the socket in one piece, if there is as much. */
  private static final int PIECE_BYTES = 16 << 10;

  /** Timers go off no more often: of many calls that are due in turn, several at a time. */
  private static final long WAKE_NANOS_MIN = 1_000_000;

  /** The correlation of the greeting; calls count from one. */
  private static final long HELLO = 0;

  private final InetSocketAddress address;

  /** The address for people. */
  private final String name;

  private final EventLoop loop;
  private final Executor resolver;
  private final Duration connectTimeout;
  private final Predicate<String> isSameCluster;
  private final Greeting greeting;
  private final ReportSource reports;
  private final AtomicLong lastCorrelation = new AtomicLong(HELLO);
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong callBytes = new AtomicLong();
  private final AtomicLong losses = new AtomicLong();

  /** Whether it broke and was not made again. Written by the event loop. */
  private volatile boolean isDown;

  private volatile boolean closed;

  /** As the last welcome has said. */
  private volatile long transactionMax;

  /** As the last welcome has said. */
  private volatile int readRank;

  // ---- of the event loop ----

  private enum State {
    /** No channel. */
    IDLE,
    /** On the way to a channel, or waiting for the node's welcome. */
    CONNECTING,
    /** Calls may be written. */
    READY,
    /** For ever. */
    CLOSED
  }

  private final Deque<Pending> waiting = new ArrayDeque<>();
  private final Map<Long, Pending> outstanding = new HashMap<>();

  /** Calls that were written and timed out: the node may still be busy with them. */
  private final Set<Long> overdue = new HashSet<>();

  private State state = State.IDLE;
  private @Nullable Channel channel;

  /** Frames of this turn of the loop, to go to the socket together at its end. */
  private @Nullable ByteBuf gathered;

  private boolean flushing;

  /** Counts the ways to a channel, to tell news of this one from news of an earlier one. */
  private long attempt;

  private boolean failedBefore;
  private long failedAtNanos;
  private String lastFailure = "";
  private int silentTimeouts;

  /** When the first of these timed out. */
  private long silentSinceNanos;

  private boolean wakeSet;
  private long wakeAtNanos;

  NettyConnection(
      InetSocketAddress address,
      EventLoop loop,
      Executor resolver,
      Duration connectTimeout,
      Predicate<String> isSameCluster,
      Greeting greeting,
      ReportSource reports) {
    this.address = address;
    this.name = AddressList.text(address);
    this.loop = loop;
    this.resolver = resolver;
    this.connectTimeout = connectTimeout;
    this.isSameCluster = isSameCluster;
    this.greeting = greeting;
    this.reports = reports;
  }

  @Override
  public long transactionMax() {
    return transactionMax;
  }

  @Override
  public int readRank() {
    return readRank;
  }

  @Override
  public long losses() {
    return losses.get();
  }

  @Override
  public boolean isBroken() {
    return isDown && calls.get() == 0;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public CompletableFuture<ClientReply> call(ClientRequest request, Duration timeout) {
    return call(request, timeout, Optional.empty());
  }

  @Override
  public CompletableFuture<ClientReply> call(
      ClientRequest request, Duration timeout, Optional<TraceContext> trace) {
    long correlation = lastCorrelation.incrementAndGet();
    Bytes body = encode(correlation, request, beside(trace));
    Pending call = new Pending(correlation, body, request instanceof ClientRequest.AskOutcome);
    // Both are added before either is tested, so that both can be taken back.
    long bytes = callBytes.addAndGet(body.length());
    boolean full = calls.incrementAndGet() > CALLS_MAX || bytes > CALL_BYTES_MAX;
    if (full) {
      fail(call, Kind.LOST, Kind.NOT_TAKEN, "too many calls to " + name + " are waiting");
    } else {
      inLoop(() -> begin(call, timeout), () -> fail(call, Kind.LOST, "the store is closed"));
    }
    return call.future;
  }

  /**
   * A call ends once: it is in one place only, until the thread that ends it takes it from there.
   */
  private void ended(Pending call) {
    calls.decrementAndGet();
    callBytes.addAndGet(-call.body.length());
  }

  private void fail(Pending call, Kind ifWritten, String detail) {
    fail(call, ifWritten, Kind.NOT_SENT, detail);
  }

  private void fail(Pending call, Kind ifWritten, Kind ifNot, String detail) {
    ended(call);
    call.fail(ifWritten, ifNot, detail);
  }

  @Override
  public void send(ClientRequest.EndSnapshot request) {
    Bytes body = encode(lastCorrelation.incrementAndGet(), request, RequestOptions.NONE);
    inLoop(
        () -> {
          if (state == State.READY && channel != null) {
            write(channel, body);
          }
        },
        () -> {});
  }

  @Override
  public void close() {
    closed = true;
    inLoop(
        () -> {
          state = State.CLOSED;
          flush();
          if (channel != null) {
            var unused = channel.close();
          }
          failAll("the store is closed");
        },
        () -> {});
  }

  private void inLoop(Runnable task, Runnable ifShutDown) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      ifShutDown.run();
    }
  }

  private RequestOptions beside(Optional<TraceContext> trace) {
    Optional<Bytes> report = reports.due();
    return trace.isEmpty() && report.isEmpty()
        ? RequestOptions.NONE
        : new RequestOptions(Optional.empty(), report, trace);
  }

  private static Bytes encode(long correlation, ClientRequest request, RequestOptions options) {
    Bytes body = ClientCodec.encodeRequest(new CorrelatedRequest(correlation, request, options));
    if (body.length() > Frames.BODY_BYTES_MAX) {
      throw new TooLargeException(
          "the request is too large", null, "bytes", body.length(), "max", Frames.BODY_BYTES_MAX);
    }
    return body;
  }

  private void begin(Pending call, Duration timeout) {
    if (state == State.CLOSED) {
      fail(call, Kind.LOST, "the store is closed");
      return;
    }
    if (state == State.IDLE) {
      if (failedBefore && System.nanoTime() - failedAtNanos < RECONNECT_NANOS) {
        fail(call, Kind.LOST, lastFailure);
        return;
      }
      connect();
    }
    call.dueNanos = System.nanoTime() + timeout.toNanos();
    if (call.isQuestion) {
      waiting.addFirst(call);
    } else {
      waiting.addLast(call);
    }
    wakeBy(call.dueNanos);
    writeWaiting();
  }

  /**
   * One timer for all calls, as nearly all are answered in time: it goes off when the first of them
   * is due, and looks what is overdue by then.
   */
  private void wakeBy(long dueNanos) {
    if (wakeSet && dueNanos - wakeAtNanos >= 0) {
      return;
    }
    wakeSet = true;
    wakeAtNanos = dueNanos;
    var unused =
        loop.schedule(
            () -> {
              // Another one may have been set since, to go off earlier.
              if (wakeSet && wakeAtNanos == dueNanos) {
                wakeSet = false;
                timeOut();
              }
            },
            Math.max(WAKE_NANOS_MIN, dueNanos - System.nanoTime()),
            TimeUnit.NANOSECONDS);
  }

  private void timeOut() {
    long now = System.nanoTime();
    List<Pending> unanswered = dueOf(outstanding.values(), now);
    List<Pending> inLine = dueOf(waiting, now);
    waiting.removeIf(call -> call.dueNanos - now <= 0);
    // Behind others in line a call is late for want of room; without a channel, for want of a node.
    Kind notWritten = state == State.READY ? Kind.NOT_TAKEN : Kind.NOT_SENT;
    for (Pending call : inLine) {
      fail(call, Kind.TIMED_OUT, notWritten, "too many calls to " + name + " were before it");
    }
    for (Pending call : unanswered) {
      outstanding.remove(call.correlation);
      overdue.add(call.correlation);
      if (silentTimeouts++ == 0) {
        silentSinceNanos = now;
      }
      fail(call, Kind.TIMED_OUT, "no reply of " + name + " in time");
    }
    giveUpIfSilent(now);
    writeWaiting();
  }

  /** Giving up the channel ends all calls: what they asked for may have been done. */
  private void giveUpIfSilent(long now) {
    if (silentTimeouts < SILENT_TIMEOUTS_MAX) {
      return;
    }
    long endNanos = silentSinceNanos + SILENT_NANOS_MAX;
    if (endNanos - now <= 0) {
      disconnect("nothing heard from " + name);
    } else {
      wakeBy(endNanos);
    }
  }

  /** Those that are due; the others set the timer. */
  private List<Pending> dueOf(Iterable<Pending> calls, long now) {
    List<Pending> late = new ArrayList<>();
    for (Pending call : calls) {
      if (call.dueNanos - now <= 0) {
        late.add(call);
      } else {
        wakeBy(call.dueNanos);
      }
    }
    return late;
  }

  /** Looks up the host, connects and greets, within one timeout. */
  private void connect() {
    state = State.CONNECTING;
    isDown = false;
    attempt++;
    long mine = attempt;
    var unused =
        loop.schedule(
            () -> {
              if (attempt == mine && state == State.CONNECTING) {
                disconnect("no welcome of " + name + " in time");
              }
            },
            connectTimeout.toNanos(),
            TimeUnit.NANOSECONDS);
    try {
      resolver.execute(() -> resolve(mine));
    } catch (RejectedExecutionException e) {
      disconnect("too many hosts to look up");
    }
  }

  /** On the resolver's thread. */
  private void resolve(long mine) {
    InetSocketAddress resolved = new InetSocketAddress(address.getHostString(), address.getPort());
    inLoop(
        () -> {
          if (attempt != mine || state != State.CONNECTING) {
            return;
          }
          if (resolved.isUnresolved()) {
            disconnect("no such host: " + name);
          } else {
            open(resolved);
          }
        },
        () -> {});
  }

  private void open(InetSocketAddress resolved) {
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.SO_KEEPALIVE, true)
            .option(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .option(
                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                (int) Math.min(Integer.MAX_VALUE, connectTimeout.toMillis()))
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel made) {
                    made.pipeline().addLast(new Replies());
                  }
                });
    var connecting = bootstrap.connect(resolved);
    channel = connecting.channel();
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            disconnected(connecting.channel(), "cannot connect: " + done.cause().getMessage());
          }
        });
  }

  /** What arrives on the channel. */
  private final class Replies extends SimpleChannelInboundHandler<ByteBuf> {
    private final FrameAssembly frames = new FrameAssembly();

    @Override
    public void channelActive(ChannelHandlerContext context) {
      if (!context.channel().equals(channel)) {
        var unused = context.close();
        return;
      }
      var unusedPreamble =
          context.write(Unpooled.wrappedBuffer(Preamble.CLIENT.array()), context.voidPromise());
      write(context.channel(), ClientCodec.encodeRequest(greeting.request(HELLO)));
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
      for (byte[] body = frames.next(bytes); body != null; body = frames.next(bytes)) {
        silentTimeouts = 0;
        take(ClientCodec.decodeReply(Bytes.wrap(body)));
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      writeWaiting();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      disconnected(context.channel(), "the connection to " + name + " broke");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      LOG.warn("closing the connection to {}: {}", name, cause.toString());
      disconnected(
          context.channel(), "the connection to " + name + " broke: " + cause.getMessage());
      var unused = context.close();
    }
  }

  private void take(CorrelatedReply correlated) {
    if (correlated.correlation() == HELLO) {
      welcome(correlated.reply());
      return;
    }
    Pending call = outstanding.remove(correlated.correlation());
    if (call != null) {
      ended(call);
      call.future.complete(correlated.reply());
    } else {
      overdue.remove(correlated.correlation());
    }
    writeWaiting();
  }

  private void welcome(ClientReply reply) {
    if (reply instanceof ClientReply.Welcome welcome
        && greeting.versions().contains(welcome.protocolVersion())) {
      if (isSameCluster.test(welcome.clusterId())) {
        state = State.READY;
        transactionMax = welcome.transactionMax();
        readRank = welcome.readRank();
        failedBefore = false;
        writeWaiting();
      } else {
        disconnect(name + " is of another cluster: " + welcome.clusterId());
      }
    } else {
      disconnect(name + " gave no welcome: " + reply);
    }
  }

  /** Hands calls to the socket while it takes them, and the node has not too many by now. */
  private void writeWaiting() {
    while (state == State.READY && channel != null && channel.isWritable()) {
      Pending call = waiting.peek();
      if (call == null || !hasRoomFor(call)) {
        return;
      }
      waiting.remove();
      call.written = true;
      outstanding.put(call.correlation, call);
      write(channel, call.body);
    }
  }

  private boolean hasRoomFor(Pending call) {
    int most = call.isQuestion ? UNANSWERED_MAX + QUESTIONS_MAX : UNANSWERED_MAX;
    return outstanding.size() + overdue.size() < most;
  }

  private void write(Channel to, Bytes body) {
    int needed = Frames.LENGTH_BYTES + body.length();
    ByteBuf into = gathered;
    if (into != null && into.writableBytes() < needed) {
      // What the socket does not take counts from here on: see isWritable.
      var unused = to.write(into, to.voidPromise());
      into = null;
    }
    if (into == null) {
      into = to.alloc().directBuffer(Math.max(needed, PIECE_BYTES));
    }
    gathered = into.writeInt(body.length()).writeBytes(body.array());
    if (!flushing) {
      flushing = true;
      inLoop(this::flush, () -> {});
    }
  }

  /** What is gathered is for the channel there is: with another one it is dropped. */
  private void flush() {
    flushing = false;
    ByteBuf last = gathered;
    Channel to = channel;
    if (last != null && to != null) {
      gathered = null;
      var unused = to.writeAndFlush(last, to.voidPromise());
    }
  }

  private void dropGathered() {
    if (gathered != null) {
      gathered.release();
      gathered = null;
    }
  }

  private void disconnect(String detail) {
    Channel broken = channel;
    channel = null;
    dropGathered();
    silentTimeouts = 0;
    isDown = true;
    if (state == State.READY) {
      losses.incrementAndGet();
    }
    if (state != State.CLOSED) {
      state = State.IDLE;
    }
    failedBefore = true;
    failedAtNanos = System.nanoTime();
    lastFailure = detail;
    if (broken != null) {
      var unused = broken.close();
    }
    failAll(detail);
  }

  /** A channel broke by itself; one that was given up before is no news. */
  private void disconnected(Channel broken, String detail) {
    if (broken.equals(channel)) {
      disconnect(detail);
    }
  }

  private void failAll(String detail) {
    List<Pending> calls = new ArrayList<>(outstanding.values());
    calls.addAll(waiting);
    outstanding.clear();
    overdue.clear();
    waiting.clear();
    for (Pending call : calls) {
      fail(call, Kind.LOST, detail);
    }
  }
}
