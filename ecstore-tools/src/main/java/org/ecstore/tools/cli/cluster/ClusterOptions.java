package org.ecstore.tools.cli.cluster;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster it is about. */
public final class ClusterOptions {
  private static final int LOOK_SECONDS = 120;

  @Option(names = "--dir", paramLabel = "DIR", description = "The directory of the cluster.")
  private @Nullable Path directory;

  @Option(
      names = "--at",
      paramLabel = "NODES",
      description = {
        "Addresses of its nodes instead, of those that run wherever: 10.0.0.1:7420,10.0.0.2. One"
            + " that answers is enough."
      })
  private @Nullable String nodes;

  /** The cluster. */
  public ClusterAccess access() {
    return access(Optional.empty(), LOOK_SECONDS);
  }

  ClusterAccess access(Optional<Path> secretFile, int waitSeconds) {
    return new ClusterAccess(
        Optional.ofNullable(directory), Optional.ofNullable(nodes), secretFile, waitSeconds);
  }
}
