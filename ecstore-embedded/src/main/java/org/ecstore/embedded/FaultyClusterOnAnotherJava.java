package org.ecstore.embedded;

import java.nio.file.Path;
import org.ecstore.client.embedded.FaultCommand;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyClusterProvider;

/**
 * A cluster for tests on a Java that is too old for its nodes: they run on a newer one of this
 * machine, all in one process beside this one, which ends with the cluster or with this process.
 */
public final class FaultyClusterOnAnotherJava implements FaultyClusterProvider {
  private static final String MAIN = "org.ecstore.server.FaultyClusterProcess";

  @Override
  public boolean worksHere() {
    return Runtime.version().feature() < NewerJava.NEEDED;
  }

  @Override
  public FaultyCluster start(Path directory, int nodes) {
    ProcessOnAnotherJava process =
        ProcessOnAnotherJava.start(MAIN, directory, String.valueOf(nodes));
    return FaultCommand.over(
        new FaultCommand.Line() {
          @Override
          public String ask(String line) {
            return process.ask(line);
          }

          @Override
          public void close() {
            process.close();
          }
        });
  }
}
