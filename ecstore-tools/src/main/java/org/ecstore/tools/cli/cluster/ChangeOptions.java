package org.ecstore.tools.cli.cluster;

import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster is changed, and by what right. */
public final class ChangeOptions {
  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "The file with the cluster's secret; DIR/cluster.secret if not given, which --at cannot"
              + " do without.")
  private @Nullable Path secretFile;

  @Option(
      names = "--wait",
      paramLabel = "S",
      defaultValue = "120",
      description = "Seconds that it may take; ${DEFAULT-VALUE} if not given.")
  private int waitSeconds;

  /** The cluster. */
  public ClusterAccess access() {
    return cluster.access(Optional.ofNullable(secretFile), waitSeconds);
  }
}
