package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A look for segments ends, so that the next one can begin. */
class LooksForSegmentsTest {
  private static IOException failure(CompletableFuture<?> look) {
    ExecutionException thrown =
        assertThrows(ExecutionException.class, () -> look.get(60, TimeUnit.SECONDS));
    return assertInstanceOf(IOException.class, thrown.getCause());
  }

  @Test
  void whatIsFoundIsTheEnd() throws Exception {
    assertEquals(List.of(3L), BookieClient.found(() -> List.of(3L)).get(60, TimeUnit.SECONDS));
  }

  @Test
  void errorEndsItAsAFailureDoes() {
    IOException refused = new IOException("refused");
    assertEquals(
        refused,
        failure(
            BookieClient.found(
                () -> {
                  throw refused;
                })));
    IOException failed =
        failure(
            BookieClient.found(
                () -> {
                  throw new NoClassDefFoundError("org/example/Missing");
                }));
    assertTrue(failed.toString().contains("org/example/Missing"), failed::toString);
  }
}
