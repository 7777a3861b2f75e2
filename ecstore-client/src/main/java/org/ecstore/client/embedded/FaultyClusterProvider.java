package org.ecstore.client.embedded;

import java.nio.file.Path;
import org.ecstore.client.error.UnavailableException;

/** Starts clusters for tests, in this JVM or beside it. Found as a service on the class path. */
public interface FaultyClusterProvider {
  /**
   * Starts one in a directory, which is made if it is not there, and returns once all nodes serve.
   *
   * @param nodes how many, from 2 to {@link FaultyCluster#NODES_MAX}
   * @throws UnavailableException if they do not; it says why
   */
  FaultyCluster start(Path directory, int nodes);

  /** Whether it can do so on this Java; if not, the next provider is asked. */
  default boolean worksHere() {
    return true;
  }

  /**
   * Starts one by the first provider that works on this Java.
   *
   * @throws UnavailableException if there is none, or the nodes do not serve
   */
  static FaultyCluster startAny(Path directory, int nodes) {
    Providers<FaultyClusterProvider> found =
        Providers.find(FaultyClusterProvider.class, FaultyClusterProvider::worksHere);
    return found
        .first()
        .orElseThrow(
            () ->
                new UnavailableException(
                    "a cluster for tests needs the artifact org.ecstore:ecstore-embedded on the"
                        + " class path, of the same release as the client",
                    found.tooNew().orElse(null),
                    "java",
                    Runtime.version().feature()))
        .start(directory, nodes);
  }
}
