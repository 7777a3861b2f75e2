package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * docs/extending.md names every place that one more key, command, engine, message or metric
 * touches: where the names of one that is there occur, and nowhere else. Tests are left out, but
 * for those that hold the rules of the architecture.
 */
class ExtendingTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DOCUMENT = CHECKOUT.resolve("docs/extending.md");
  private static final String POM = "pom.xml";

  /** What may name what: beside sources, though not of a program. */
  private static final String RULES = "ecstore-tools/src/test/java/org/ecstore/tools/architecture";

  private static final Pattern EXAMPLE = Pattern.compile("^As ((?:`[^`]+`(?:, )?)+)\\.");
  private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)]+)\\)");

  /** One kind of addition. */
  private record Section(String title, List<String> names, Set<String> places) {}

  @TestFactory
  List<DynamicTest> listsOfPlacesAreComplete() throws IOException {
    List<Section> sections = sections();
    assertEquals(7, sections.size());
    return sections.stream()
        .map(section -> DynamicTest.dynamicTest(section.title, () -> check(section)))
        .toList();
  }

  private static void check(Section section) throws IOException {
    assertFalse(section.names.isEmpty(), "an example");
    assertEquals(section.places, occurrences(section.names), section.title);
  }

  private static List<Section> sections() throws IOException {
    List<Section> sections = new ArrayList<>();
    for (String part : Files.readString(DOCUMENT).split("\n### ", -1)) {
      String title = part.lines().findFirst().orElse("");
      List<String> names = new ArrayList<>();
      Set<String> places = new TreeSet<>();
      for (String line : part.lines().toList()) {
        Matcher example = EXAMPLE.matcher(line);
        if (example.find()) {
          QUOTED.matcher(example.group(1)).results().forEach(name -> names.add(name.group(1)));
        }
        if (line.startsWith("| [")) {
          LINK.matcher(line).results().forEach(link -> places.add(place(link.group(1))));
        }
      }
      if (!places.isEmpty()) {
        sections.add(new Section(title, names, places));
      }
    }
    return sections;
  }

  private static String place(String link) {
    return CHECKOUT.relativize(DOCUMENT.resolveSibling(link).normalize()).toString();
  }

  /**
   * Sources of programs, services, builds, scripts, rules of the architecture and documents in
   * which one of the names is a word.
   */
  private static Set<String> occurrences(List<String> names) throws IOException {
    Pattern words =
        Pattern.compile(
            "(?<![A-Za-z0-9_-])(?:"
                + String.join("|", names.stream().map(Pattern::quote).toList())
                + ")(?![A-Za-z0-9_-])");
    Set<String> found = new TreeSet<>();
    for (Path file : files()) {
      String text = Files.readString(file).replaceAll("(?m)^import .*$", "");
      if (words.matcher(text).find() || words.matcher(nameOf(file)).matches()) {
        found.add(CHECKOUT.relativize(file).toString());
      }
    }
    return found;
  }

  private static String nameOf(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static List<Path> files() throws IOException {
    List<Path> files = new ArrayList<>(List.of(CHECKOUT.resolve(POM)));
    try (Stream<Path> modules = Files.list(CHECKOUT)) {
      for (Path module : modules.filter(Files::isDirectory).toList()) {
        if (Files.exists(module.resolve(POM))) {
          files.add(module.resolve(POM));
        }
        add(files, module.resolve("src/main"));
      }
    }
    for (String folder : List.of("bin", ".ci", "matrix", "examples", RULES)) {
      add(files, CHECKOUT.resolve(folder));
    }
    try (Stream<Path> documents = Files.list(CHECKOUT.resolve("docs"))) {
      documents
          .filter(file -> file.toString().endsWith(".md") && !file.equals(DOCUMENT))
          .forEach(files::add);
    }
    return files;
  }

  private static void add(List<Path> files, Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> sources = Files.walk(folder)) {
        sources
            .filter(Files::isRegularFile)
            .filter(file -> isText(CHECKOUT.relativize(file).toString()))
            .forEach(files::add);
      }
    }
  }

  private static boolean isText(String file) {
    boolean built = file.contains("/target/");
    boolean script = file.startsWith("bin/") || file.startsWith(".ci/");
    return !built
        && (script
            || file.endsWith(".java")
            || file.endsWith(POM)
            || file.contains("META-INF/services/"));
  }
}
