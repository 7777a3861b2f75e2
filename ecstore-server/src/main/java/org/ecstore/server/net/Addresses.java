package org.ecstore.server.net;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.ecstore.client.net.AddressList;
import org.jspecify.annotations.Nullable;

/** Addresses as text, {@code host:port}, an IPv6 host in brackets. */
public final class Addresses {
  private static final int PORT_MAX = 65_535;

  private Addresses() {}

  /** An address, looked up, which may take long; null if the text is none. */
  public static @Nullable InetSocketAddress parse(String text) {
    InetSocketAddress address = unresolved(text);
    return address == null ? null : lookUp(address);
  }

  /**
   * An address that is not looked up; null if the text is none. Nodes of earlier releases tell an
   * IPv6 host without brackets: the port is behind the last colon.
   */
  static @Nullable InetSocketAddress unresolved(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      return null;
    }
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      return port < 0 || port > PORT_MAX
          ? null
          : InetSocketAddress.createUnresolved(host(text.substring(0, colon)), port);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The same, looked up; what comes is unresolved if there is no such host. May take long. */
  static InetSocketAddress lookUp(InetSocketAddress address) {
    return new InetSocketAddress(address.getHostString(), address.getPort());
  }

  /** The same, if its host is an address in numbers, which has not to be looked up; else null. */
  static @Nullable InetSocketAddress ofLiteral(InetSocketAddress address) {
    try {
      return new InetSocketAddress(
          InetAddress.ofLiteral(address.getHostString()), address.getPort());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String host(String text) {
    return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
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
