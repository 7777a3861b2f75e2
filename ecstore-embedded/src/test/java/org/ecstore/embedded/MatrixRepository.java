package org.ecstore.embedded;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A local repository of Maven for the projects of the matrix: what this checkout has of ecStore,
 * and for all else links into the user's own, which is as it was afterwards but for what it did not
 * have yet.
 */
final class MatrixRepository {
  /** The modules that an application may depend on, and what they need. */
  static final List<String> MODULES =
      List.of(
          "wire",
          "core",
          "replication",
          "txn",
          "engines",
          "client",
          "spring",
          "spring-boot3-starter",
          "spring-boot-starter",
          "server",
          "embedded",
          "bom");

  /** Groups that have to be kept in the user's repository, also where it has none of them. */
  private static final List<String> GROUPS =
      List.of("ch", "com", "io", "jakarta", "org/springframework", "org/yaml", "org/apache");

  private static final String OURS = "ecstore";

  private final Path root;
  private final String version;

  private MatrixRepository(Path root, String version) {
    this.root = root;
    this.version = version;
  }

  /**
   * Makes one, or brings one up to date.
   *
   * @param users the user's own
   */
  static MatrixRepository in(Path root, Path users, Path checkout, String version)
      throws IOException {
    for (String group : GROUPS) {
      Files.createDirectories(users.resolve(group));
    }
    Files.createDirectories(root.resolve("org"));
    link(users, root, List.of("org"));
    link(users.resolve("org"), root.resolve("org"), List.of(OURS));
    MatrixRepository repository = new MatrixRepository(root, version);
    repository.put("ecstore", checkout.resolve("pom.xml"), false);
    for (String module : MODULES) {
      String name = "ecstore-" + module;
      repository.put(name, checkout.resolve(name).resolve("pom.xml"), !module.equals("bom"));
    }
    return repository;
  }

  private static void link(Path from, Path to, List<String> except) throws IOException {
    try (Stream<Path> entries = Files.list(from)) {
      for (Path entry : entries.filter(Files::isDirectory).toList()) {
        Path link = to.resolve(entry.getFileName());
        if (!except.contains(entry.getFileName().toString()) && !Files.exists(link)) {
          Files.deleteIfExists(link);
          Files.createSymbolicLink(link, entry.toAbsolutePath());
        }
      }
    }
  }

  /** The jar is there for Maven to find, and empty: {@link #classes} replaces it. */
  private void put(String artifact, Path pom, boolean withJar) throws IOException {
    Path folder = Files.createDirectories(folder().resolve(artifact).resolve(version));
    String name = artifact + "-" + version;
    Files.copy(pom, folder.resolve(name + ".pom"), StandardCopyOption.REPLACE_EXISTING);
    if (withJar) {
      new JarOutputStream(Files.newOutputStream(folder.resolve(name + ".jar"))).close();
    }
  }

  private Path folder() {
    return root.resolve("org").resolve(OURS);
  }

  /** Where it is. */
  Path root() {
    return root;
  }

  /** What Maven has found, with the classes of this checkout in place of ecStore's jars. */
  List<Path> classes(List<Path> found, Path checkout) {
    Path compiled = compiled(checkout);
    return found.stream()
        .map(
            jar ->
                jar.startsWith(folder()) ? checkout.resolve(artifact(jar)).resolve(compiled) : jar)
        .toList();
  }

  private static Path artifact(Path jar) {
    // Artifact, version, jar.
    return jar.getName(jar.getNameCount() - 3);
  }

  /** Where a build puts a module's classes, below the module. */
  private static Path compiled(Path checkout) {
    Path ours =
        Path.of(
            URI.create(
                StoreOnAnotherJava.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toString()));
    return checkout.resolve("ecstore-embedded").relativize(ours);
  }
}
