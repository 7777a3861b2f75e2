package org.ecstore.cluster.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {
  @TempDir private Path directory;

  private Path file() {
    return directory.resolve("logs/node.log");
  }

  private void log(long bytesMax, int files, int from, int to) throws IOException {
    try (PrintStream log =
        new PrintStream(new LogFile(file(), bytesMax, files), true, StandardCharsets.UTF_8)) {
      for (int i = from; i < to; i++) {
        log.println("line %04d".formatted(i));
      }
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("logs"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  /** All lines of the files there are, the oldest first. */
  private List<String> lines(int files) throws IOException {
    List<String> lines = new ArrayList<>();
    for (int i = files; i >= 0; i--) {
      Path part = i == 0 ? file() : file().resolveSibling("node.log." + i);
      if (Files.exists(part)) {
        lines.addAll(Files.readAllLines(part));
      }
    }
    return lines;
  }

  private static List<String> numbered(int from, int to) {
    List<String> lines = new ArrayList<>();
    for (int i = from; i < to; i++) {
      lines.add("line %04d".formatted(i));
    }
    return lines;
  }

  @Test
  void itKeepsSoManyFilesOfSuchASizeWithTheNewestLines() throws IOException {
    log(100, 3, 0, 95);
    assertEquals(List.of("node.log", "node.log.1", "node.log.2"), names());
    // Ten lines of ten bytes in each but the current one.
    assertEquals(numbered(70, 95), lines(3));
    for (String name : names()) {
      assertTrue(Files.size(directory.resolve("logs").resolve(name)) <= 100, name);
    }
  }

  @Test
  void itGoesOnInTheFileThatIsThere() throws IOException {
    log(100, 3, 0, 3);
    log(100, 3, 3, 12);
    assertEquals(List.of("node.log", "node.log.1"), names());
    assertEquals(numbered(0, 12), lines(2));
    assertEquals(2, Files.readAllLines(file()).size());
  }

  @Test
  void oneFileIsBegunAnew() throws IOException {
    log(100, 1, 0, 25);
    assertEquals(List.of("node.log"), names());
    assertEquals(numbered(20, 25), lines(0));
  }

  @Test
  void fewerFilesThanBeforeAreKept() throws IOException {
    log(100, 5, 0, 95);
    assertEquals(5, names().size());
    log(100, 2, 95, 105);
    assertEquals(List.of("node.log", "node.log.1"), names());
    assertEquals(numbered(90, 105), lines(2));
  }

  @Test
  void aLineIsNotCutEvenIfItIsLongOrComesInPieces() throws IOException {
    try (LogFile log = new LogFile(file(), 100, 3)) {
      log.write(bytes("x".repeat(250)));
      log.write(bytes("y".repeat(10)));
      log.write('\n');
      log.write(bytes("z\n"));
    }
    assertEquals(List.of("x".repeat(250) + "y".repeat(10), "z"), lines(3));
    assertEquals(List.of("z"), Files.readAllLines(file()));
  }

  @Test
  void whatCannotBeRenamedIsAppendedTo() throws IOException {
    log(100, 2, 0, 10);
    // A directory that is not empty, where the old file shall go.
    Files.createDirectories(file().resolveSibling("node.log.1/busy"));
    log(100, 2, 10, 15);
    assertEquals(numbered(0, 15), Files.readAllLines(file()));
    assertFalse(Files.exists(file().resolveSibling("node.log.2")));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
