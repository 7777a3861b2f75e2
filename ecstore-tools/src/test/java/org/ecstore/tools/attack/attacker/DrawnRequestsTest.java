package org.ecstore.tools.attack.attacker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

class DrawnRequestsTest {
  /** Of a type that is new nothing needs to be said here, or there. */
  @Test
  void requestsOfEveryTypeAreDrawn() {
    TreeSet<String> drawn =
        new DrawnRequests(new SplittableRandom(1))
            .all().stream()
                .map(body -> ClientCodec.decodeRequest(body).request().getClass().getSimpleName())
                .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(
        leaves(ClientRequest.class)
            .map(Class::getSimpleName)
            .collect(Collectors.toCollection(TreeSet::new)),
        drawn);
  }

  private static Stream<Class<?>> leaves(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(DrawnRequestsTest::leaves)
        : Stream.of(type);
  }
}
