package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.cluster.flags.NodeFlags;
import org.ecstore.cluster.node.NodeProcess;
import org.ecstore.core.testing.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** With what flags nodes' processes are started; each is ended once its command line is seen. */
@Timeout(60)
class NodeLauncherTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final List<String> QUICK_ALONE =
      List.of("-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1");

  @TempDir private Path directory;

  /** What the process of a node says of compilers, whose configuration has one line more. */
  private List<String> compilers(String line, String options) throws Exception {
    ClusterFiles files = new ClusterFiles(directory, NewCluster.DEFAULT);
    Files.createDirectories(files.home(1));
    Files.writeString(
        files.configFile(1),
        """
        node.id = 1
        node.directory = "data"
        listen.port = %d
        %s
        """
            .formatted(new FreePorts().next(), line));
    List<String> given = NodeFlags.given(Map.of(NodeFlags.OPTIONS, options));
    NodeLauncher.of(files, Optional.empty(), Optional.empty(), given).launch(1);
    OwnProcess process =
        OwnProcess.find(files.pidFile(1), files.configFile(1).toString()).orElseThrow();
    try {
      List<String> words =
          Await.present("the node's command line is there", () -> javaWords(process));
      return words.stream().filter(word -> word.matches(".*(Tiered|Compile).*")).toList();
    } finally {
      process.signal("KILL");
      assertTrue(process.awaitEnd(PATIENCE));
    }
  }

  /** What stands before the main class: flags, and not arguments. */
  private static Optional<List<String>> javaWords(OwnProcess process) {
    List<String> words = process.words();
    int main = words.indexOf(NodeProcess.class.getName());
    return main < 0 ? Optional.empty() : Optional.of(words.subList(0, main));
  }

  @Test
  void aNodeOfLessThanAProcessorHasTheQuickCompilerAlone() throws Exception {
    assertEquals(QUICK_ALONE, compilers("node.capacity = 0.3", ""));
  }

  @Test
  void aNodeOfAProcessorOrOfAllOfThemHasBothCompilers() throws Exception {
    List<String> late = List.of("-XX:CompileThresholdScaling=4");
    assertEquals(late, compilers("node.capacity = 1", ""));
    assertEquals(late, compilers("", ""));
  }

  @Test
  void whatIsGivenOfCompilersGoesBefore() throws Exception {
    assertEquals(
        List.of("-XX:CompileThresholdScaling=4", "-XX:TieredStopAtLevel=4"),
        compilers("node.capacity = 0.3", "-Dx=y -XX:TieredStopAtLevel=4"));
  }
}
