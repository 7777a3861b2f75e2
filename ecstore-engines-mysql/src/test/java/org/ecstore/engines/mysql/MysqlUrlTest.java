package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.cluster.config.ConfigProblem;
import org.ecstore.cluster.config.ConfigReader;
import org.ecstore.cluster.config.InvalidConfigException;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.store.HeldDirectory;
import org.ecstore.engines.store.StoreDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a server is said to be; none is there. */
class MysqlUrlTest {
  @TempDir private Path directory;

  @Test
  void aUrlIsOfThisKindOfServerAndNamesADatabase() {
    MysqlKind kind = new MysqlKind();
    for (String url :
        List.of(
            "jdbc:mariadb://localhost:3306/ecstore",
            "jdbc:mysql://db/shop?useSsl=true",
            "jdbc:mariadb:///shop",
            "jdbc:mariadb://address=(host=db)(port=3306)/shop")) {
      assertEquals(Optional.empty(), kind.urlProblem(url), url);
    }
    for (String url :
        List.of(
            "redis://localhost:6379",
            "jdbc:postgresql://localhost/ecstore",
            "jdbc:mariadb://localhost:3306",
            "jdbc:mariadb://localhost:3306/",
            "jdbc:mariadb://localhost/?user=anna")) {
      assertEquals(
          Optional.of("must be like \"jdbc:mariadb://localhost:3306/ecstore\""),
          kind.urlProblem(url),
          url);
    }
  }

  /** One that has not what a store confirmed on another would be found to have lost it. */
  @Test
  void aUrlNamesOneServerAndNoWayToChooseAmongSeveral() {
    MysqlKind kind = new MysqlKind();
    for (String url :
        List.of(
            "jdbc:mariadb:sequential://one,two:3307/shop",
            "jdbc:mariadb:replication://one/shop",
            "jdbc:mysql:loadbalance://one:3306,two:3306/shop?a=b",
            "jdbc:mariadb://one,two/shop",
            "jdbc:mariadb://address=(host=one),address=(host=two)/shop")) {
      String problem = kind.urlProblem(url).orElseThrow();
      assertTrue(problem.startsWith("must name one server, and no way to choose"), problem);
    }
    assertEquals(Optional.empty(), kind.urlProblem("jdbc:mariadb://one/shop?a=b,c"));
  }

  /** The driver takes what the URL sets before what a store sets. */
  @Test
  void aUrlSetsNothingThatAStoreRestsOnAndAllThatItSetsIsSaidAtOnce() {
    MysqlKind kind = new MysqlKind();
    String url = "jdbc:mariadb://db/shop?user=anna&sockettimeout=0&pool=true&transactionReplay=1";
    String problem =
        "must not set socketTimeout (the node knows by its own that a server hangs),"
            + " transactionReplay (what has no outcome must not be made again), pool (a connection"
            + " that is given up must end)";
    assertEquals(Optional.of(problem), kind.urlProblem(url));
    for (String option :
        List.of(
            "connectTimeout=0",
            "autocommit=false",
            "sessionVariables=sql_mode=''",
            "initSql=SET%20x",
            "allowMultiQueries",
            "useServerPrepStmts=false",
            "useBulkStmts=false",
            "maxAllowedPacket=1000")) {
      String name = option.split("=", 2)[0];
      String why = kind.urlProblem("jdbc:mysql://db/shop?a=b&" + option).orElseThrow();
      assertTrue(why.startsWith("must not set " + name + " ("), why);
    }
    assertEquals(Optional.empty(), kind.urlProblem("jdbc:mariadb://db/pool?user=pool&x=pool"));
    EngineSettings settings =
        EngineSettings.DEFAULT
            .withKind("mysql")
            .withServer(new EngineServer(url, Optional.empty(), Optional.empty(), "shop_1"));
    String refused =
        String.valueOf(
            assertThrows(
                    EngineOpenException.class,
                    () -> kind.open(directory.resolve("engine"), settings))
                .getMessage());
    assertEquals("engine.url " + problem, refused);
  }

  /** The driver knows no user there, and says what stands there as it fails. */
  @Test
  void aUrlHasAHostWithAPortAndNoUserBeforeIt() {
    MysqlKind kind = new MysqlKind();
    for (String user :
        List.of("jdbc:mariadb://u:dragon@127.0.0.1:1/db", "jdbc:mysql://dragon@db/shop")) {
      assertEquals(
          Optional.of(
              "must not say before the host who logs in: engine.user and engine.password-file do"),
          kind.urlProblem(user),
          user);
    }
    for (String port :
        List.of(
            "jdbc:mariadb://127.0.0.1:99999/db",
            "jdbc:mariadb://h:-1/db",
            "jdbc:mariadb://h:0/db",
            "jdbc:mariadb://h:/db",
            "jdbc:mariadb://address=(host=db)(port=65536)/db")) {
      assertEquals(Optional.of("must have a port from 1 to 65535"), kind.urlProblem(port), port);
    }
    assertEquals(
        Optional.of("must name a host, and its port behind a colon"),
        kind.urlProblem("jdbc:mariadb://:3306/db"));
    assertEquals(Optional.empty(), kind.urlProblem("jdbc:mariadb://[::1]:3306/db"));
  }

