package org.ecstore.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EachInTurnTest {
  private final List<String> done = new ArrayList<>();

  private Runnable step(String name) {
    return () -> done.add(name);
  }

  @Test
  void stepsBehindOneThatFailsAreDone() {
    Error missing = new NoClassDefFoundError("a");
    RuntimeException other = new IllegalStateException("b");
    Optional<Throwable> thrown =
        EachInTurn.run(
            List.of(
                step("first"),
                () -> {
                  throw missing;
                },
                step("second"),
                () -> {
                  throw other;
                },
                step("third")));
    assertEquals(List.of("first", "second", "third"), done);
    assertSame(missing, thrown.orElseThrow());
    assertEquals(List.of(other), List.of(missing.getSuppressed()));
  }

  @Test
  void nothingIsSaidWhereNoneFails() {
    assertEquals(Optional.empty(), EachInTurn.run(List.of(step("only"))));
    assertEquals(List.of("only"), done);
  }
}
