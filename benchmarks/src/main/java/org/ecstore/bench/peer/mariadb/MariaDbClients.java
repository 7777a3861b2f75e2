package org.ecstore.bench.peer.mariadb;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ecstore.bench.peer.local.PeerClients;
import org.ecstore.bench.store.BenchDb;
import site.ycsb.DBException;

/** Connections to one server, each for one thread. */
final class MariaDbClients implements PeerClients {
  private static final String DATABASE = "ycsb";
  private static final String USER = "bench";

  /** What a new server is told once. Only this machine reaches it. */
  static final String INIT =
      """
      CREATE DATABASE IF NOT EXISTS ycsb CHARACTER SET latin1 COLLATE latin1_bin;
      CREATE USER IF NOT EXISTS bench@'127.0.0.1' IDENTIFIED BY 'bench';
      GRANT ALL ON *.* TO bench@'127.0.0.1';
      """;

  private static final String ASK =
      "SELECT VERSION(), @@innodb_flush_log_at_trx_commit, @@innodb_buffer_pool_size,"
          + " @@innodb_flush_method";
  private static final long MEBI = 1 << 20;

  private final String url;

  MariaDbClients(String address) {
    this.url =
        "jdbc:mariadb://"
            + address
            + "/"
            + DATABASE
            + "?useServerPrepStmts=true&sslMode=disable&connectTimeout=10000";
  }

  private Connection connection() throws SQLException {
    return DriverManager.getConnection(url, USER, USER);
  }

  @Override
  public BenchDb client() throws DBException {
    try {
      return new MariaDbDb(connection());
    } catch (SQLException e) {
      throw new DBException(e);
    }
  }

  @Override
  public Map<String, String> settings() throws DBException {
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet said = statement.executeQuery(ASK)) {
      said.next();
      Map<String, String> settings = new LinkedHashMap<>();
      settings.put("version", said.getString(1));
      settings.put("engine", "InnoDB");
      settings.put("durability", durability(said.getInt(2)));
      settings.put("bufferPool", said.getLong(3) / MEBI + " MiB");
      settings.put("flushMethod", said.getString(4));
      settings.put("isolation", "reads: consistent reads of one statement; befriend: serializable");
      return settings;
    } catch (SQLException e) {
      throw new DBException(e);
    }
  }

  private static String durability(int flush) {
    return switch (flush) {
      case 1 -> "every commit synced (innodb_flush_log_at_trx_commit=1)";
      case 2 -> "synced each second (innodb_flush_log_at_trx_commit=2)";
      default -> "innodb_flush_log_at_trx_commit=" + flush;
    };
  }

  @Override
  public void close() {}
}
