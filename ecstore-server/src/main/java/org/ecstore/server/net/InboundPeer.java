package org.ecstore.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.Objects;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.server.loop.Inbox;
import org.ecstore.server.net.proof.FrameSeal;
import org.ecstore.server.net.proof.PeerHello;
import org.ecstore.server.net.proof.PeerProofs;
import org.ecstore.wire.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * A connection by which another node sends to this one. It says nothing before it has proven that
 * it has the cluster's secret and membership knows it in the incarnation that it greeted as
 * (decision 0035). While the event loop's inbox is congested nothing is read from it; what a full
 * inbox refuses is lost, as the protocol allows.
 */
final class InboundPeer extends ChannelInboundHandlerAdapter {
  private static final int MESSAGE_OVERHEAD_BYTES = 256;

  /** What a message of small keys takes once it is decoded, to its bytes. */
  private static final int DECODED_FACTOR = 4;

  private final NodeNetwork network;
  private final Inbox inbox;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final ConnectionWatch watch;
  private final ConnectionSlots.Slot slot;
  private Stage stage = Stage.HELLO;
  private @Nullable PeerHello hello;
  private @Nullable PeerProofs proofs;
  private @Nullable FrameSeal seal;
  private boolean cut;

  /** How far the greeting is. */
  private enum Stage {
    /** Nothing was said. */
    HELLO,
    /** The challenge is out. */
    PROOF,
    /** The secret is proven; membership does not know this incarnation yet. */
    MEMBERSHIP,
    /** Messages are taken. */
    OPEN
  }

  InboundPeer(
      NodeNetwork network,
      Inbox inbox,
      Channel channel,
      FrameDecoder decoder,
      ConnectionSlots.Slot slot) {
    this.network = network;
    this.inbox = inbox;
    this.channel = channel;
    this.decoder = decoder;
    this.slot = slot;
    this.watch = new ConnectionWatch(network.settings(), decoder, this::cut);
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    network.registerPeer(this);
    watch.start(ctx);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (cut) {
      return;
    }
    if (message instanceof FrameDecoder.Dropped) {
      passOver();
      return;
    }
    Bytes body = (Bytes) message;
    switch (stage) {
      case HELLO -> greeted(ctx, PeerHello.decode(body));
      case PROOF -> proven(PeerProofs.decode(body));
      case MEMBERSHIP -> throw new MalformedMessageException("a message within the greeting");
      case OPEN -> take(body);
    }
  }

  private void greeted(ChannelHandlerContext ctx, PeerHello greeting) {
    String objection = greeting.objection(network.cluster(), network.self());
    if (!objection.isEmpty()) {
      throw new MalformedMessageException(objection);
    }
    ClusterSecret secret =
        network
            .secret()
            .orElseThrow(
                () -> new MalformedMessageException("this node has no secret: it hears no other"));
    Bytes challenge = ClusterSecret.challenge();
    hello = greeting;
    proofs = new PeerProofs(secret, greeting, challenge);
    stage = Stage.PROOF;
    answer(ctx, challenge);
  }

  private static void answer(ChannelHandlerContext ctx, Bytes value) {
    FrameEncoder frames = new FrameEncoder(ctx);
    frames.add(PeerProofs.encode(value));
    frames.flush();
  }

  private void proven(Bytes proof) {
    PeerHello greeting = Objects.requireNonNull(hello);
    if (!ClusterSecret.same(Objects.requireNonNull(proofs).opener(), proof)) {
      throw new MalformedMessageException(
          "who says it is " + greeting.from() + " does not have the secret of this cluster");
    }
    if (!slot.isNode()) {
      throw new MalformedMessageException(
          "there are " + ConnectionSlots.KEPT_MAX + " nodes already");
    }
    stage = Stage.MEMBERSHIP;
    checkMembership();
  }

  /** The members have changed. Any thread. */
  void membersChanged() {
    if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(this::checkMembership);
    }
  }

  private void checkMembership() {
    if (cut || stage == Stage.HELLO || stage == Stage.PROOF) {
      return;
    }
    PeerHello greeting = Objects.requireNonNull(hello);
    long known = network.incarnationOf(greeting.from());
    if (greeting.incarnation() < known) {
      cut(
          greeting.from()
              + " in incarnation "
              + greeting.incarnation()
              + " is no more: "
              + known
              + " is there");
    } else if (greeting.incarnation() == known && stage == Stage.MEMBERSHIP) {
      open();
    }
  }

  private void open() {
    ChannelHandlerContext ctx = channel.pipeline().context(this);
    if (ctx == null) {
      return;
    }
    PeerProofs proven = Objects.requireNonNull(proofs);
    seal = proven.seal();
    stage = Stage.OPEN;
    decoder.greeted(network.admission().limits().nodeFrameMax());
    watch.message();
    // Silence between nodes is no sign of death; membership says who is gone.
    watch.busy(true);
    answer(ctx, proven.acceptor());
  }

  private void take(Bytes sealed) {
    watch.message();
    PeerHello greeting = Objects.requireNonNull(hello);
    Bytes body = Objects.requireNonNull(seal).open(sealed);
    Envelope envelope = network.codec().decode(body);
    if (!envelope.from().equals(greeting.from())
        || envelope.fromIncarnation() != greeting.incarnation()
        || !envelope.to().equals(network.self())) {
      throw new MalformedMessageException(
          "a message from "
              + envelope.from()
              + " to "
              + envelope.to()
              + " by the way of "
              + greeting.from());
    }
    int bytes = DECODED_FACTOR * body.length() + MESSAGE_OVERHEAD_BYTES;
    if (!inbox.offer(new Event.Delivered(envelope), bytes)) {
      network.messageDropped();
    }
    adjustReading();
  }

  /**
   * What there is no room for is lost, as the protocol allows; the next frame has the next seal.
   */
  private void passOver() {
    if (stage != Stage.OPEN) {
      throw new MalformedMessageException("a greeting that there is no room for");
    }
    watch.message();
    Objects.requireNonNull(seal).passOver();
    network.messageDropped();
  }

  private void adjustReading() {
    if (channel.isActive()) {
      channel.config().setAutoRead(!cut && !inbox.congestedForNodes());
    }
  }

  /** There is room in the inbox again. Any thread. */
  void inboxRelieved() {
    if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(this::adjustReading);
    }
  }

  private void cut(String why) {
    cut = true;
    watch.stop();
    network.logCut(channel, why);
    var _ = channel.close();
  }

  /** The node is no more. Any thread. */
  void close() {
    var _ = channel.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!cut) {
      cut(CutReason.words(cause));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cut = true;
    watch.stop();
    network.unregisterPeer(this);
  }

  @Override
  public String toString() {
    return "from "
        + (hello == null ? "a stranger" : hello.from())
        + (decoder.isPartial() ? ", within a message" : "");
  }
}
