package org.ecstore.server.net;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Addresses as text, {@code host:port}. */
public final class Addresses {
  private static final int PORT_MAX = 65_535;

  private Addresses() {}

  /** An address; null if the text is none. */
  public static @Nullable InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return port < 0 || port > PORT_MAX
          ? null
          : new InetSocketAddress(text.substring(0, colon), port);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The text of an address. */
  public static String format(InetSocketAddress address) {
    return address.getHostString() + ":" + address.getPort();
  }
}
