package org.ecstore.client.routing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class HomesTest {
  private final Homes homes = new Homes();

  private void told(String... addresses) {
    for (String address : addresses) {
      homes.told(address);
    }
  }

  @Test
  void thoseToldLastAreFirstAndThoseThatFailBehindAll() {
    told("a", "b", "c");
    assertEquals(List.of("c", "b", "a"), homes.some());
    told("a");
    homes.failed("c");
    homes.failed("none of them");
    assertEquals(List.of("a", "b", "c"), homes.some());
    homes.found("c");
    homes.found("another");
    assertEquals(List.of("c", "a", "b"), homes.some());
    homes.failed("a");
    told("a");
    assertEquals(List.of("a", "c", "b"), homes.some());
  }

  @Test
  void nodesThatAreGoneDoNotCrowdOutThoseThatLive() {
    for (int i = 0; i < 10_000; i++) {
      homes.told("gone" + i);
    }
    told("here", "there");
    assertEquals(List.of("there", "here"), homes.some().subList(0, 2));
    assertEquals(Homes.ASKED_MAX, homes.some().size());
    for (int i = 0; i < 10_000; i++) {
      homes.failed("gone" + i);
    }
    homes.failed("here");
    assertEquals(List.of("there", "here"), homes.some().subList(0, 2));
    assertTrue(homes.some().size() <= Homes.ASKED_MAX);
  }
}
