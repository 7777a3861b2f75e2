package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.ecstore.cluster.database.MavenArtifacts;

/** A program that is taken for Redis's, on Linux on amd64 without any of its own. */
final class ScriptedRedis {
  private ScriptedRedis() {}

  /**
   * Artifacts that have it.
   *
   * @param directory for them
   * @param script what it does, for {@code sh}
   */
  static MavenArtifacts does(Path directory, String script) throws IOException {
    Path artifact = Files.createDirectories(directory.resolve("embedded-redis-1.4.3"));
    Path unpacked = Files.createDirectories(artifact.resolve("unpacked"));
    Path program = unpacked.resolve("redis-server-6.2.6-v5-linux-amd64");
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(artifact.resolve("classpath.txt"), program.toString());
    return new MavenArtifacts(directory, _ -> {});
  }
}
