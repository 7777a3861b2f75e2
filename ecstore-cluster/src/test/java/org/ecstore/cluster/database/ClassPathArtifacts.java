package org.ecstore.cluster.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
    Path home = Files.createDirectories(directory.resolve(artifact));
    // Tests of another process may be reading it.
    Path whole = Files.writeString(Files.createTempFile(home, "classpath", ".new"), jar);
    Files.move(whole, home.resolve("classpath.txt"), StandardCopyOption.ATOMIC_MOVE);
    return new MavenArtifacts(directory, _ -> {});
  }
}