  private List<String> problems(String more) throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("ecstore.toml"),
            "node.id = 1\nnode.directory = 'data'\nengine.kind = 'mysql'\n" + more);
    try {
      ConfigReader.read(file, Map.of());
      return List.of();
    } catch (InvalidConfigException refused) {
      return refused.problems().stream().map(ConfigProblem::message).toList();
    }
  }

  /** The driver takes the URL's. */
  @Test
  void aUserAndAPasswordAreSaidOnce() throws IOException {
    String user = "engine.url names a user, and engine.user is given too: give one";
    String password =
        "engine.url has a password, and engine.password-file or engine.password is given too: give"
            + " one";
    assertEquals(
        List.of(user, password),
        problems(
            """
            engine.url = 'jdbc:mariadb://h/db?User=u&password=p'
            engine.user = 'bob'
            engine.password = 'x'
            """));
    assertEquals(
        List.of(user),
        problems("engine.url = 'jdbc:mariadb://h/db?user=u'\nengine.user = 'bob'\n"));
    for (String once :
        List.of(
            "engine.url = 'jdbc:mariadb://h/db?user=u&password=p'\n",
            "engine.url = 'jdbc:mariadb://h/db?user=u'\nengine.password = 'x'\n",
            "engine.url = 'jdbc:mariadb://h/db?password=p'\nengine.user = 'bob'\n",
            "engine.url = 'jdbc:mariadb://h/db'\nengine.user = 'bob'\n")) {
      assertEquals(List.of(), problems(once), once);
    }
    EngineSettings settings =
        EngineSettings.DEFAULT.withServer(
            new EngineServer(
                "jdbc:mariadb://h/db?user=u", Optional.of("bob"), Optional.empty(), "shop_1"));
    assertEquals(
        user,
        assertThrows(
                EngineOpenException.class,
                () -> new MysqlKind().open(directory.resolve("engine"), settings))
            .getMessage());
  }

  /** As the driver says it to a user of MySQL whose password it has no key for. */
  @Test
  void whatToDoIsSaidWhereMysqlAsksForAnEncryptedPassword() {
    SQLException refused =
        new SQLException(
            "RSA public key is not available client side (option serverRsaPublicKeyFile not set)");
    String hint = MysqlServer.hint(refused);
    for (String option : List.of("sslMode=verify-full", "allowPublicKeyRetrieval=true")) {
      assertTrue(hint.contains(option), hint);
      assertEquals(
          Optional.empty(), new MysqlKind().urlProblem("jdbc:mysql://db/shop?" + option), option);
    }
    assertEquals("", MysqlServer.hint(new SQLException("Connection refused")));
  }

  /** Nothing was ever in it. */
  @Test
  @Timeout(60)
  void aStoreWhoseServerWasNeverThereLeavesItsDirectoryToAnotherKind() {
    Path engine = directory.resolve("engine");
    EngineServer server =
        new EngineServer(
            "jdbc:mariadb://127.0.0.1:" + new FreePorts().next() + "/shop",
            Optional.empty(),
            Optional.empty(),
            "shop_1");
    MysqlSettings settings = MysqlSettings.of(server).withAnswerWithin(Duration.ofSeconds(2));
    assertThrows(EngineOpenException.class, () -> MysqlStore.open(engine, settings));
    HeldDirectory.take(engine, new StoreDirectory.Format("other", 1)).close();
  }

  @Test
  void whatIsSecretInTheUrlIsNotInTheError() {
    String address = "127.0.0.1:" + new FreePorts().next();
    EngineServer server =
        new EngineServer(
            "jdbc:mysql://" + address + "/shop?user=anna&password=dragon",
            Optional.empty(),
            Optional.empty(),
            "shop_1");
    MysqlSettings settings = MysqlSettings.of(server).withAnswerWithin(Duration.ofSeconds(2));
    String message =
        String.valueOf(
            assertThrows(
                    EngineOpenException.class,
                    () -> MysqlStore.open(directory.resolve("engine"), settings))
                .getMessage());
    assertFalse(message.contains("dragon"), message);
    assertTrue(message.contains(address + "/shop?user=anna&password=***"), message);
    assertEquals(
        "at jdbc:mariadb://" + address + "/shop?user=anna&password=***",
        settings.covered("at " + settings.url()));
  }
}
