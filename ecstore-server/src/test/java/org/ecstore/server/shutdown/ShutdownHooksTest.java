package org.ecstore.server.shutdown;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.server.shutdown.ShutdownHooks.Step;
import org.junit.jupiter.api.Test;

class ShutdownHooksTest {
  private final ShutdownHooks hooks = new ShutdownHooks();
  private final List<String> done = new ArrayList<>();

  @Test
  void processesEndBeforeFilesGo() {
    hooks.add(Step.FILES, () -> done.add("files"));
    hooks.add(Step.PROCESSES, () -> done.add("processes"));
    hooks.run();
    assertEquals(List.of("processes", "files"), done);
  }

  @Test
  void whatIsTakenBackIsNotDone() {
    hooks.add(Step.PROCESSES, () -> done.add("ended by itself")).close();
    hooks.add(Step.PROCESSES, () -> done.add("runs"));
    hooks.run();
    assertEquals(List.of("runs"), done);
  }

  @Test
  void whatFailsDoesNotKeepTheRestFromBeingDone() {
    hooks.add(
        Step.PROCESSES,
        () -> {
          throw new IllegalStateException("does not end");
        });
    hooks.add(Step.PROCESSES, () -> done.add("second"));
    hooks.add(Step.FILES, () -> done.add("files"));
    hooks.run();
    assertEquals(List.of("second", "files"), done);
  }

  @Test
  void nothingIsStartedOnceItHasBegun() throws Exception {
    assertFalse(hooks.isBegun());
    assertEquals("started", hooks.start(() -> "started"));
    hooks.add(
        Step.PROCESSES,
        () ->
            assertThrows(
                ShutdownHooks.EndingException.class, () -> hooks.start(() -> done.add("x"))));
    hooks.run();
    assertTrue(hooks.isBegun());
    assertThrows(ShutdownHooks.EndingException.class, () -> hooks.add(Step.FILES, () -> {}));
    assertEquals(List.of(), done);
  }
}
