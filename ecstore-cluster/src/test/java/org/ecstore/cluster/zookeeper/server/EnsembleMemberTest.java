package org.ecstore.cluster.zookeeper.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "host:2888:3888;2181", "1@host:2888:3888", "1@host:2888;2181", "x@host:1:2;3",
        "0@host:1:2;3", "256@host:1:2;3", "1@host:0:2;3", "1@host:1:70000;3", "1@host:1:2;3;4"
      })
  void whatIsNoMemberIsRefusedInWords(String text) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EnsembleMember.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("form id@host") || message.contains(" is 1 to "), message);
  }
}
