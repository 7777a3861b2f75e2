package org.ecstore.server.admission;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Who wants something of a node: what budgets, and later policies, are kept for.
 *
 * @param peer where the connection comes from; of IPv6 the first 64 bits, which belong to one
 *     machine
 * @param application which said so of itself
 */
public record Origin(String peer, String application) {
  /** Of those that have not said which application they are. */
  public static final String ANY_APPLICATION = "any";

  /** One that has not said which application it is. */
  public static Origin ofPeer(String peer) {
    return new Origin(peer, ANY_APPLICATION);
  }

  /** One that has not said which application it is. */
  public static Origin ofAddress(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return ofPeer(address.getHostAddress());
    }
    ByteBuffer all = ByteBuffer.wrap(address.getAddress());
    return ofPeer(
        "%04x:%04x:%04x:%04x::/64"
            .formatted(all.getShort(), all.getShort(), all.getShort(), all.getShort()));
  }
}
