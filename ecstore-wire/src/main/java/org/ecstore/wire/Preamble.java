package org.ecstore.wire;

import org.ecstore.key.Bytes;

/**
 * The first bytes of a connection, sent by the side that opens it: four bytes that say ecStore, the
 * version of the framing, and who is calling. They are not framed, so that a stranger is told apart
 * before any of its bytes is taken for a length.
 */
public final class Preamble {
  /**
   * The version of the framing: that lengths and bodies follow, and how they are laid out. It is
   * not the version of the messages: clients agree on one in their greeting ({@code
   * ProtocolVersions}), behind the preamble.
   */
  public static final int FRAMING_VERSION = 1;

  /** Bytes of a preamble. */
  public static final int LENGTH = 6;

  /** Sent by a client. */
  public static final Bytes CLIENT = Bytes.of('e', 'c', 'S', 't', FRAMING_VERSION, 'C');

  /** Sent by a node. */
  public static final Bytes NODE = Bytes.of('e', 'c', 'S', 't', FRAMING_VERSION, 'N');

  private static final int MAGIC_BYTES = 4;

  private Preamble() {}

  /** Who opened a connection. */
  public enum Caller {
    CLIENT,
    NODE
  }

  /**
   * Who is calling, by the first {@link #LENGTH} bytes of a connection.
   *
   * @throws MalformedMessageException if they are not a preamble of this version
   */
  public static Caller read(Bytes first) {
    if (first.length() != LENGTH || !first.startsWith(CLIENT.slice(0, MAGIC_BYTES))) {
      throw new MalformedMessageException(
          "not an ecStore client: the connection begins with \"" + first + "\"");
    }
    int version = first.at(MAGIC_BYTES) & 0xff;
    if (version != FRAMING_VERSION) {
      throw new MalformedMessageException(
          "framing version " + version + " is not spoken here, only " + FRAMING_VERSION);
    }
    if (first.equals(CLIENT)) {
      return Caller.CLIENT;
    }
    if (first.equals(NODE)) {
      return Caller.NODE;
    }
    throw new MalformedMessageException(
        "neither an ecStore client nor a node: the connection begins with \"" + first + "\"");
  }

  /**
   * Checks that the caller is the one this port is for.
   *
   * @throws MalformedMessageException if it is another, or no preamble of this version
   */
  public static void expect(Caller expected, Bytes first) {
    Caller caller = read(first);
    if (caller != expected) {
      throw new MalformedMessageException(
          "this port is for ecStore "
              + (expected == Caller.CLIENT ? "clients, not for nodes" : "nodes, not for clients"));
    }
  }
}
