package org.ecstore.bench.cli.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.tools.cli.EcStoreMain;

/** {@code bench NAME --out DIRECTORY}, which leaves its result there, as a user runs it. */
public final class ResultCommand {
  private final String name;
  private final Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  public ResultCommand(String name, Path directory) {
    this.name = name;
    this.directory = directory;
  }

  /** The exit status. */
  public int run(String arguments) {
    return EcStoreMain.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(
            Stream.concat(
                    Stream.of("bench", name, "--out", directory.toString()),
                    Arrays.stream(arguments.split(" ", -1)))
                .toArray(String[]::new));
  }

  /** What it has printed. */
  public String out() {
    return out.toString();
  }

  /** What it has said beside that. */
  public String err() {
    return err.toString();
  }

  /** Runs it with a file in its way and much else that is wrong: it says all of that at once. */
  public void mustSay(List<String> faults, String arguments) throws IOException {
    Files.createDirectory(directory);
    Files.createFile(directory.resolve(ResultFiles.RESULT));
    assertEquals(2, run(arguments));
    for (String fault :
        Stream.concat(faults.stream(), Stream.of("is not empty: give one that is")).toList()) {
      assertTrue(err().contains(fault), () -> fault + " in " + err());
    }
    assertEquals("", out());
  }

  /** What it has printed as its last line, with {@code --json}. */
  public JsonNode result() throws IOException {
    assertTrue(out().contains("{"), this::err);
    return new ObjectMapper().readTree(out().lines().toList().getLast());
  }

  /** Files of the result, which have something in them. */
  public void mustLeave(String... others) throws IOException {
    List<String> always =
        List.of(ResultFiles.RESULT, ResultFiles.TEXT, "response-time.svg", "throughput.svg");
    for (String file : Stream.concat(always.stream(), Arrays.stream(others)).toList()) {
      assertTrue(Files.size(directory.resolve(file)) > 0, file);
    }
  }
}
