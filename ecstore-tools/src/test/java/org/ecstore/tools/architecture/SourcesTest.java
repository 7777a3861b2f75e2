package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions.Style;
import com.google.googlejavaformat.java.RemoveUnusedImports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What holds for the source files of all modules. */
class SourcesTest {
  private static final Pattern SLEEP = Pattern.compile("\\.sleep\\(|\\bparkNanos\\(");

  private static String formatted(String source) throws FormatterException {
    String withImports =
        ImportOrderer.reorderImports(RemoveUnusedImports.removeUnusedImports(source), Style.GOOGLE);
    return new Formatter().formatSource(withImports);
  }

  /** The packages, as folders, that are not annotated. */
  private static List<String> notNullMarked(List<Path> sources) throws IOException {
    TreeSet<Path> folders = new TreeSet<>();
    sources.forEach(file -> folders.add(file.resolveSibling("package-info.java")));
    List<String> missing = new ArrayList<>();
    for (Path info : folders) {
      if (!Files.exists(info) || !Files.readString(info).contains("\n@NullMarked\npackage ")) {
        missing.add(Sources.name(info));
      }
    }
    return missing;
  }

  @Test
  void everyPackageIsNullMarked() throws IOException {
    List<Path> sources = Sources.files("main");
    assertTrue(sources.size() > 50, "sources are found");
    assertEquals(List.of(), notNullMarked(sources));
  }

  @Test
  void packageWithoutNullMarkedIsFound() throws IOException {
    List<String> found = notNullMarked(Sources.files("test"));
    assertTrue(
        found.stream().anyMatch(name -> name.contains("architecture/fixture/nowhere")),
        found::toString);
  }

  /** A name means one thing: types of programs have simple names of their own. */
  @Test
  void simpleNamesAreUnique() throws IOException {
    assertEquals(List.of(), ambiguous(Sources.files("main")));
  }

  @Test
  void aSimpleNameThatIsThereTwiceIsFound() throws IOException {
    Path one = Sources.files("main").getFirst();
    assertEquals(1, ambiguous(List.of(one, one)).size());
  }

  private static List<String> ambiguous(List<Path> sources) {
    Map<String, List<Path>> named =
        sources.stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    file -> file.getFileName().toString(), TreeMap::new, Collectors.toList()));
    return named.values().stream()
        .filter(files -> files.size() > 1)
        .map(files -> files.stream().map(Sources::name).toList().toString())
        .toList();
  }

  /**
   * A package is a room that is taken in at a glance. The client's is what applications import, and
   * one import line is worth more to them than a shorter list.
   */
  @Test
  void packagesHaveAtMostTwentyTypes() throws IOException {
    Map<String, Long> sizes = crowded(Sources.files("main"), 20);
    sizes.remove("ecstore-client/src/main/java/org/ecstore/client");
    assertEquals(Map.of(), sizes);
  }

  @Test
  void aCrowdedPackageIsFound() throws IOException {
    assertTrue(!crowded(Sources.files("main"), 15).isEmpty());
  }

  private static Map<String, Long> crowded(List<Path> sources, int typesMax) {
    Map<String, Long> sizes =
        sources.stream()
            .filter(file -> !file.endsWith("package-info.java"))
            .collect(
                Collectors.groupingBy(
                    file -> Sources.name(file.resolveSibling("")),
                    TreeMap::new,
                    Collectors.counting()));
    sizes.values().removeIf(types -> types <= typesMax);
    return sizes;
  }

  /** Prose and names say which component acts, and how often. The change log is history. */
  @Test
  void noTextIsVague() throws IOException {
    List<Path> texts = new ArrayList<>(Sources.documents());
    texts.removeIf(file -> file.endsWith("CHANGELOG.md"));
    texts.addAll(Sources.files("main"));
    texts.addAll(Sources.files("test"));
    List<String> found = new ArrayList<>();
    for (Path file : texts) {
      found.addAll(VagueWords.in(Sources.name(file), Files.readString(file)));
    }
    assertEquals(List.of(), found, "name the component that acts, or the interval");
  }

  @Test
  void aVagueTextIsFound() {
    String person = "no" + "body";
    assertEquals(
        List.of("a.md:2: " + person),
        VagueWords.in("a.md", "One waits,\nand " + person + " asks."));
    List.of(
            "/** Who" + "ever asks waits. */",
            "void readOfNo" + "bodyEnds() {",
            "NO" + "BODY_WAITS,",
            "   * It asks now and\n   * " + "then.",
            "\"a peer that can not be\"\n + \" " + "had\"",
            "Their order is of no\n" + "matter.")
        .forEach(text -> assertEquals(1, VagueWords.in("A.java", text).size(), text));
    assertEquals(
        List.of(), VagueWords.in("A.java", "BodyPublishers.noBody(); // A now, and then B"));
  }

  /**
   * A test that sleeps is slow where it need not be, and fails where it should have slept longer.
   */
  @Test
  void noTestSleeps() throws IOException {
    List<Path> sources = new ArrayList<>(Sources.files("test"));
    assertTrue(sources.removeIf(file -> file.endsWith("core/testing/Pause.java")));
    List<String> found = new ArrayList<>();
    for (Path file : sources) {
      found.addAll(sleeping(Sources.name(file), Files.readString(file)));
    }
    assertEquals(List.of(), found, "wait with Await; let time pass with Pause");
  }

  @Test
  void aTestThatSleepsIsFound() {
    for (String call :
        List.of("Thread.sl" + "eep(5)", "SECONDS.sl" + "eep(1)", "parkN" + "anos(9)")) {
      assertEquals(1, sleeping("ATest.java", "while (waits) {\n  " + call + ";\n}").size(), call);
    }
  }

  private static List<String> sleeping(String name, String source) {
    return SLEEP.matcher(source).results().map(call -> name + ": " + call.group()).toList();
  }

  /**
   * Here and not by a plugin, which works in Maven's own JVM and needs a newer one than some have.
   */
  @Test
  @Tag("slow")
  void everySourceIsFormatted() throws IOException, FormatterException {
    List<String> unformatted = new ArrayList<>();
    for (String side : List.of("main", "test")) {
      for (Path file : Sources.files(side)) {
        String source = Files.readString(file);
        if (!source.equals(formatted(source))) {
          unformatted.add(Sources.name(file));
        }
      }
    }
    assertEquals(List.of(), unformatted, "bin/format formats them");
  }

  @Test
  void badFormatIsFound() throws FormatterException {
    String source = "package a;\n\nimport java.util.List;\n\nclass A{}\n";
    assertNotEquals(source, formatted(source));
    assertEquals("package a;\n\nclass A {}\n", formatted(source));
  }
}
