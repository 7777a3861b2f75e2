package org.ecstore.client.net;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.client.error.WrongArgumentException;

/**
 * AddressList as people write them: {@code host:port} or {@code host}, an IPv6 host in brackets.
 */
public final class AddressList {
  /** The port of a node that is told no other, and of an address that names none. */
  public static final int DEFAULT_PORT = 7420;

  private static final int PORT_MAX = 65535;

  private AddressList() {}

  /**
   * One or more addresses with commas between them, each with its port.
   *
   * @throws WrongArgumentException if they are not
   */
  public static List<String> parse(String addresses) {
    List<String> parsed = new ArrayList<>();
    for (String each : addresses.split(",", -1)) {
      String address = each.strip();
      parsed.add(text(toSocketAddress(address)));
    }
    return parsed;
  }

  /**
   * An address, not yet looked up.
   *
   * @throws WrongArgumentException if it is none
   */
  public static InetSocketAddress toSocketAddress(String address) {
    boolean named = address.endsWith("]") || address.indexOf(':') < 0;
    int colon = named ? address.length() : address.lastIndexOf(':');
    String host = address.substring(0, colon);
    int port = named ? DEFAULT_PORT : port(address.substring(colon + 1));
    boolean bracketed = host.startsWith("[") && host.endsWith("]") && host.length() > 2;
    if (host.isEmpty() || port < 1 || !(bracketed || isHost(host))) {
      throw new WrongArgumentException(
          "not an address like host or host:port", null, "address", address);
    }
    return InetSocketAddress.createUnresolved(
        bracketed ? host.substring(1, host.length() - 1) : host, port);
  }

  private static boolean isHost(String host) {
    return host.chars().noneMatch(c -> ":[]/".indexOf(c) >= 0 || Character.isWhitespace(c));
  }

  /** An address, looked up or not, as {@link #parse} takes it. */
  static String text(InetSocketAddress address) {
    return text(address.getHostString(), address.getPort());
  }

  /** The address of a host and a port, as {@link #parse} takes it: an IPv6 host gets brackets. */
  public static String text(String host, int port) {
    return (host.contains(":") ? '[' + host + ']' : host) + ':' + port;
  }

  private static int port(String text) {
    if (text.isEmpty() || text.length() > 5 || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return -1;
    }
    int port = Integer.parseInt(text);
    return port <= PORT_MAX ? port : -1;
  }
}
