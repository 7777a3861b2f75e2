package org.ecstore.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
  void whatAnEngineIsGoodAtIsReadAgain() {
    for (int strengths = 0; strengths < 1 << 4; strengths++) {
      EngineTraits engine =
          new EngineTraits(
              "other",
              (strengths & 1) != 0,
              (strengths & 2) != 0,
              (strengths & 4) != 0,
              (strengths & 8) != 0);
      NodeTraits traits = LARGE.with("1.2.4", engine);
      assertEquals(traits, NodeTraits.parse(traits.text()), traits::text);
      assertEquals(engine, NodeTraits.parse(traits.text()).engineTraits());
    }
    NodeTraits redis = LARGE.with("1", new EngineTraits("redis", true, true, true, false));
    assertEquals("redis", redis.engine());
    assertEquals(
        "class=large;price=0.25;version=1;engine=redis;strengths=writes+reads+memory",
        redis.text());
  }

  @Test
  void whatANodeIsHeldToIsReadAgain() {
    NodeTraits small =
        LARGE.with(
            new NodeTraits.Capacity(new BigDecimal("0.25"), NodeTraits.Capacity.Keeper.KERNEL));
    assertEquals(LARGE.text() + ";capacity=0.25+kernel", small.text());
    assertEquals(small, NodeTraits.parse(small.text()));
    NodeTraits later = small.with("2", EngineTraits.of("redis"));
    assertEquals(small.capacity(), later.capacity(), "it is the same with another engine");
    assertEquals(later, NodeTraits.parse(later.text()));
    for (String none : List.of("0.2", "0+node", "0.001+node", "10000+node", "0.2+x", "1.+node")) {
      assertEquals(Optional.empty(), NodeTraits.parse("capacity=" + none).capacity(), none);
    }
  }

  @Test
  void aCapacityThatCannotBeWrittenIsRefused() {
    for (String none : List.of("0", "0.009", "-1", "10000", "0.125")) {
      BigDecimal processors = new BigDecimal(none);
      assertThrows(
          WrongArgumentException.class,
          () -> new NodeTraits.Capacity(processors, NodeTraits.Capacity.Keeper.NODE),
          none);
    }
  }

  @Test
  void whoSaysNothingOfItsEngineIsGoodAtBothAndPersists() {
    EngineTraits engine = NodeTraits.parse("engine=je;strengths=a,b").engineTraits();
    assertEquals(EngineTraits.of("je"), engine, "it is no text of strengths");
    assertTrue(engine.fastWrites() && engine.fastReads() && engine.persists());
    assertFalse(engine.inMemory());
  }

  @Test
  void copiesForReadingComeBeforeThoseInMemoryAndTheseBeforeOthers() {
    assertEquals(0, new EngineTraits("mysql", false, true, false, true).readRank());
    assertEquals(0, EngineTraits.of("je").readRank());
    assertEquals(1, new EngineTraits("redis", true, true, true, false).readRank());
    assertEquals(2, new EngineTraits("rocksdb", true, false, false, true).readRank());
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
