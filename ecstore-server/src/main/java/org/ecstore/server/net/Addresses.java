package org.ecstore.server.net;

import java.net.InetSocketAddress;
import org.ecstore.client.net.AddressList;
import org.jspecify.annotations.Nullable;

/** Addresses as text, {@code host:port}, an IPv6 host in brackets. */
public final class Addresses {
  private static final int PORT_MAX = 65_535;

  private Addresses() {}

  /**
   * An address; null if the text is none. Nodes of earlier releases tell an IPv6 host without
   * brackets: the port is behind the last colon.
   */
  public static @Nullable InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return port < 0 || port > PORT_MAX
          ? null
          : new InetSocketAddress(host(text.substring(0, colon)), port);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static String host(String text) {
    return text.startsWith("[") && text.endsWith("]")
        ? text.substring(1, text.length() - 1)
        : text;
  }

  /** The text of an address. */
  public static String format(InetSocketAddress address) {
    return format(address.getHostString(), address.getPort());
  }

  /** The text of the address of a host and a port. */
  public static String format(String host, int port) {
    return AddressList.text(host, port);
  }
}
