package org.ecstore.server.net.proof;

import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;

/**
 * The keyed checksum of the frames of one connection between nodes: HMAC-SHA256 over the number of
 * the frame and its body, cut to 128 bits, after the body. A frame that is changed, left out, said
 * twice or put elsewhere has another one. One thread at a time.
 */
public final class FrameSeal {
  /** How many bytes longer a body is with it. */
  public static final int BYTES = 16;

  private final Mac mac;
  private long frames;

  FrameSeal(Mac mac) {
    this.mac = mac;
  }

  /** The seal of the next body. */
  public byte[] next(Bytes body) {
    return next(body.array(), body.length());
  }

  private byte[] next(byte[] body, int length) {
    long number = frames++;
    for (int shift = Long.SIZE - Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
      mac.update((byte) (number >> shift));
    }
    mac.update(body, 0, length);
    return Arrays.copyOf(mac.doFinal(), BYTES);
  }

  /** The next frame was not kept: it is counted all the same. */
  public void passOver() {
    frames++;
  }

  /**
   * The next body, without its seal.
   *
   * @throws MalformedMessageException if the seal is not its own
   */
  public Bytes open(Bytes sealed) {
    int length = sealed.length() - BYTES;
    if (length < 0
        || !MessageDigest.isEqual(
            next(sealed.array(), length),
            Arrays.copyOfRange(sealed.array(), length, sealed.length()))) {
      throw new MalformedMessageException("a frame that its sender has not sent like this");
    }
    return sealed.slice(0, length);
  }
}
