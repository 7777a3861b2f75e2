package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** Tests on the loopback address of IPv6, where this machine has one. */
public final class Ipv6 {
  private Ipv6() {}

  /** The address; ends a test on a machine without it. */
  public static String loopback() {
    String address = "::1";
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, 0));
    } catch (IOException e) {
      assumeTrue(false, "this machine has no " + address + ": " + e.getMessage());
    }
    return address;
  }
}
