package org.ecstore.tools.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Everything that says a release number says the same, and the change log knows it. */
class ReleaseTest {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ENTRY = Pattern.compile("(?m)^## (.*)$");
  private static final Pattern NUMBER = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");

  private static List<String> entries() throws IOException {
    Matcher matcher = ENTRY.matcher(Files.readString(CHECKOUT.resolve("CHANGELOG.md")));
    List<String> found = new ArrayList<>();
    while (matcher.find()) {
      found.add(matcher.group(1));
    }
    assertTrue(found.size() > 1, "the change log has entries");
    return found;
  }

  private static String newest() throws IOException {
    return entries().getFirst();
  }

  @Test
  void everyPomHasTheNumberOfTheNewestEntry() throws IOException {
    TreeMap<String, String> versions = new TreeMap<>();
    for (Path pom : poms()) {
      Matcher own =
          Pattern.compile("(?m)^ {2,4}<version>(.*)</version>$").matcher(Files.readString(pom));
      assertTrue(own.find(), pom::toString);
      versions.put(CHECKOUT.relativize(pom).toString(), own.group(1));
    }
    assertTrue(versions.size() > 10, versions::toString);
    String newest = newest();
    versions.values().removeIf(newest::equals);
    assertEquals(new TreeMap<>(), versions, "these are not " + newest + ": see bin/release");
  }

  private static List<Path> poms() throws IOException {
    try (Stream<Path> folders = Files.list(CHECKOUT)) {
      return Stream.concat(Stream.of(CHECKOUT), folders.filter(Files::isDirectory).sorted())
          // Those of the matrix are of projects outside.
          .filter(folder -> !folder.endsWith("matrix"))
          .map(folder -> folder.resolve("pom.xml"))
          .filter(Files::exists)
          .toList();
    }
  }

  @Test
  void theReadmeNamesTheNewestRelease() throws IOException {
    String readme = Files.readString(CHECKOUT.resolve("README.md"));
    assertTrue(readme.contains("<version>" + newest() + "</version>"), "in its pom.xml");
    assertTrue(readme.contains("org.ecstore:ecstore-bom:" + newest()), "in its lines for Gradle");
  }

  @Test
  void numbersGrow() throws IOException {
    List<String> entries = entries();
    assertEquals(
        entries.stream().sorted(Comparator.comparingLong(ReleaseTest::rank).reversed()).toList(),
        entries);
    assertEquals(entries.size(), entries.stream().distinct().count());
  }

  private static long rank(String number) {
    Matcher matcher = NUMBER.matcher(number);
    assertTrue(matcher.matches(), () -> number + " is no number of a release");
    long rank = 0;
    for (int part = 1; part <= 3; part++) {
      rank = rank * 10_000 + Long.parseLong(matcher.group(part));
    }
    return rank;
  }

  /** Of the newest it is the one that set its number, which cannot name itself. */
  @Test
  void everyEarlierEntryNamesItsCommit() throws IOException {
    String[] texts = Files.readString(CHECKOUT.resolve("CHANGELOG.md")).split("(?m)^## .*$", -1);
    for (int entry = 2; entry < texts.length; entry++) {
      String text = texts[entry];
      assertTrue(
          Pattern.compile("\\ACommit `[0-9a-f]{7,40}`\\. ").matcher(text.strip()).find(),
          () -> "this entry begins with no commit: " + text);
    }
  }
}
