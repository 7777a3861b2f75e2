package org.ecstore.cluster.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.ecstore.client.error.WrongArgumentException;
import org.junit.jupiter.api.Test;

/** Which node is where, and of which kind. */
final class EngineMixTest {
  @Test
  void eachHostHasANodeOfEveryKind() {
    EngineMix mix = new EngineMix(3, List.of("je", "mysql", "redis"));
    assertEquals(9, mix.nodes());
    assertEquals(
        List.of("1 je", "1 mysql", "1 redis", "2 je", "2 mysql", "2 redis", "3 je"),
        IntStream.rangeClosed(1, 7)
            .mapToObj(node -> mix.host(node) + " " + mix.kind(node))
            .toList());
    assertEquals(List.of(1, 4, 7), IntStream.rangeClosed(1, 3).map(mix::firstOf).boxed().toList());
    assertTrue(mix.isFirstOfHost(4));
    assertFalse(mix.isFirstOfHost(5));
  }

  @Test
  void aMixWithoutHostsOrWithAKindTwiceIsRefused() {
    assertThrows(WrongArgumentException.class, () -> new EngineMix(0, List.of("je")));
    assertThrows(WrongArgumentException.class, () -> new EngineMix(33, List.of("je")));
    assertThrows(WrongArgumentException.class, () -> new EngineMix(1, List.of()));
    assertThrows(WrongArgumentException.class, () -> new EngineMix(1, List.of("je", "je")));
  }
}
