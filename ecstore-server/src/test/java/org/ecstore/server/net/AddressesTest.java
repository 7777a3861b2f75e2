package org.ecstore.server.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.ecstore.client.net.AddressList;
import org.junit.jupiter.api.Test;

class AddressesTest {
  private static InetSocketAddress parsed(String text) {
    return Objects.requireNonNull(Addresses.parse(text), text);
  }

  /** What nodes tell of themselves is what clients take. */
  @Test
  void anAddressOfIpv6IsToldInBracketsAndTakenByClientsAndNodes() {
    String told = Addresses.format("2001:db8::1", 7420);
    assertEquals("[2001:db8::1]:7420", told);
    assertEquals("2001:db8::1", AddressList.toSocketAddress(told).getHostString());
    assertEquals(new InetSocketAddress("2001:db8::1", 7420), parsed(told));
    assertEquals(
        "[0:0:0:0:0:0:0:1]:80",
        Addresses.format(new InetSocketAddress(InetAddress.ofLiteral("::1"), 80)));
  }

  @Test
  void earlierReleasesTellItWithoutBrackets() {
    assertEquals(new InetSocketAddress("2001:db8::1", 7420), parsed("2001:db8::1:7420"));
  }

  @Test
  void whatIsNoneIsNone() {
    for (String text : new String[] {"", "a", ":1", "a:", "a:x", "a:65536", "a:-1"}) {
      assertNull(Addresses.parse(text), text);
    }
    assertEquals(1, parsed("127.0.0.1:1").getPort());
  }
}
