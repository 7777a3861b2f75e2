package org.ecstore.server.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.core.message.Envelope;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Frames;
import org.ecstore.wire.Preamble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to one other node: a connection that is opened when there is something to send and again
 * after it broke. Messages wait in a bounded queue for the connection and for room on it; past the
 * bound, and while the other does not answer, they are dropped: the protocol tolerates loss.
 */
final class PeerLink {
  private static final Logger LOG = LoggerFactory.getLogger(PeerLink.class);
  private static final long BACK_OFF_MIN_NANOS = Duration.ofMillis(20).toNanos();
  private static final long BACK_OFF_MAX_NANOS = Duration.ofSeconds(1).toNanos();
  private static final int CONNECT_MILLIS_MAX = 3_000;

  /** A port that refuses so many connections one after the other belongs to nobody. */
  private static final int REFUSALS_SUSPICIOUS = 2;

  private final NodeNetwork network;
  private final NodeId peer;
  private final long incarnation;
  private final InetSocketAddress address;
  private final EventLoop loop;

  /** Messages handed over and not yet encoded or dropped. */
  private final AtomicInteger waiting = new AtomicInteger();

  /** Lane only. */
  private List<Envelope> gathered = new ArrayList<>();

  private final Deque<Envelope> queue = new ArrayDeque<>();
  private State state = State.IDLE;
  private @Nullable ChannelHandlerContext connection;
  private int refusals;
  private long backOffNanos = BACK_OFF_MIN_NANOS;
  private long retryAtNanos = System.nanoTime();

  private enum State {
    /** No connection; the next message opens one, once the back-off is over. */
    IDLE,
    CONNECTING,
    CONNECTED,
    CLOSED
  }

  PeerLink(
      NodeNetwork network,
      NodeId peer,
      long incarnation,
      InetSocketAddress address,
      EventLoop loop) {
    this.network = network;
    this.peer = peer;
    this.incarnation = incarnation;
    this.address = address;
    this.loop = loop;
  }

  /** Whether it leads to this incarnation of its node, and there. */
  boolean leadsTo(long wanted, InetSocketAddress where) {
    return incarnation == wanted && address.equals(where);
  }

  /** Gathers a message. Lane only. */
  void send(Envelope envelope) {
    if (waiting.incrementAndGet() > network.settings().peerQueueMax()) {
      dropped(1);
    } else {
      gathered.add(envelope);
    }
  }

  /** Sends what was gathered. Lane only. */
  void flush() {
    List<Envelope> batch = gathered;
    gathered = new ArrayList<>();
    if (loop.isShuttingDown()) {
      dropped(batch.size());
    } else {
      loop.execute(() -> enqueue(batch));
    }
  }

  private void dropped(int count) {
    waiting.addAndGet(-count);
    for (int i = 0; i < count; i++) {
      network.messageDropped();
    }
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
      case CONNECTING -> {}
      case CONNECTED -> drain();
      case CLOSED -> dropQueue();
    }
  }

  private void dropQueue() {
    dropped(queue.size());
    queue.clear();
  }

  private void connect() {
    state = State.CONNECTING;
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS_MAX)
        .handler(new Outbound())
        .connect(address)
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
      LOG.info("{}: {} at {} {}", network.self(), peer, address, why);
    }
    state = State.IDLE;
    connection = null;
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
    state = State.CONNECTED;
    connection = ctx;
    refusals = 0;
    backOffNanos = BACK_OFF_MIN_NANOS;
    var _ = ctx.write(Unpooled.wrappedBuffer(Preamble.NODE.array()));
    FrameEncoder frames = new FrameEncoder(ctx);
    frames.add(new PeerHello(network.cluster(), network.self(), peer).encode());
    frames.flush();
    drain();
  }

  /** Encodes while the socket takes it. */
  private void drain() {
    ChannelHandlerContext ctx = connection;
    if (ctx == null) {
      return;
    }
    while (!queue.isEmpty() && ctx.channel().isWritable()) {
      FrameEncoder frames = new FrameEncoder(ctx);
      for (int bytes = 0; bytes < Frames.BODY_BYTES_MAX >> 8 && !queue.isEmpty(); ) {
        Bytes body = network.codec().encode(queue.remove());
        bytes += body.length();
        waiting.decrementAndGet();
        if (body.length() <= Frames.BODY_BYTES_MAX) {
          frames.add(body);
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

  /** The near end of the connection. The far end says nothing: each node opens its own. */
  private final class Outbound extends ChannelInboundHandlerAdapter {
    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      connected(ctx);
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ReferenceCountUtil.release(message);
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
      if (state == State.CONNECTED) {
        broken("has closed the connection");
      }
    }
  }
}
