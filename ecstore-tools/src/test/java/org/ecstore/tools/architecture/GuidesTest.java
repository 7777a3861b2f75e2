package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Each piece of Java in a guide stands, line by line, in a source that a test of the build runs:
 * not in one that is only compiled.
 */
class GuidesTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern JAVA = Pattern.compile("(?s)```java\n(.*?)```");

  /** The lines that say something, without their indentation. */
  private static String normal(String source) {
    return String.join(
        "\n", source.lines().map(String::strip).filter(line -> !line.isEmpty()).toList());
  }

  private static List<String> compiled() throws IOException {
    List<String> sources = new ArrayList<>();
    for (String root :
        List.of(
            // The sample of the starters, which MatrixTest builds and runs.
            "examples/accounts/src/main",
            "ecstore-client/src/test",
            "ecstore-junit/src/test",
            "ecstore-spring/src/test")) {
      try (Stream<Path> files = Files.walk(CHECKOUT.resolve(root))) {
        for (Path file : files.filter(found -> found.toString().endsWith(".java")).toList()) {
          sources.add(normal(Files.readString(file)));
        }
      }
    }
    return sources;
  }

  @Test
  void everyPieceIsCompiledAndRun() throws IOException {
    List<String> sources = compiled();
    List<String> nowhere = new ArrayList<>();
    int pieces = 0;
    try (Stream<Path> guides = Files.list(CHECKOUT.resolve("docs/guides"))) {
      for (Path guide : guides.sorted().toList()) {
        Matcher piece = JAVA.matcher(Files.readString(guide));
        while (piece.find()) {
          pieces++;
          String lines = normal(piece.group(1));
          if (sources.stream().noneMatch(source -> source.contains(lines))) {
            nowhere.add(guide.getFileName() + ":\n" + piece.group(1));
          }
        }
      }
    }
    assertEquals(List.of(), nowhere);
    assertTrue(pieces >= 10, "the guides have lost their examples: " + pieces);
  }
}
