package org.ecstore.server.net;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Network;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.server.admission.Admission;
import org.ecstore.server.admission.Origin;
import org.ecstore.server.admission.Stage;
import org.ecstore.server.fault.LinkFaults;
import org.ecstore.server.loop.Inbox;
import org.ecstore.server.print.LogText;
import org.ecstore.wire.Preamble;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transport of one node: its port for clients and nodes, and its own connections to other
 * nodes, whose addresses come from membership. The event loop gathers messages and replies here and
 * hands out each batch with {@link #flush}.
 */
public final class NodeNetwork implements Network, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeNetwork.class);
  private static final int BACKLOG = 256;
  private static final int CUT_LINES_MAX = 10;
  private static final int NAME_THREADS = 2;
  private static final int NAMES_MAX = 256;
  private static final WriteBufferWaterMark WATER_MARK =
      new WriteBufferWaterMark(256 << 10, 1 << 20);

  private final String cluster;
  private final NodeId self;
  private final Optional<ClusterSecret> secret;
  private final NetSettings settings;
  private final EnvelopeCodec codec;
  private final Inbox inbox;
  private final EventLoopGroup loops;
  private final Admission admission;
  private final TaggedInstrument<RefusalCode> refusals;

  private final AtomicLong lastConnection = new AtomicLong();
  private final ConnectionSlots slots;
  private final AtomicInteger connections = new AtomicInteger();
  private final LongAdder droppedMessages = new LongAdder();
  private final LongAdder cutConnections = new LongAdder();
  private final LineLimit cutLines = new LineLimit(CUT_LINES_MAX, Duration.ofSeconds(10));
  private final Map<Long, ReplyPath> clients = new ConcurrentHashMap<>();
  private final Set<InboundPeer> inboundPeers = ConcurrentHashMap.newKeySet();
  private final Map<NodeId, PeerLink> peers = new ConcurrentHashMap<>();
  private volatile Map<NodeId, Long> incarnations = Map.of();
  private volatile long incarnation;
  private volatile LinkFaults faults = LinkFaults.NONE;
  private volatile boolean closed;
  private final ThreadPoolExecutor names;
  private volatile UnaryOperator<InetSocketAddress> resolver = Addresses::lookUp;
  private volatile BiConsumer<NodeId, Long> onRefused = (_, _) -> {};
  private @Nullable Channel server;

  /** Event loop only: what has something gathered, in the order it was first gathered. */
  private final Set<ReplyPath> repliesGathered = new LinkedHashSet<>();

  private final Set<PeerLink> messagesGathered = new LinkedHashSet<>();

  /**
   * A transport that listens nowhere yet.
   *
   * @param secret by which nodes of the cluster and its operators are known; without one this node
   *     hears and speaks to no other, and takes no operator's requests by its port
   * @param loops belongs to the caller
   */
  public NodeNetwork(
      String cluster,
      NodeId self,
      Optional<ClusterSecret> secret,
      NetSettings settings,
      EnvelopeCodec codec,
      Inbox inbox,
      NodeLoops loops,
      Admission admission,
      Metrics metrics) {
    this.refusals = new TaggedInstrument<>(metrics, NodeMetrics.REFUSALS, RefusalCode.class);
    this.admission = admission;
    this.cluster = cluster;
    this.self = self;
    this.secret = secret;
    this.settings = settings;
    this.slots = new ConnectionSlots(settings.connectionsMax());
    this.codec = codec;
    this.inbox = inbox;
    this.loops = loops.group();
    this.names =
        new ThreadPoolExecutor(
            NAME_THREADS,
            NAME_THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(NAMES_MAX),
            new DefaultThreadFactory("ecstore-names", true));
    names.allowCoreThreadTimeOut(true);
  }

  /**
   * Opens a port, 0 for any, and says where.
   *
   * @throws BindException if it is not free
   */
  public InetSocketAddress listen(int port) throws IOException {
    var bound =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    accept(channel);
                  }
                })
            .bind(settings.host(), port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      String where = "cannot listen on " + Addresses.format(settings.host(), port);
      if (bound.cause() instanceof BindException taken) {
        throw (BindException) new BindException(where + ": " + taken.getMessage()).initCause(taken);
      }
      throw new IOException(where, bound.cause());
    }
    server = bound.channel();
    return (InetSocketAddress) bound.channel().localAddress();
  }

  private void accept(SocketChannel channel) {
    connections.incrementAndGet();
    channel.closeFuture().addListener(done -> connections.decrementAndGet());
    if (closed) {
      var _ = channel.close();
      return;
    }
    ConnectionSlots.Slot slot =
        slots.arrive(channel.remoteAddress().getAddress(), why -> cut(channel, why));
    channel.closeFuture().addListener(done -> slot.leave());
    channel.pipeline().addLast(new PreambleHandler(this, slot));
  }

  /** A decoder of what comes by a connection; its bytes count as those of its kind of caller. */
  FrameDecoder newDecoder(Channel channel, Preamble.Caller caller) {
    Origin origin =
        channel.remoteAddress() instanceof InetSocketAddress from
            ? Origin.ofAddress(from.getAddress())
            : Origin.ofPeer(String.valueOf(channel.remoteAddress()));
    return new FrameDecoder(
        admission.open(origin),
        switch (caller) {
          case CLIENT -> Stage.FRAMES;
          case NODE -> Stage.NODE_FRAMES;
        });
  }

  /** The bytes that this node holds for others. */
  public Admission admission() {
    return admission;
  }

  private void cut(Channel channel, String why) {
    logCut(channel, why);
    var _ = channel.close();
  }

  ClientConnection newClient(Channel channel, FrameDecoder decoder, ConnectionSlots.Slot slot) {
    return new ClientConnection(
        lastConnection.incrementAndGet(), this, inbox, channel, decoder, slot);
  }

  InboundPeer newInboundPeer(Channel channel, FrameDecoder decoder, ConnectionSlots.Slot slot) {
    return new InboundPeer(this, inbox, channel, decoder, slot);
  }

  /**
   * A way into this node from its own process: what a client says there meets no socket.
   *
   * @param readRank how well the node's engine reads, as its welcome says it to others
   * @param application whose requests it has, if that is said
   */
  public NodeConnection newLocalConnection(int readRank, Optional<String> application) {
    LocalConnection connection =
        new LocalConnection(lastConnection.incrementAndGet(), this, inbox, readRank, application);
    register(connection.id(), connection);
    return connection;
  }

  void register(long connection, ReplyPath path) {
    clients.put(connection, path);
    if (closed) {
      path.close();
    }
  }

  void unregister(long connection) {
    clients.remove(connection);
  }

  void registerPeer(InboundPeer peer) {
    inboundPeers.add(peer);
    if (closed) {
      peer.close();
    }
  }

  void unregisterPeer(InboundPeer peer) {
    inboundPeers.remove(peer);
  }

  String cluster() {
    return cluster;
  }

  NodeId self() {
    return self;
  }

  Optional<ClusterSecret> secret() {
    return secret;
  }

  long incarnation() {
    return incarnation;
  }

  /** In which incarnation another node is a member; 0 if it is none. Any thread. */
  long incarnationOf(NodeId node) {
    return incarnations.getOrDefault(node, 0L);
  }

  /** What is wrong with the ways to other nodes, from now on. For tests of applications. */
  public void faults(LinkFaults of) {
    faults = of;
  }

  LinkFaults faults() {
    return faults;
  }

  NetSettings settings() {
    return settings;
  }

  EnvelopeCodec codec() {
    return codec;
  }

  void messageDropped() {
    droppedMessages.increment();
  }

  /** Counts and says that a connection is closed; a flood of strangers does not flood the log. */
  void logCut(Channel channel, String why) {
    cutConnections.increment();
    long unsaid = cutLines.take(System.nanoTime());
    if (unsaid >= 0) {
      String more = unsaid == 0 ? "" : " (and " + unsaid + " others before it)";
      LOG.warn(
          "{}: closes the connection from {}: {}{}",
          self,
          channel.remoteAddress(),
          LogText.of(why),
          more);
    }
  }

  /** Counts a reply that is a refusal, and hands it on. Any thread. */
  ClientReply counted(ClientReply reply) {
    if (reply instanceof ClientReply.Refused refused) {
      refusals.of(refused.code()).count();
    }
    return reply;
  }

  /** Messages between nodes that were dropped, here, since the start. */
  public long droppedMessages() {
    return droppedMessages.sum();
  }

  /** Connections that were closed for what came by them, or did not come, since the start. */
  public long cutConnections() {
    return cutConnections.sum();
  }

  /** Connections at this moment, of clients and of nodes. */
  public int connections() {
    return connections.get();
  }

  /**
   * What to do when the port of another node's incarnation refuses connections again and again;
   * runs on an event loop, for each further refusal, and must not block.
   */
  public void onRefused(BiConsumer<NodeId, Long> action) {
    onRefused = action;
  }

  void refused(NodeId peer, long ofIncarnation) {
    onRefused.accept(peer, ofIncarnation);
  }

  /** What every message of this node says of its incarnation. Any thread. */
  public void incarnation(long value) {
    incarnation = value;
  }

  /** What hosts are looked up by from now on. */
  void resolver(UnaryOperator<InetSocketAddress> by) {
    resolver = by;
  }

  /**
   * Looks up the host of another node on a thread that may be held up. Returns whether there is
   * room for that. Any thread.
   *
   * @param found is given the address, unresolved if there is no such host; not once this is closed
   */
  boolean lookUp(InetSocketAddress address, Consumer<InetSocketAddress> found) {
    try {
      names.execute(
          () -> {
            InetSocketAddress resolved = address;
            try {
              resolved = resolver.apply(address);
            } finally {
              found.accept(resolved);
            }
          });
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  /**
   * Who can be sent to, and where: the live members. Any thread, one at a time; does not wait, not
   * for a name server either: coordination tells it on the one thread that it has.
   */
  public void members(List<Member> members) {
    Map<NodeId, Member> live = new TreeMap<>();
    Map<NodeId, Long> known = new HashMap<>();
    for (Member member : members) {
      if (!member.node().equals(self)) {
        live.put(member.node(), member);
        known.put(member.node(), member.incarnation());
      }
    }
    incarnations = Map.copyOf(known);
    inboundPeers.forEach(InboundPeer::membersChanged);
    for (NodeId gone : List.copyOf(peers.keySet())) {
      if (!live.containsKey(gone)) {
        closeLink(peers.remove(gone));
      }
    }
    live.values().forEach(this::link);
  }

  private void link(Member member) {
    InetSocketAddress address = Addresses.unresolved(member.info().address());
    PeerLink before = peers.get(member.node());
    if (address == null || secret.isEmpty()) {
      closeLink(peers.remove(member.node()));
    } else if (before == null || !before.leadsTo(member.incarnation(), address)) {
      PeerLink link =
          new PeerLink(
              this, secret.get(), member.node(), member.incarnation(), address, loops.next());
      closeLink(peers.put(member.node(), link));
    }
  }

  private static void closeLink(@Nullable PeerLink link) {
    if (link != null) {
      link.close();
    }
  }

  @Override
  public void send(NodeId to, ReadPoint point, NodeMessage message) {
    PeerLink link = peers.get(to);
    if (link == null || faults.isCut(to)) {
      messageDropped();
      return;
    }
    link.send(new Envelope(self, incarnation, to, point, message));
    messagesGathered.add(link);
  }

  @Override
  public void reply(ClientCall call, ClientReply reply) {
    counted(reply);
    ReplyPath path = clients.get(call.connection());
    if (path != null) {
      path.reply(call.correlation(), reply);
      repliesGathered.add(path);
    }
  }

  /** Sends what was gathered since the last call. Event loop only, after each batch. */
  public void flush() {
    repliesGathered.forEach(ReplyPath::flush);
    repliesGathered.clear();
    messagesGathered.forEach(PeerLink::flush);
    messagesGathered.clear();
  }

  /** Goes on reading from those who were stopped by a congested inbox. Any thread. */
  public void inboxRelieved() {
    clients.values().forEach(ReplyPath::inboxRelieved);
    inboundPeers.forEach(InboundPeer::inboxRelieved);
  }

  /** Closes the port and every connection, as the end of the process would. Any thread. */
  @Override
  public void close() {
    closed = true;
    Channel port = server;
    if (port != null && port.isOpen()) {
      var closing = port.close();
      // The loop's own thread cannot wait: the loop lets go of the port when it ends.
      if (!port.eventLoop().inEventLoop()) {
        closing.awaitUninterruptibly();
        awaitRelease(port.eventLoop());
      }
    }
    clients.values().forEach(ReplyPath::close);
    inboundPeers.forEach(InboundPeer::close);
    peers.values().forEach(PeerLink::close);
    peers.clear();
    names.shutdownNow();
  }

  /**
   * The system lets go of a port only when the loop has waited for events once more: between two
   * tasks it does. A node that starts again wants its port.
   */
  private static void awaitRelease(EventLoop loop) {
    for (int i = 0; i < 2 && !loop.isShuttingDown(); i++) {
      loop.submit(() -> {}).awaitUninterruptibly();
    }
  }
}
