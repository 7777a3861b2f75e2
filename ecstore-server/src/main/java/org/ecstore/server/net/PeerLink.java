package org.ecstore.server.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.Envelope;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.net.proof.FrameSeal;
import org.ecstore.server.net.proof.PeerHello;
import org.ecstore.server.net.proof.PeerProofs;
import org.ecstore.server.print.LogText;
import org.ecstore.wire.Frames;
import org.ecstore.wire.Preamble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one other node: a connection that is opened when there is something to send and again
 * after it broke. It is used once both ends have proven that they have the cluster's secret: see
 * {@link PeerProofs}. Messages wait in a bounded queue for the connection and for room on it; past
 * the bound, and while the other does not answer, they are dropped: the protocol tolerates loss.
 */
final class PeerLink {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
  private static final long BACK_OFF_MIN_NANOS = Duration.ofMillis(20).toNanos();
  private static final long BACK_OFF_MAX_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int CONNECT_MILLIS_MAX = 3_000;

  /** A port that refuses so many connections one after the other belongs to no process. */
  private static final int REFUSALS_SUSPICIOUS = 2;

  private final NodeNetwork network;
  private final ClusterSecret secret;
  private final NodeId peer;
  private final long incarnation;

  /** Not looked up: what it comes to may change while it stays the same. */
  private final InetSocketAddress address;

  private final EventLoop loop;

  /** Messages handed over and not yet encoded or dropped. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** What these weigh. */
  private final AtomicLong waitingBytes = new AtomicLong();

  /** Event loop only. */
  private List<Envelope> gathered = new ArrayList<>();

  private final Deque<Envelope> queue = new ArrayDeque<>();
  private State state = State.IDLE;
  private @Nullable ChannelHandlerContext connection;
  private @Nullable FrameSeal seal;

  /** Whether its host is being looked up, perhaps for a try that was given up. */
  private boolean lookingUp;

  /** What came too late for such a try: for the next one. */
  private @Nullable InetSocketAddress found;

  /** Counts lookups, to tell the end of this one from that of an earlier one. */
  private long lookUps;

  private int refusals;
  private long backOffNanos = BACK_OFF_MIN_NANOS;
  private long retryAtNanos = System.nanoTime();

  private enum State {
    /** No connection; the next message opens one, once the back-off is over. */
    IDLE,
    LOOKING_UP,
    CONNECTING,
    /** The greeting is out: the other end has not proven itself yet. */
    GREETING,
    CONNECTED,
    CLOSED
  }

  PeerLink(
      NodeNetwork network,
      ClusterSecret secret,
      NodeId peer,
      long incarnation,
      InetSocketAddress address,
      EventLoop loop) {
    this.network = network;
    this.secret = secret;
    this.peer = peer;
    this.incarnation = incarnation;
    this.address = address;
    this.loop = loop;
  }

  /** Whether it leads to this incarnation of its node, and there. */
  boolean leadsTo(long wanted, InetSocketAddress where) {
    return incarnation == wanted && address.equals(where);
  }

  /** Gathers a message. Event loop only. */
  void send(Envelope envelope) {
    long weight = envelope.body().weight();
    boolean fits =
        waiting.get() < network.settings().peerQueueMax()
            && network.admission().takeToNode(weight, waitingBytes.get());
    if (fits) {
      waiting.incrementAndGet();
      waitingBytes.addAndGet(weight);
      gathered.add(envelope);
    } else {
      network.messageDropped();
    }
  }

  /** Sends what was gathered. Event loop only. */
  void flush() {
    List<Envelope> batch = gathered;
    gathered = new ArrayList<>();
    long later = network.faults().delayNanos(peer);
    if (loop.isShuttingDown()) {
      dropped(batch);
    } else if (later > 0) {
      var _ = loop.schedule(() -> enqueue(batch), later, TimeUnit.NANOSECONDS);
    } else {
      loop.execute(() -> enqueue(batch));
    }
  }

