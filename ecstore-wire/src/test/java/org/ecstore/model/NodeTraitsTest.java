package org.ecstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.junit.jupiter.api.Test;

class NodeTraitsTest {
  private static final NodeTraits LARGE =
      new NodeTraits("large", Optional.of(new BigDecimal("0.25")), "1.2.3", "je");

  @Test
  void textIsReadAgain() {
    assertEquals("class=large;price=0.25;version=1.2.3;engine=je", LARGE.text());
    assertEquals(LARGE, NodeTraits.parse(LARGE.text()));
    assertEquals("", NodeTraits.UNKNOWN.text());
    assertEquals(NodeTraits.UNKNOWN, NodeTraits.parse(""));
  }

  @Test
  void whatALaterReleaseSaysIsPassedBy() {
    assertEquals(LARGE, NodeTraits.parse("zone=a;" + LARGE.text() + ";disk=a=b;;x"));
  }

  @Test
  void whatIsNoTraitIsLeftOut() {
    assertEquals(
        new NodeTraits("", Optional.empty(), "1", ""),
        NodeTraits.parse("class=a b;price=-1;version=1;engine=" + "e".repeat(65)));
    String tooLong = "class=a;" + "x".repeat(NodeTraits.TEXT_LENGTH_MAX);
    assertEquals(NodeTraits.UNKNOWN, NodeTraits.parse(tooLong));
  }

  @Test
  void whatCannotBeWrittenIsRefused() {
    assertThrows(
        WrongArgumentException.class, () -> new NodeTraits("a;b", Optional.empty(), "", ""));
    for (String price : List.of("-1", "12345678", "0.0000000001")) {
      Optional<BigDecimal> given = Optional.of(new BigDecimal(price));
      assertThrows(WrongArgumentException.class, () -> new NodeTraits("", given, "", ""), price);
    }
  }
}
