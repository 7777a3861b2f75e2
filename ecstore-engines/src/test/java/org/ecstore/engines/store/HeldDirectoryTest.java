package org.ecstore.engines.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.engines.OtherEngineException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Of which kind a directory is, and from when on. */
class HeldDirectoryTest {
  private static final StoreDirectory.Format ONE = new StoreDirectory.Format("one", 1);
  private static final StoreDirectory.Format OTHER = new StoreDirectory.Format("other", 1);

  @TempDir private Path directory;

  /** Its server was not there: nothing was ever in it. */
  @Test
  void aStoreThatNeverOpenedLeavesItsDirectoryToAnotherKind() {
    HeldDirectory first = HeldDirectory.takeUnclaimed(directory, ONE);
    first.close();
    try (HeldDirectory again = HeldDirectory.takeUnclaimed(directory, ONE)) {
      assertEquals(first.identity(), again.identity());
    }
    HeldDirectory.take(directory, OTHER).close();
    assertThrows(OtherEngineException.class, () -> HeldDirectory.takeUnclaimed(directory, ONE));
  }

  @Test
  void aStoreThatOpenedKeepsItsDirectory() {
    try (HeldDirectory held = HeldDirectory.takeUnclaimed(directory, ONE)) {
      held.claim();
    }
    assertThrows(OtherEngineException.class, () -> HeldDirectory.take(directory, OTHER));
    assertThrows(OtherEngineException.class, () -> StoreDirectory.claim(directory, OTHER));
    HeldDirectory.takeUnclaimed(directory, ONE).close();
  }

  @Test
  void aDirectoryWithDataAndWithoutAKindIsLeftAlone() throws Exception {
    HeldDirectory.takeUnclaimed(directory, ONE).close();
    Files.createFile(directory.resolve("data/rows"));
    assertThrows(OtherEngineException.class, () -> HeldDirectory.takeUnclaimed(directory, ONE));
    assertThrows(OtherEngineException.class, () -> StoreDirectory.claim(directory, OTHER));
  }

  @Test
  void whatACrashLeftOfAnotherKindIsNotReadWithIt() throws Exception {
    Files.writeString(directory.resolve("engine.new"), "another 12345\n");
    Files.writeString(directory.resolve("identity.new"), "x".repeat(100));
    HeldDirectory.take(directory, ONE).close();
    assertEquals("one 1\n", Files.readString(directory.resolve("engine")));
    HeldDirectory.take(directory, ONE).close();
  }
}