  private void dropped(Collection<Envelope> envelopes) {
    for (Envelope envelope : envelopes) {
      left(envelope);
      network.messageDropped();
    }
  }

  private void left(Envelope envelope) {
    waiting.decrementAndGet();
    waitingBytes.addAndGet(-envelope.body().weight());
    network.admission().giveToNode(envelope.body().weight());
  }

  private void enqueue(List<Envelope> batch) {
    queue.addAll(batch);
    switch (state) {
      case IDLE -> {
        if (System.nanoTime() - retryAtNanos >= 0) {
          connect();
        } else {
          dropQueue();
        }
      }
      case LOOKING_UP, CONNECTING, GREETING -> {}
      case CONNECTED -> drain();
      case CLOSED -> dropQueue();
    }
  }

  private void dropQueue() {
    dropped(queue);
    queue.clear();
  }

  private void connect() {
    InetSocketAddress known = found == null ? Addresses.ofLiteral(address) : found;
    found = null;
    if (known == null) {
      lookUp();
    } else {
      open(known);
    }
  }

  /** On another thread: it may take as long as a name server is away. */
  private void lookUp() {
    state = State.LOOKING_UP;
    long mine = ++lookUps;
    var _ =
        loop.schedule(
            () -> {
              if (state == State.LOOKING_UP && lookUps == mine) {
                broken("cannot be reached: its host is still being looked up");
              }
            },
            CONNECT_MILLIS_MAX,
            TimeUnit.MILLISECONDS);
    if (!lookingUp) {
      lookingUp = network.lookUp(address, this::lookedUp);
      if (!lookingUp) {
        broken("cannot be reached: too many hosts are being looked up");
      }
    }
  }

  /** Any thread. */
  private void lookedUp(InetSocketAddress resolved) {
    if (!loop.isShuttingDown()) {
      loop.execute(
          () -> {
            lookingUp = false;
            if (state != State.LOOKING_UP) {
              found = resolved.isUnresolved() ? null : resolved;
            } else if (resolved.isUnresolved()) {
              broken("cannot be reached: there is no such host");
            } else {
              open(resolved);
            }
          });
    }
  }

  private void open(InetSocketAddress resolved) {
    state = State.CONNECTING;
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
        .handler(new Greeting())
        .connect(resolved)
        .addListener(
            connected -> {
              if (!connected.isSuccess()) {
                broken("cannot be reached: " + connected.cause());
                countRefusal(connected.cause());
              }
            });
  }

  private void broken(String why) {
    if (state == State.CLOSED) {
      return;
    }
    if (backOffNanos == BACK_OFF_MIN_NANOS) {
      LOG.info(
          "{}: {} at {} {}",
          network.self(),
          peer,
          LogText.of(Addresses.format(address)),
          LogText.of(why));
    }
    state = State.IDLE;
    connection = null;
    seal = null;
    dropQueue();
    retryAtNanos = System.nanoTime() + backOffNanos;
    backOffNanos = Math.min(BACK_OFF_MAX_NANOS, backOffNanos * 2);
  }

  /**
   * A process that was killed leaves a port that refuses connections. A machine or a way that is
   * down says nothing, and does not count.
   */
  private void countRefusal(Throwable cause) {
    if (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
      refusals++;
      if (refusals >= REFUSALS_SUSPICIOUS && state != State.CLOSED) {
        network.refused(peer, incarnation);
      }
    } else {
      refusals = 0;
    }
  }

  private void connected(ChannelHandlerContext ctx) {
    if (state == State.CLOSED) {
      var _ = ctx.close();
      return;
    }
    state = State.GREETING;
    connection = ctx;
    refusals = 0;
  }

  /** The other end is who it should be. */
  private void opened(FrameSeal ofFrames) {
    state = State.CONNECTED;
    seal = ofFrames;
    backOffNanos = BACK_OFF_MIN_NANOS;
    drain();
  }

