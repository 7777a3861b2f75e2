package org.ecstore.client.net;

import io.netty.buffer.ByteBuf;
import org.ecstore.wire.Frames;
import org.ecstore.wire.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames together from what arrives, in whatever pieces: each byte is copied once, into the
 * body that it belongs to.
 */
final class FrameAssembly {
  private int lengthBytes;
  private int length;
  private byte @Nullable [] body;
  private int filled;

  /**
   * Takes bytes until a frame is complete.
   *
   * @return the frame's body; null if all bytes were taken and more are needed
   * @throws MalformedMessageException if a frame announces a length that none has
   */
  byte @Nullable [] next(ByteBuf in) {
    while (lengthBytes < Frames.LENGTH_BYTES) {
      if (!in.isReadable()) {
        return null;
      }
      length = length << 8 | in.readUnsignedByte();
      lengthBytes++;
    }
    byte[] into = body;
    if (into == null) {
      if (length < Frames.BODY_BYTES_MIN || length > Frames.BODY_BYTES_MAX) {
        throw new MalformedMessageException(
            "a frame of " + Integer.toUnsignedLong(length) + " bytes");
      }
      into = new byte[length];
      body = into;
    }
    int more = Math.min(length - filled, in.readableBytes());
    in.readBytes(into, filled, more);
    filled += more;
    if (filled < length) {
      return null;
    }
    lengthBytes = 0;
    length = 0;
    body = null;
    filled = 0;
    return into;
  }
}
