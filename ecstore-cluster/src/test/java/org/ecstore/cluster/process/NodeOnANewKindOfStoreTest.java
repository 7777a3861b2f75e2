package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.ecstore.client.EcStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a new kind of store takes: one class, {@code SortedFileStore} in the tests of {@code
 * ecstore-engines}, which passes the suite there; and one entry of a configuration, in this test.
 * No other class knows of it.
 */
@Timeout(180)
class NodeOnANewKindOfStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final NumberedWords WORDS = new NumberedWords(50);

  @TempDir private Path directory;

  private ProcessCluster cluster() throws IOException {
    Files.writeString(
        Files.createDirectories(directory.resolve("node-1")).resolve("ecstore.toml"),
        """
        node.id = 1
        node.directory = "data"
        listen.port = %d
        engine.kind = "file"
        """
            .formatted(new FreePorts().next()));
    return ProcessCluster.in(directory, PATIENCE);
  }

  @AfterEach
  void end() throws Exception {
    try (ProcessCluster left = ProcessCluster.in(directory, PATIENCE)) {
      left.down();
    }
  }

  @Test
  void aNodeKeepsWhatItAcknowledgesThroughAKillAndAStop() throws Exception {
    try (ProcessCluster cluster = cluster()) {
      cluster.up(1, _ -> {});
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.write(store, "first");
        cluster.kill(1);
        cluster.up(1, _ -> {});
        WORDS.assertHeld(store, "first");
        WORDS.write(store, "second");
      }
      cluster.stop(1);
      cluster.up(1, _ -> {});
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.assertHeld(store, "second");
      }
      assertEquals("file", cluster.engines().kind(1));
    }
    assertTrue(isInTheFile("second 49"), "a clean stop folds the window into the new store");
  }

  private boolean isInTheFile(String word) throws IOException {
    Path rows = directory.resolve("node-1/data/engine/data/rows");
    return new String(Files.readAllBytes(rows), StandardCharsets.ISO_8859_1).contains(word);
  }
}
