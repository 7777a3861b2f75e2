package org.ecstore.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Frames;
import org.jspecify.annotations.Nullable;

/** Writes the bodies of frames to a connection, many small ones as one buffer. Event loop only. */
final class FrameEncoder {
  private static final int BUFFER_BYTES = 64 << 10;

  private final ChannelHandlerContext ctx;
  private @Nullable ByteBuf buffer;

  FrameEncoder(ChannelHandlerContext ctx) {
    this.ctx = ctx;
  }

  /** Adds a frame; it leaves with {@link #flush} at the latest. */
  void add(Bytes body) {
    int needed = Frames.LENGTH_BYTES + body.length();
    ByteBuf into = buffer;
    if (into != null && into.writableBytes() < needed) {
      write(into);
      into = null;
    }
    if (into == null) {
      into = ctx.alloc().buffer(Math.max(needed, Math.min(BUFFER_BYTES, needed * 8)));
    }
    into.writeInt(body.length());
    into.writeBytes(body.array());
    buffer = into;
  }

  /** Hands everything added to the socket. */
  void flush() {
    ByteBuf last = buffer;
    if (last != null) {
      write(last);
    }
    ctx.flush();
  }

  private void write(ByteBuf full) {
    buffer = null;
    var _ = ctx.write(full, ctx.voidPromise());
  }
}
