package org.ecstore.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.handler.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.key.Bytes;
import org.ecstore.server.lane.Inbox;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.client.ClientCodec;
import org.ecstore.wire.client.ClientReply;
import org.ecstore.wire.client.ClientRequest;
import org.ecstore.wire.client.CorrelatedReply;
import org.ecstore.wire.client.CorrelatedRequest;
import org.ecstore.wire.client.RefusalCode;
import org.jspecify.annotations.Nullable;

/**
 * A client's TCP connection. Requests are decoded on the event loop and handed to the lane; replies
 * are gathered on the lane and encoded on the event loop, a batch at a time.
 *
 * <p>It stops reading while the lane's inbox is congested, while too many of this client's calls
 * wait for a reply, and while the client does not read its replies: what the node holds for one
 * client is bounded, whatever the client does. A client that sends what is no message is told so
 * and cut.
 */
final class ClientConnection extends ChannelInboundHandlerAdapter implements ReplyPath {
  private static final int REQUEST_OVERHEAD_BYTES = 256;

  private final long id;
  private final NodeNetwork network;
  private final NetSettings settings;
  private final Inbox inbox;
  private final Channel channel;
  private final ConnectionWatch watch;

  /** Lane only. */
  private List<CorrelatedReply> gathered = new ArrayList<>();

  private boolean greeted;
  private boolean cut;
  private boolean admittedAny;
  private int underWay;

  ClientConnection(
      long id, NodeNetwork network, Inbox inbox, Channel channel, FrameDecoder decoder) {
    this.id = id;
    this.network = network;
    this.settings = network.settings();
    this.inbox = inbox;
    this.channel = channel;
    this.watch = new ConnectionWatch(settings, decoder, this::cut);
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
    Bytes body = (Bytes) message;
    CorrelatedRequest decoded;
    try {
      decoded = ClientCodec.decodeRequest(body);
    } catch (MalformedMessageException e) {
      RefusalCode code = e.isTooLarge() ? RefusalCode.TOO_LARGE : RefusalCode.BAD_REQUEST;
      refuseAndCut(ctx, correlationOf(body), code, e.getMessage());
      return;
    }
    boolean hello = decoded.request() instanceof ClientRequest.Hello;
    if (hello == greeted) {
      String detail = hello ? "a second Hello" : "the first message is not a Hello";
      refuseAndCut(ctx, decoded.correlation(), RefusalCode.BAD_REQUEST, detail);
      return;
    }
    greeted = true;
    admit(ctx, decoded, body.length());
  }

  private void admit(ChannelHandlerContext ctx, CorrelatedRequest decoded, int bytes) {
    boolean wantsReply = !(decoded.request() instanceof ClientRequest.EndSnapshot);
    ClientCall call = new ClientCall(id, decoded.correlation());
    if (inbox.offer(new Event.Called(call, decoded.request()), bytes + REQUEST_OVERHEAD_BYTES)) {
      admittedAny = true;
      if (wantsReply) {
        underWay++;
      }
    } else if (wantsReply) {
      write(
          ctx,
          List.of(
              new CorrelatedReply(
                  decoded.correlation(),
                  new ClientReply.Refused(RefusalCode.OVERLOADED, "too many requests wait"))));
    }
    adjustReading();
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
    watch.busy(underWay > 0);
    channel
        .config()
        .setAutoRead(
            !cut
                && channel.isWritable()
                && underWay < settings.callsPerConnectionMax()
                && !inbox.congested());
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
    gathered.add(new CorrelatedReply(correlation, reply));
  }

  @Override
  public void flush() {
    List<CorrelatedReply> batch = gathered;
    gathered = new ArrayList<>();
    execute(
        () -> {
          @Nullable ChannelHandlerContext ctx = channel.pipeline().context(this);
          if (ctx != null && !cut) {
            underWay = Math.max(0, underWay - batch.size());
            write(ctx, batch);
            adjustReading();
          }
        });
  }

  private void execute(Runnable task) {
    if (!channel.eventLoop().isShuttingDown()) {
      channel.eventLoop().execute(task);
    }
  }

  private void write(ChannelHandlerContext ctx, List<CorrelatedReply> replies) {
    FrameEncoder frames = new FrameEncoder(ctx);
    replies.forEach(frames::add);
    frames.flush();
    ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
    if (waiting != null && waiting.totalPendingWriteBytes() > settings.outboundBytesMax()) {
      cut("it does not read its replies");
    }
  }

  private void refuseAndCut(
      ChannelHandlerContext ctx, long correlation, RefusalCode code, @Nullable String detail) {
    String text = detail == null ? "not a message of this protocol" : detail;
    network.logCut(channel, text);
    stopReading();
    FrameEncoder frames = new FrameEncoder(ctx);
    frames.add(new CorrelatedReply(correlation, new ClientReply.Refused(code, text)));
    frames.flush();
    var _ =
        ctx.writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER)
            .addListener(ChannelFutureListener.CLOSE);
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
    Throwable found =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (found instanceof FrameDecoder.FrameTooLargeException) {
      refuseAndCut(ctx, 0, RefusalCode.TOO_LARGE, found.getMessage());
    } else if (found instanceof MalformedMessageException) {
      refuseAndCut(ctx, 0, RefusalCode.BAD_REQUEST, found.getMessage());
    } else {
      cut(String.valueOf(found));
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    cut = true;
    watch.stop();
    network.unregister(id);
    if (admittedAny) {
      inbox.offerLast(new Event.ClientGone(id));
    }
  }
}
