package org.ecstore.bench.peer;

import java.io.IOException;
import java.nio.file.Path;

class RedisContractTest extends PeerContract {
  RedisContractTest() {
    super("redis");
  }

  @Override
  Path artifacts() throws IOException {
    return onClassPath("embedded-redis-1.4.3");
  }
}
