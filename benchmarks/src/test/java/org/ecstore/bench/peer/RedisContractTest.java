package org.ecstore.bench.peer;

import java.io.IOException;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.MavenArtifacts;

class RedisContractTest extends PeerContract {
  RedisContractTest() {
    super("redis");
  }

  @Override
  MavenArtifacts artifacts() throws IOException {
    return ClassPathArtifacts.of("embedded-redis-1.4.3");
  }
}
