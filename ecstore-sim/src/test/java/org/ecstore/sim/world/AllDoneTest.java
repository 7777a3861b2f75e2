package org.ecstore.sim.world;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class AllDoneTest {
  private final Set<String> done = new TreeSet<>();
  private final List<String> asked = new ArrayList<>();

  private boolean isDone(String one) {
    asked.add(one);
    return done.contains(one);
  }

  @Test
  void whoIsDoneIsNotAskedAgain() {
    AllDone<String> all = new AllDone<>(List.of("a", "b"), this::isDone);
    done.add("b");
    assertFalse(all.getAsBoolean());
    done.add("a");
    assertTrue(all.getAsBoolean());
    assertTrue(all.getAsBoolean());
    assertEquals(List.of("a", "a", "b"), asked);
  }

  @Test
  void ofNoneAllAreDone() {
    assertTrue(new AllDone<>(List.<String>of(), this::isDone).getAsBoolean());
  }
}
