package org.ecstore.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.lane.Inbox;
import org.ecstore.wire.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * A connection by which another node sends to this one. While the lane's inbox is congested nothing
 * is read from it; what a full inbox refuses is lost, as the protocol allows.
 */
final class InboundPeer extends ChannelInboundHandlerAdapter {
  private static final int MESSAGE_OVERHEAD_BYTES = 256;

  private final NodeNetwork network;
  private final Inbox inbox;
  private final Channel channel;
  private final FrameDecoder decoder;
  private final ConnectionWatch watch;
  private @Nullable NodeId from;
  private boolean cut;

  InboundPeer(NodeNetwork network, Inbox inbox, Channel channel, FrameDecoder decoder) {
    this.network = network;
    this.inbox = inbox;
    this.channel = channel;
    this.decoder = decoder;
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
    watch.message();
    Bytes body = (Bytes) message;
    NodeId sender = from;
    if (sender == null) {
      greet(PeerHello.decode(body));
      return;
    }
    Envelope envelope = network.codec().decode(body);
    if (!envelope.from().equals(sender) || !envelope.to().equals(network.self())) {
      throw new MalformedMessageException(
          "a message from "
              + envelope.from()
              + " to "
              + envelope.to()
              + " by the way of "
              + sender);
    }
    if (!inbox.offer(new Event.Delivered(envelope), body.length() + MESSAGE_OVERHEAD_BYTES)) {
      network.messageDropped();
    }
    adjustReading();
  }

  private void greet(PeerHello hello) {
    String objection = hello.objection(network.cluster(), network.self());
    if (!objection.isEmpty()) {
      throw new MalformedMessageException(objection);
    }
    from = hello.from();
    // Silence between nodes is no sign of death; membership says who is gone.
    watch.busy(true);
  }

  private void adjustReading() {
    if (channel.isActive()) {
      channel.config().setAutoRead(!cut && !inbox.congested());
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
      Throwable found =
          cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
      cut(
          found instanceof MalformedMessageException
              ? String.valueOf(found.getMessage())
              : String.valueOf(found));
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
    return "from " + from + (decoder.isPartial() ? ", within a message" : "");
  }
}