  /** Encodes while the socket takes it. */
  private void drain() {
    ChannelHandlerContext ctx = connection;
    FrameSeal sealing = seal;
    if (ctx == null || sealing == null || state != State.CONNECTED) {
      return;
    }
    while (!queue.isEmpty() && ctx.channel().isWritable()) {
      FrameEncoder frames = new FrameEncoder(ctx);
      for (int bytes = 0; bytes < Frames.BODY_BYTES_MAX >> 8 && !queue.isEmpty(); ) {
        Envelope next = queue.remove();
        left(next);
        Bytes body = network.codec().encode(next);
        bytes += body.length();
        if (body.length() <= Frames.BODY_BYTES_MAX - FrameSeal.BYTES) {
          frames.add(body, sealing.next(body));
        } else {
          LOG.warn(
              "{}: a message of {} bytes to {} is dropped", network.self(), body.length(), peer);
          network.messageDropped();
        }
      }
      frames.flush();
    }
  }

  /** Gives up the connection for good. Any thread. */
  void close() {
    if (!loop.isShuttingDown()) {
      loop.execute(
          () -> {
            state = State.CLOSED;
            dropQueue();
            if (connection != null) {
              var _ = connection.close();
            }
          });
    }
  }

  /** What the new connection is made of. */
  private final class Greeting extends ChannelInitializer<SocketChannel> {
    @Override
    protected void initChannel(SocketChannel channel) {
      FrameDecoder decoder = network.newDecoder(channel, Preamble.Caller.NODE);
      channel.pipeline().addLast(decoder).addLast(new Outbound());
    }
  }

  /** The near end of the connection. After the greeting the far end says nothing. */
  private final class Outbound extends ChannelInboundHandlerAdapter {
    private final PeerHello hello =
        new PeerHello(
            network.cluster(),
            network.self(),
            network.incarnation(),
            peer,
            ClusterSecret.challenge());
    private @Nullable PeerProofs proofs;
    private @Nullable Future<?> deadline;
    private boolean done;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      connected(ctx);
      if (!ctx.equals(connection)) {
        return;
      }
      deadline =
          ctx.executor()
              .schedule(
                  () -> close(ctx, "does not answer the greeting"),
                  network.settings().handshake().toMillis(),
                  TimeUnit.MILLISECONDS);
      var _ = ctx.write(Unpooled.wrappedBuffer(Preamble.NODE.array()));
      say(ctx, hello.encode());
    }

    private static void say(ChannelHandlerContext ctx, Bytes body) {
      FrameEncoder frames = new FrameEncoder(ctx);
      frames.add(body);
      frames.flush();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      if (state != State.GREETING || !ctx.equals(connection)) {
        close(ctx, "speaks out of turn");
        return;
      }
      Bytes said = PeerProofs.decode((Bytes) message);
      PeerProofs mutual = proofs;
      if (mutual == null) {
        proofs = new PeerProofs(secret, hello, said);
        say(ctx, PeerProofs.encode(proofs.opener()));
      } else if (ClusterSecret.same(mutual.acceptor(), said)) {
        done = true;
        cancelDeadline();
        opened(mutual.seal());
      } else {
        close(ctx, "does not have the secret of this cluster");
      }
    }

    private void close(ChannelHandlerContext ctx, String why) {
      if (!done && ctx.equals(connection)) {
        broken(why);
      }
      var _ = ctx.close();
    }

    private void cancelDeadline() {
      Future<?> running = deadline;
      if (running != null) {
        running.cancel(false);
      }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
      drain();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      Channel channel = ctx.channel();
      LOG.debug("{}: the connection {} to {} fails", network.self(), channel, peer, cause);
      var _ = ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      cancelDeadline();
      if (ctx.equals(connection) && (state == State.CONNECTED || state == State.GREETING)) {
        broken("has closed the connection");
      }
    }
  }
}
