package org.ecstore.engines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EngineServerTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          redis://db:6379 | redis://db:6379
          redis://:dragon@db:6379/0 | redis://:***@db:6379/0
          redis://dragon@db:6379 | redis://***@db:6379
          redis://anna:dragon@db | redis://anna:***@db
          redis://anna:dr@gon/7@db | redis://anna:***@db
          jdbc:mariadb://db/shop?user=anna&password=dragon | jdbc:mariadb://db/shop?user=anna&password=***
          jdbc:mariadb://db/shop?password=fly;dragon&x=1 | jdbc:mariadb://db/shop?password=***&x=1
          jdbc:mariadb://db/shop?x=1;password=fly;dragon | jdbc:mariadb://db/shop?x=1;password=***
          jdbc:mariadb://db/shop?Password=dr@gon&x=1 | jdbc:mariadb://db/shop?Password=***&x=1
          jdbc:mariadb:anna:dragon@db/shop | ***@db/shop
          redis:dragon@db | ***@db
          redis:dragon@db?x=http://y | ***@db?x=http://y
          redis:dra://gon@db | ***@db
          REDIS://:dragon@db | REDIS://:***@db
          jdbc:mariadb:sequential://anna:dragon@db/s | jdbc:mariadb:sequential://anna:***@db/s
          jdbc:mysql://db/shop?keyStorePassword=dragon | jdbc:mysql://db/shop?keyStorePassword=***
          """)
  void whatIsSecretInAUrlIsCovered(String url, String shown) {
    assertEquals(shown, EngineServer.shown(url));
    EngineServer server = new EngineServer(url, Optional.empty(), Optional.of("dragon"), "shop_1");
    assertEquals(shown, server.shownUrl());
    assertFalse(server.toString().contains("dragon"), server::toString);
  }

  @Test
  void aLineBreakUncoversNothing() {
    assertEquals("redis://:***@db", EngineServer.shown("redis://:dra\ngon@db"));
    assertEquals("***@db", EngineServer.shown("redis:/dra\ngon@db"));
    assertEquals(
        "jdbc:x://db/s?password=***", EngineServer.shown("jdbc:x://db/s?password=dra\ngon"));
  }
}
