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
  private final ShutdownHooks ending = new ShutdownHooks();
  private final List<String> done = new ArrayList<>();

  @Test
  void processesEndBeforeFilesGo() {
    ending.add(Step.FILES, () -> done.add("files"));
    ending.add(Step.PROCESSES, () -> done.add("processes"));
    ending.run();
    assertEquals(List.of("processes", "files"), done);
  }

  @Test
  void whatIsTakenBackIsNotDone() {
    ending.add(Step.PROCESSES, () -> done.add("ended by itself")).close();
    ending.add(Step.PROCESSES, () -> done.add("runs"));
    ending.run();
    assertEquals(List.of("runs"), done);
  }

  @Test
  void whatFailsDoesNotKeepTheRestFromBeingDone() {
    ending.add(
        Step.PROCESSES,
        () -> {
          throw new IllegalStateException("does not end");
        });
    ending.add(Step.PROCESSES, () -> done.add("second"));
    ending.add(Step.FILES, () -> done.add("files"));
    ending.run();
    assertEquals(List.of("second", "files"), done);
  }

  @Test
  void nothingIsStartedOnceItHasBegun() throws Exception {
    assertFalse(ending.isBegun());
    assertEquals("started", ending.start(() -> "started"));
    ending.add(
        Step.PROCESSES,
        () ->
            assertThrows(
                ShutdownHooks.EndingException.class, () -> ending.start(() -> done.add("x"))));
    ending.run();
    assertTrue(ending.isBegun());
    assertThrows(ShutdownHooks.EndingException.class, () -> ending.add(Step.FILES, () -> {}));
    assertEquals(List.of(), done);
  }
}
