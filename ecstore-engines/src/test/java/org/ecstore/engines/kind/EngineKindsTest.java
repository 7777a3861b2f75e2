package org.ecstore.engines.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.StoreKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineKindsTest {
  @Test
  void aKindIsFoundByItsName() {
    assertTrue(EngineKinds.names().contains(EngineSettings.DEFAULT_KIND));
    for (String name : EngineKinds.names()) {
      assertEquals(name, EngineKinds.named(name).name());
    }
  }

  @Test
  void anUnknownKindIsRefusedAndThoseThatThereAreAreNamed() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EngineKinds.named("rocks"));
    assertEquals(
        "there is no engine \"rocks\" here, only: " + String.join(", ", EngineKinds.names()),
        refused.getMessage());
  }

  @Test
  void eachKindOpensADirectoryOnceAndAgainWhenItIsClosed(@TempDir Path directory) {
    for (String name : EngineKinds.names()) {
      Path own = directory.resolve(name);
      EngineSettings settings = EngineSettings.DEFAULT.withKind(name).withCacheBytes(8 << 20);
      for (int i = 0; i < 2; i++) {
        try (OpenEngine engine = open(name, own, settings)) {
          assertEquals(List.of(), engine.metadataNow());
          assertTrue(engine.profile().persists(), name);
          assertThrows(EngineOpenException.class, () -> open(name, own, settings).close());
        }
      }
    }
  }

  @Test
  void aKindThatKeepsNothingOverARestartIsRefused(@TempDir Path directory) {
    EngineKind kind = new EngineKind(new Volatile());
    EngineOpenException refused =
        assertThrows(
            EngineOpenException.class,
            () -> kind.open(directory, EngineSettings.DEFAULT, event -> {}, () -> true).close());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("choose a kind that persists"), message);
  }

  /** A store that forgets. */
  private static final class Volatile implements StoreKind {
    @Override
    public String name() {
      return "volatile";
    }

    @Override
    public boolean persists() {
      return false;
    }

    @Override
    public OrderedStore open(Path directory, EngineSettings settings) {
      throw new AssertionError("it is refused before");
    }
  }

  private static OpenEngine open(String name, Path directory, EngineSettings settings) {
    return EngineKinds.named(name).open(directory, settings, event -> {}, () -> true);
  }
}
