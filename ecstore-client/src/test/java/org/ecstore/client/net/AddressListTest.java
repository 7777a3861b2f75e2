package org.ecstore.client.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.junit.jupiter.api.Test;

class AddressListTest {
  @Test
  void hostsAndPortsWithCommasBetween() {
    assertEquals(
        List.of("a:1", "b.example:65535", "[::1]:7400"),
        AddressList.parse("a:1, b.example:65535 ,[::1]:7400"));
    InetSocketAddress six = AddressList.toSocketAddress("[::1]:7400");
    assertEquals("::1", six.getHostString());
    assertEquals(7400, six.getPort());
  }

  @Test
  void aHostWithoutAPortIsAskedAtThePortThatNodesHave() {
    assertEquals(
        List.of("localhost:7420", "[::1]:7420", "b:1"), AddressList.parse("localhost, [::1],b:1"));
  }

  @Test
  void anythingElseIsNamed() {
    for (String wrong :
        List.of(
            "",
            ",",
            "a:",
            "a b",
            "http://a",
            ":1",
            "a:0",
            "a:65536",
            "a:-1",
            "a:1x",
            "a:999999",
            "a:1,",
            "::1:7400",
            "[]:1",
            "a:+1",
            "a:１")) {
      assertThrows(WrongArgumentException.class, () -> AddressList.parse(wrong), wrong);
    }
  }

  @Test
  void addressIsSaidAsItIsWrittenWhetherLookedUpOrNot() {
    for (String address : List.of("127.0.0.1:7420", "db.example:1", "[::1]:7400")) {
      assertEquals(address, AddressList.text(AddressList.toSocketAddress(address)));
    }
    assertEquals(
        "localhost:7420",
        AddressList.text(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7420)));
    assertEquals("[2001:db8::1]:7420", AddressList.text("2001:db8::1", 7420));
    assertEquals("db.example:1", AddressList.text("db.example", 1));
  }
}
