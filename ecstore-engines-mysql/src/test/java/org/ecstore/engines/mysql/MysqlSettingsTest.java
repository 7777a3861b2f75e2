package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.window.WindowThreads;
import org.junit.jupiter.api.Test;

class MysqlSettingsTest {
  /**
   * An estimate holds one connection and asks for another one. That the pool gives as many is not
   * tried here: this holds the two numbers together.
   */
  @Test
  void thereAreConnectionsForAsManyThreadsAsANodeReadsWith() {
    EngineServer server =
        new EngineServer(
            "jdbc:mariadb://localhost/shop", Optional.empty(), Optional.empty(), "shop_1");
    int threads = WindowThreads.Bounds.DEFAULT.withServer().readers();
    assertTrue(MysqlSettings.of(server).readers() > 2 * threads);
  }
}
