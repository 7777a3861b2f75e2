package org.ecstore.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The source files of all modules of the checkout. */
final class Sources {
  private static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

  private Sources() {}

  /** The Java files of one side, {@code main} or {@code test}, of all modules, in order. */
  static List<Path> files(String side) throws IOException {
    List<Path> found = new ArrayList<>();
    for (Path root : roots(side)) {
      try (Stream<Path> files = Files.walk(root)) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(found::add);
      }
    }
    return found;
  }

  /** The Markdown files of the checkout, its documents and its decisions, in order. */
  static List<Path> documents() throws IOException {
    Path docs = CHECKOUT.resolve("docs");
    List<Path> found = new ArrayList<>();
    for (Path folder : List.of(CHECKOUT, docs, docs.resolve("decisions"), docs.resolve("guides"))) {
      try (Stream<Path> files = Files.list(folder)) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(found::add);
      }
    }
    assertTrue(found.size() >= 4, found::toString);
    return found;
  }

  /** The names of the packages of one side of all modules. */
  static TreeSet<String> packages(String side) throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (Path root : roots(side)) {
      for (Path file : files(side)) {
        if (file.startsWith(root)) {
          found.add(root.relativize(file.getParent()).toString().replace('/', '.'));
        }
      }
    }
    return found;
  }

  /** A file's name in the checkout, for people. */
  static String name(Path file) {
    return CHECKOUT.relativize(file).toString();
  }

  /** The folders of Java files of all modules that the build has. */
  private static List<Path> roots(String side) throws IOException {
    return MODULE
        .matcher(Files.readString(CHECKOUT.resolve("pom.xml")))
        .results()
        .map(module -> CHECKOUT.resolve(module.group(1)))
        .map(module -> module.resolve("src").resolve(side).resolve("java"))
        .filter(Files::isDirectory)
        .sorted()
        .toList();
  }
}
