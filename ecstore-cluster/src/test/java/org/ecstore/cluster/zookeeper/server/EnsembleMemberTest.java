package org.ecstore.cluster.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EnsembleMemberTest {
  @Test
  void aMemberIsItsText() {
    EnsembleMember member = new EnsembleMember(3, "host-3.example", 2888, 3888, 2181);
    assertEquals("3@host-3.example:2888:3888;2181", member.toString());
    assertEquals(member, EnsembleMember.parse(" 3@host-3.example:2888:3888;2181 "));
  }

  /** A library that is told them splits at colons and commas. */
  @Test
  void anIpv6HostIsInBracketsWhereverAPortFollows() {
    EnsembleMember member = new EnsembleMember(1, "fd00::7", 2888, 3888, 2181);
    assertEquals("1@[fd00::7]:2888:3888;2181", member.toString());
    assertEquals(member, EnsembleMember.parse("1@[fd00::7]:2888:3888;2181"));
    assertEquals("[fd00::7]:2181", member.clientAddress());
    ClusterPaths paths = ClusterPaths.of("[fd00::7]:2181,[::1]:2182", "shop");
    URI uri = URI.create(paths.metadataUri());
    assertEquals("[fd00::7]:2181;[::1]:2182", uri.getAuthority());
    assertEquals("/ecstore/shop/bookkeeper", uri.getPath());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "host:2888:3888;2181", "1@host:2888:3888", "1@host:2888;2181", "x@host:1:2;3",
        "0@host:1:2;3", "256@host:1:2;3", "1@host:0:2;3", "1@host:1:70000;3", "1@host:1:2;3;4",
        "1@::1:1:2;3", "1@[host]:1:2;3", "1@[::1:1:2;3", "1@[]:1:2;3"
      })
  void whatIsNoMemberIsRefusedInWords(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EnsembleMember.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("form id@host") || message.contains(" is 1 to "), message);
  }
}
