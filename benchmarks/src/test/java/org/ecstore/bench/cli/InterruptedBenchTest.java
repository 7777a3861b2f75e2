package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A measurement whose user interrupts it leaves no process and no file behind. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InterruptedBenchTest {
  private static final String YCSB =
      "--debug bench ycsb --nodes 2 --records 1000 --heap 256 --cache 64 --collector SerialGC"
          + " --seconds 120";

  private static final String SMALL =
      " --copies 1 --capacity 0.5 --records 300 --heap 256 --cache 32";

  private static final String FEW =
      " --records 300 --clients 3 --warm-up 0.1 --prepare 0.1 --settle 0 --heap 256 --cache 64"
          + " --collector SerialGC";

  @TempDir private Path temp;

  private Process started(String words) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dkryo.unsafe=false",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "--add-opens=java.base/java.io=ALL-UNNAMED",
            "-Djava.io.tmpdir=" + temp,
            "-cp",
            System.getProperty("java.class.path"),
            EcStoreMain.class.getName()));
    command.addAll(List.of(words.split(" ", -1)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** Nodes name their configuration, which is in the directory of the measurement. */
  private List<String> left() throws IOException {
    try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses();
        Stream<Path> files = Files.list(temp)) {
      return Stream.concat(
              processes
                  .map(process -> process.info().commandLine().orElse(""))
                  .filter(line -> line.contains("NodeProcess " + temp)),
              files
                  .filter(file -> file.getFileName().toString().startsWith("ecstore"))
                  .map(Path::toString))
          .toList();
    }
  }

  @Test
  @Tag("slow")
  void nothingIsLeft() throws Exception {
    nothingIsLeft(" serves on ", 1);
  }

  @Tag("nightly")
  @ParameterizedTest
  @CsvSource({"node 1 started, 1", " serves on , 2"})
  void nothingIsLeft(String moment, int times) throws Exception {
    interrupted(YCSB, moment, times);
  }

  @Test
  @Tag("slow")
  void aRunThatHasAPromiseSaysThatItHasNoResult() throws Exception {
    String words =
        "bench qos --nodes 1 --nodes-max 2 --rate 20 --saturation 0 --clients 4 --kills 0 --out "
            + temp.resolve("run")
            + SMALL;
    List<String> said = interrupted(words, "in the calm phase", 1);
    assertTrue(
        said.contains(
            "interrupted: there is no result; what is there so far is in %s: another run takes another --out"
                .formatted(temp.resolve("run"))),
        said::toString);
  }

  @Test
  @Tag("slow")
  void aTableSaysThatItGoesOnAndDoes() throws Exception {
    String words =
        "qos measure --clients 1 --nodes 1 --runs 1 --seconds 0.5 --warm-up 0.2 --out "
            + temp.resolve("tables")
            + SMALL;
    List<String> said = interrupted(words + " --settle 120", "waits until it is steady", 1);
    assertTrue(
        said.contains(
            "interrupted: runs that were made are kept, the same command goes on with the rest"),
        said::toString);
    assertEquals(0, EcStoreMain.commandLine().execute((words + " --settle 0").split(" ", -1)));
  }

  /** What was killed by the command itself is no store that failed. */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"loading ecstore-rocksdb", "1 of 2, round 1, ecstore-rocksdb"})
  void anExperimentHasNoResultAndSaysThatItGoesOn(String moment) throws Exception {
    Path out = temp.resolve("out");
    List<String> said =
        interrupted(
            "bench mycassandra --quick --seconds 3 --quorum 2-2-1 --clusters rocksdb --mixes"
                + " write-heavy --json --out "
                + out
                + FEW,
            moment,
            1);
    assertTrue(
        said.contains(
            "interrupted: what was measured is kept, the same command goes on with the rest"),
        said::toString);
    assertHasNoResult(said);
    assertTrue(Files.exists(out.resolve("cells.jsonl")));
    assertFalse(Files.exists(out.resolve("result.json")));
    assertFalse(Files.exists(out.resolve("result.txt")));
  }

  @Tag("nightly")
  @Test
  void aComparisonHasNoResult() throws Exception {
    List<String> said =
        interrupted(
            "bench compare --peers none --workload befriend@2,befriend@3 --rounds 1 --seconds 3"
                + " --json"
                + FEW,
            "1 of 2, round 1, ecstore",
            1);
    assertTrue(said.contains("interrupted: there is no result"), said::toString);
    assertHasNoResult(said);
  }

  private static void assertHasNoResult(List<String> said) {
    assertTrue(said.stream().noneMatch(line -> line.startsWith("{")), said::toString);
  }

  /** What it says after a moment. */
  private List<String> interrupted(String words, String moment, int times) throws Exception {
    Process bench = started(words);
    try (BufferedReader said = bench.inputReader(StandardCharsets.UTF_8)) {
      List<String> lines = new ArrayList<>();
      for (int seen = 0; seen < times; ) {
        String line = said.readLine();
        assertNotEquals(null, line, () -> "it ended: " + String.join("\n", lines));
        lines.add(String.valueOf(line));
        seen += line != null && line.contains(moment) ? 1 : 0;
      }
      // What a terminal's interrupt does too, for a process that may have been told to ignore that.
      bench.toHandle().destroy();
      List<String> after = said.lines().toList();
      assertNotEquals(0, bench.waitFor());
      assertEquals(List.of(), left());
      return after;
    } finally {
      bench.destroyForcibly();
    }
  }
}
