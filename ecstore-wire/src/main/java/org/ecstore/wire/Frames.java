package org.ecstore.wire;

/**
 * How messages are told apart on a connection: a length, big-endian, of the body that follows. The
 * adapters do the framing; they check the length against the limit before they allocate anything.
 */
public final class Frames {
  /** Bytes of the length in front of a body. */
  public static final int LENGTH_BYTES = 4;

  /** The shortest body there is: a version and a type. */
  public static final int BODY_BYTES_MIN = 2;

  /** The longest body, in bytes. */
  public static final int BODY_BYTES_MAX = Limits.FRAME_BYTES_MAX;

  private Frames() {}
}
