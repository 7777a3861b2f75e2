package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeOrderTest {
  private static final List<String> SEEDS = List.of("a:1", "b:1", "c:1");
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final NodeOrder order = new NodeOrder(SEEDS, 0);

  private List<String> at(long nowNanos) {
    return order.of(List.of("mine:1"), List.of("home:1", "a:1"), nowNanos);
  }

  @Test
  void thoseGivenThenSeedsFromTheTurnOnThenOthersEachOnce() {
    assertEquals(List.of("mine:1", "a:1", "b:1", "c:1", "home:1"), at(0));
    order.moveOn();
    assertEquals(List.of("mine:1", "b:1", "c:1", "a:1", "home:1"), at(0));
  }

  @Test
  void oneThatDidNotAnswerIsBehindAllForAWhileAndNotFirstLater() {
    order.failed("a:1", 0);
    order.failed("mine:1", 0);
    assertEquals(List.of("b:1", "c:1", "home:1", "mine:1", "a:1"), at(SECOND - 1));
    assertEquals(List.of("mine:1", "b:1", "c:1", "a:1", "home:1"), at(SECOND));
  }

  @Test
  void itIsBehindForTwiceAsLongEachTimeUntilItAnswers() {
    long now = 0;
    for (long seconds : new long[] {1, 2, 4, 8, 16, 16}) {
      order.failed("home:1", now);
      // Of several requests that were on their way.
      order.failed("home:1", now);
      now += seconds * SECOND;
      assertEquals("home:1", at(now - 1).get(4));
      order.failed("a:1", now - 1);
      assertEquals(3, at(now).indexOf("home:1"), "before the one that is silent now");
      order.answered("a:1");
    }
    order.answered("home:1");
    order.failed("home:1", now);
    order.failed("b:1", now + SECOND);
    assertEquals(3, at(now + SECOND).indexOf("home:1"));
  }

  @Test
  void onlyTheFirstIsPassedOver() {
    order.passOver("b:1");
    assertEquals("a:1", at(0).get(1));
    order.passOver("a:1");
    order.passOver("a:1");
    assertEquals("b:1", at(0).get(1));
  }
}
