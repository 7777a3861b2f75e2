package org.ecstore.tools.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.model.Isolation;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.tools.torture.workload.WorkloadKind;
import org.ecstore.verify.check.Report.Verdict;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that is a process of its own, with a ledger of its own, is killed while clients work. */
@Timeout(300)
class TortureProcessTest {
  @TempDir Path directory;

  @Test
  @Tag("slow")
  void killedProcessLosesNothingAndRepeatsNothing() throws IOException, InterruptedException {
    Path cluster = directory.resolve("cluster");
    Files.createDirectories(cluster.resolve("node-1"));
    Files.writeString(
        cluster.resolve("node-1/ecstore.toml"),
        "node.id = 1\nnode.directory = \"data\"\nlisten.port = " + new FreePorts().next() + "\n");
    TortureReport report =
        Torture.onProcesses(
            new TortureSettings(
                1,
                Optional.empty(),
                ReplicationSettings.DEFAULT,
                8,
                Duration.ofSeconds(8),
                WorkloadKind.APPEND,
                Set.of(FaultKind.KILL),
                Duration.ofMillis(1_500),
                false,
                Set.of(),
                false,
                Isolation.SERIALIZABLE,
                Start.STRONG,
                1,
                cluster,
                directory.resolve("history.jsonl")),
            _ -> {});
    assertEquals(Verdict.CLEAN, report.verdict(), report::toString);
    assertTrue(report.ok() > 0);
    assertTrue(report.faulted().kills() > 0);
    assertEquals(report.faulted().kills(), report.faulted().sequencerKills());
  }
}
