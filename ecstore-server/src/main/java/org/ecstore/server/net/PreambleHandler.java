package org.ecstore.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Preamble;
import org.jspecify.annotations.Nullable;

/**
 * Reads the first bytes of a connection and makes of it a client's or a node's, or closes it if it
 * is neither.
 */
final class PreambleHandler extends ByteToMessageDecoder {
  private final NodeNetwork network;
  private final ConnectionSlots.Slot slot;
  private @Nullable Future<?> deadline;
  private boolean cut;

  PreambleHandler(NodeNetwork network, ConnectionSlots.Slot slot) {
    this.network = network;
    this.slot = slot;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    deadline =
        ctx.executor()
            .schedule(
                () -> cut(ctx, "no greeting within " + network.settings().handshake()),
                network.settings().handshake().toMillis(),
                TimeUnit.MILLISECONDS);
    ctx.fireChannelActive();
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (cut) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Preamble.LENGTH) {
      return;
    }
    byte[] first = new byte[Preamble.LENGTH];
    in.readBytes(first);
    Preamble.Caller caller = Preamble.read(Bytes.wrap(first));
    FrameDecoder decoder = network.newDecoder(ctx.channel(), caller);
    // Behind this handler, which hands what it has read too much to them when it goes.
    ctx.pipeline().addLast(decoder);
    switch (caller) {
      case CLIENT -> ctx.pipeline().addLast(network.newClient(ctx.channel(), decoder, slot));
      case NODE -> ctx.pipeline().addLast(network.newInboundPeer(ctx.channel(), decoder, slot));
    }
    ctx.pipeline().remove(this);
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext ctx) {
    Future<?> running = deadline;
    if (running != null) {
      running.cancel(false);
    }
  }

  private void cut(ChannelHandlerContext ctx, @Nullable String why) {
    if (cut) {
      return;
    }
    cut = true;
    network.logCut(ctx.channel(), why == null ? "not an ecStore client" : why);
    var _ = ctx.close();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    cut(ctx, CutReason.words(cause));
  }
}
