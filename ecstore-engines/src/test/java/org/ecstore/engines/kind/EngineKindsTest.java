package org.ecstore.engines.kind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
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
          assertEquals(EngineKinds.named(name).traits(), engine.profile(), name);
          assertEquals(name, engine.profile().kind());
          assertThrows(EngineOpenException.class, () -> open(name, own, settings).close());
        }
      }
    }
  }

  private static OpenEngine open(String name, Path directory, EngineSettings settings) {
    return EngineKinds.named(name).open(directory, settings, event -> {}, () -> true);
  }
}
