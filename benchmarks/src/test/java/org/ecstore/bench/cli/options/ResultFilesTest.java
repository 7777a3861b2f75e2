package org.ecstore.bench.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

class ResultFilesTest {
  @Command(name = "measure")
  private static final class Nothing {}

  @TempDir private Path temp;
  private final StringWriter out = new StringWriter();

  private ResultFiles files() {
    return new ResultFiles(
        new CommandLine(new Nothing()).setOut(new PrintWriter(out)), temp.resolve("run"));
  }

  private static ObjectNode result() {
    return JsonNodeFactory.instance.objectNode().put("answers", 3);
  }

  private Set<String> left() throws IOException {
    try (Stream<Path> files = Files.list(temp.resolve("run"))) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static long begin(Path work) throws IOException {
    Files.createDirectories(work);
    Files.writeString(work.resolve("log"), "said");
    return 3;
  }

  @Test
  void aGoodResultIsAllThatStays() throws Exception {
    ResultFiles files = files();
    long answers = files.measured((work, _) -> begin(work));
    assertEquals(3, answers);
    assertEquals(Set.of("work"), left());
    assertEquals(
        0,
        files.end(result(), List.of("a.svg"), List.of("3 answers", "done"), true, false, "plots"));
    assertEquals(Set.of("result.json", "result.txt"), left());
    assertEquals("3 answers\ndone\n", Files.readString(temp.resolve("run/result.txt")));
    assertEquals(
        "a.svg",
        new ObjectMapper()
            .readTree(Files.readString(temp.resolve("run/result.json")))
            .at("/plots/0")
            .asText());
    assertEquals(
        List.of("3 answers", "done", "  in " + temp.resolve("run") + ": result.json, plots"),
        out.toString().lines().toList());
  }

  @Test
  void whatItRanInStaysWhereItIsNotGood() throws Exception {
    ResultFiles files = files();
    files.measured((work, _) -> begin(work));
    assertEquals(1, files.end(result(), List.of(), List.of("none"), false, true, "plots"));
    assertEquals(Set.of("result.json", "result.txt", "work"), left());
    assertEquals("{\"answers\":3,\"plots\":[]}", out.toString().strip());
  }

  @Test
  void noOtherOneMeasuresThereMeanwhile() throws Exception {
    ResultFiles files = files();
    files.measured(
        (_, _) -> {
          assertThrows(DirectoryInUseException.class, () -> files().measured((_, _) -> 1));
          // Without the file a third one would not see that the first measures.
          assertTrue(Files.exists(temp.resolve("run/lock")));
          return 1;
        });
    assertTrue(Files.isDirectory(temp.resolve("run")));
    assertFalse(Files.exists(temp.resolve("run/lock")));
  }

  @Test
  void aDirectoryOfThatNameThatNoCommandHasMadeStays() throws Exception {
    Path thesis = temp.resolve("run").resolve("work").resolve("thesis.txt");
    Files.createDirectories(thesis.getParent());
    Files.writeString(thesis, "mine");
    ResultFiles files = files();
    assertThrows(BadInputException.class, () -> files.measured((work, _) -> begin(work)));
    files.end(result(), List.of(), List.of("none"), true, true, "plots");
    assertEquals("mine", Files.readString(thesis));
  }
}
