package org.ecstore.server;

import java.io.IOException;
import java.nio.file.Path;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyClusterProvider;
import org.ecstore.client.error.UnavailableException;

/** Clusters for tests whose nodes are in this JVM. */
public final class FaultyClustersHere implements FaultyClusterProvider {
  @Override
  public FaultyCluster start(Path directory, int nodes) {
    return startHere(directory, nodes);
  }

  static LocalFaultyCluster startHere(Path directory, int nodes) {
    try {
      return LocalFaultyCluster.start(directory, nodes);
    } catch (IOException | IllegalStateException e) {
      throw new UnavailableException(String.valueOf(e.getMessage()), e, "directory", directory);
    }
  }
}
