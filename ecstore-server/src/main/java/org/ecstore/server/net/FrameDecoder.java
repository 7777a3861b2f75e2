package org.ecstore.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Frames;
import org.ecstore.wire.MalformedMessageException;

/**
 * Cuts the bytes of a connection into the bodies of frames. A length is judged when it has come,
 * long before there is room for what it announces; a body is allocated when all of it is here.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private static final int NONE = -1;

  private int length = NONE;
  private boolean begun;
  private long startedNanos;

  /** A frame that announces more than any message has. */
  static final class FrameTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    FrameTooLargeException(long length) {
      super(
          "a frame of "
              + length
              + " bytes, where at most "
              + Frames.BODY_BYTES_MAX
              + " are allowed");
    }
  }

  /**
   * When the frame at hand began, by {@link System#nanoTime}; meaningless without {@link
   * #isPartial}.
   */
  long startedNanos() {
    return startedNanos;
  }

  /** Whether a frame has begun and is not complete. */
  boolean isPartial() {
    return begun;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
    if (!begun) {
      begun = true;
      startedNanos = System.nanoTime();
    }
    if (length == NONE) {
      if (in.readableBytes() < Frames.LENGTH_BYTES) {
        return;
      }
      length = judged(in.readUnsignedInt());
    }
    if (in.readableBytes() >= length) {
      byte[] body = new byte[length];
      in.readBytes(body);
      length = NONE;
      begun = false;
      out.add(Bytes.wrap(body));
    }
  }

  private static int judged(long announced) {
    if (announced < Frames.BODY_BYTES_MIN) {
      throw new MalformedMessageException("a frame of " + announced + " bytes");
    }
    if (announced > Frames.BODY_BYTES_MAX) {
      throw new FrameTooLargeException(announced);
    }
    return (int) announced;
  }
}
