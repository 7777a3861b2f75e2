package org.ecstore.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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

/** A measurement whose user interrupts it leaves no process and no file behind. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class InterruptedBenchTest {
  @TempDir private Path temp;

  private Process bench() throws IOException {
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
    command.addAll(List.of("--debug", "bench", "ycsb", "--nodes", "2", "--records", "1000"));
    command.addAll(List.of("--heap", "256", "--cache", "64", "--collector", "SerialGC"));
    command.addAll(List.of("--seconds", "120"));
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
    Process bench = bench();
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
      while (said.readLine() != null) {}
      assertNotEquals(0, bench.waitFor());
      assertEquals(List.of(), left());
    } finally {
      bench.destroyForcibly();
    }
  }
}
