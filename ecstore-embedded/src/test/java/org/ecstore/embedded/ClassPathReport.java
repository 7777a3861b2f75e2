package org.ecstore.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * What an artifact brings to a class path.
 *
 * @param entries jars, and folders of classes where ecStore's own are not packed
 */
record ClassPathReport(String artifact, List<Path> entries) {
  private static final String BINDING = "META-INF/services/org.slf4j.spi.SLF4JServiceProvider";

  /** Those that decide where messages go, which is the application's business. */
  List<Path> loggingBindings() {
    return jars().filter(jar -> holds(jar, BINDING)).toList();
  }

  /** Whether one has a name that begins so. */
  boolean has(String name) {
    return entries.stream().anyMatch(entry -> entry.getFileName().toString().startsWith(name));
  }

  /** Bytes of what others made, packed. */
  long othersBytes() {
    return jars().mapToLong(jar -> jar.toFile().length()).sum();
  }

  /** Bytes of ecStore's own classes, not packed. */
  long ownBytes() {
    return entries.stream().filter(Files::isDirectory).mapToLong(ClassPathReport::bytes).sum();
  }

  private Stream<Path> jars() {
    return entries.stream().filter(Files::isRegularFile);
  }

  private static boolean holds(Path jar, String name) {
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.getEntry(name) != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long bytes(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One line, and one for each entry. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s: %d jars; %.1f MB of others, %.1f MB of classes of its own before packing%n",
                artifact,
                entries.size(),
                othersBytes() / 1e6,
                ownBytes() / 1e6));
    entries.forEach(entry -> text.append("  ").append(name(entry)).append(System.lineSeparator()));
    return text.toString();
  }

  private static Path name(Path entry) {
    return Files.isDirectory(entry)
        ? entry.subpath(entry.getNameCount() - 3, entry.getNameCount())
        : entry.getFileName();
  }
}
