package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.wire.Limits;
import org.junit.jupiter.api.Test;

/** What the documents say that the code can be held against. */
class DocumentsTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCS = CHECKOUT.resolve("docs");

  private static final int LINE_MAX = 120;

  private static final Pattern CONSTANT = Pattern.compile("int ([A-Z_]+) =");
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");

  private static String bytes(int count) {
    return count % (1 << 20) == 0 ? (count >> 20) + " MiB" : (count >> 10) + " KiB";
  }

  private static String number(int count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private static String row(String constant, String limit) {
    return " | " + limit + " | `" + constant + "` |\n";
  }

  @Test
  void limitsAreThePublishedOnes() throws IOException {
    String text = Files.readString(DOCS.resolve("limits.md"));
    List<String> rows =
        List.of(
            row("KEY_BYTES_MAX", bytes(Limits.KEY_BYTES_MAX)),
            row("VALUE_BYTES_MAX", bytes(Limits.VALUE_BYTES_MAX)),
            row("TRANSACTION_BYTES_MAX", bytes(Limits.TRANSACTION_BYTES_MAX)),
            row("TRANSACTION_ITEMS_MAX", number(Limits.TRANSACTION_ITEMS_MAX)),
            row("GET_KEYS_MAX", number(Limits.GET_KEYS_MAX)),
            row("SCAN_BYTES_MAX", bytes(Limits.SCAN_BYTES_MAX)),
            row("FRAME_BYTES_MAX", bytes(Limits.FRAME_BYTES_MAX)));
    rows.forEach(row -> assertTrue(text.contains(row), row));
  }

  @Test
  void everyLimitIsPublished() throws IOException {
    String text = Files.readString(DOCS.resolve("limits.md"));
    Path source =
        Sources.files("main").stream()
            .filter(file -> file.endsWith("org/ecstore/wire/Limits.java"))
            .findFirst()
            .orElseThrow();
    List<String> constants =
        CONSTANT.matcher(Files.readString(source)).results().map(found -> found.group(1)).toList();
    assertTrue(constants.contains("KEY_BYTES_MAX"), constants::toString);
    constants.forEach(constant -> assertTrue(text.contains("`" + constant + "`"), constant));
  }

  /** Here, as the kinds of engines are those on the class path: with this module, all. */
  @Test
  void configurationHasTheTableOfAllKeys() throws IOException {
    String table = ConfigText.table();
    try (Stream<Path> modules = Files.list(CHECKOUT)) {
      long artifacts =
          modules
              .filter(module -> module.getFileName().toString().startsWith("ecstore-engines-"))
              .count();
      assertEquals(1 + artifacts, EngineKinds.names().size(), EngineKinds.names()::toString);
    }
    assertTrue(
        Files.readString(DOCS.resolve("configuration.md")).contains("\n\n" + table + "\n"),
        "bin/ecstore server --keys prints the table for docs/configuration.md");
  }

  @Test
  void linksLeadSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : Sources.documents()) {
      Matcher link = LINK.matcher(Files.readString(document));
      while (link.find()) {
        if (!Files.exists(document.resolveSibling(link.group(1)))) {
          broken.add(Sources.name(document) + ": " + link.group(1));
        }
      }
    }
    assertEquals(List.of(), broken);
  }

  /** A number may be allotted to a change that has not landed. */
  @Test
  void eachDecisionHasANumberOfItsOwn() throws IOException {
    try (Stream<Path> files = Files.list(DOCS.resolve("decisions"))) {
      List<String> numbers =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.equals("README.md"))
              .map(name -> name.substring(0, name.indexOf('-') + 1))
              .sorted()
              .toList();
      assertTrue(numbers.stream().allMatch(number -> number.matches("\\d{4}-")), numbers::toString);
      assertEquals(numbers.stream().distinct().toList(), numbers);
    }
  }

  /** Tables have a line for each row, and what is shown as it is typed is not wrapped. */
  private static List<String> longLines(Path document) throws IOException {
    List<String> found = new ArrayList<>();
    boolean shown = false;
    for (String line : Files.readAllLines(document)) {
      if (line.strip().startsWith("```")) {
        shown = !shown;
      }
      boolean exempt = shown || line.startsWith("|") || line.startsWith("    ");
      if (!exempt && line.length() > LINE_MAX) {
        found.add(Sources.name(document) + ": " + line);
      }
    }
    return found;
  }

  @Test
  void linesAreNoLongerThan120() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path document : Sources.documents()) {
      if (!document.startsWith(DOCS.resolve("decisions"))) {
        found.addAll(longLines(document));
      }
    }
    assertEquals(List.of(), found);
  }
}
