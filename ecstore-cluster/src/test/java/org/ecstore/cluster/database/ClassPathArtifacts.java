package org.ecstore.cluster.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Artifacts that are on the class path of the tests, so that nothing is fetched. */
public final class ClassPathArtifacts {
  private ClassPathArtifacts() {}

  /**
   * Those of one artifact; what must be unpacked is unpacked once in a checkout.
   *
   * @param artifact {@code name-version}
   */
  public static MavenArtifacts of(String artifact) throws IOException {
    String jar =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .filter(entry -> entry.endsWith(artifact + ".jar"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(artifact + " is not on the class path"));
    // Of the checkout, not of one module.
    Path directory = Path.of("..", "target", "artifacts").toAbsolutePath().normalize();
    Files.createDirectories(directory.resolve(artifact));
    Files.writeString(directory.resolve(artifact).resolve("classpath.txt"), jar);
    return new MavenArtifacts(directory, _ -> {});
  }
}
