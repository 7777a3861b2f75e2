package org.ecstore.engines.mysql;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.ecstore.engines.EngineServer;
import org.ecstore.engines.store.Ownership;
import org.ecstore.engines.store.StoreException;
import org.ecstore.wire.Limits;
import org.mariadb.jdbc.Driver;

/** The server: how it is reached, what it must be set to, and what its errors mean. */
final class MysqlServer {
  /** A row with all that a statement has around it. */
  private static final long PACKET_BYTES_MIN =
      Limits.VALUE_BYTES_MAX + Limits.KEY_BYTES_MAX + (16 << 10);

  /** Commits that are on disk when they are confirmed, if they are in no other log. */
  private static final Set<Integer> DURABLE = Set.of(1, 3);

  /** Commits that are on disk whatever is in another log. */
  private static final int DURABLE_ALONE = 3;

  /** A table or the disk is full. */
  private static final Set<Integer> FULL = Set.of(3, 20, 28, 1021, 1114, 3185, 3186);

  /** An error of the operating system, which is in the text as a number. */
  private static final int OF_SYSTEM = 1030;

  private static final Pattern NO_SPACE = Pattern.compile("\\b(?:error|errno:) 28\\b");

  /** No such table, database. */
  private static final Set<Integer> GONE = Set.of(1049, 1146, 1932);

  /** What the driver has in one packet, if it is not told of less. */
  private static final int DRIVER_PACKET_BYTES = 16 << 20;

  private final MysqlSettings settings;

  /** What the server takes in one packet, as far as that concerns the driver. */
  private volatile int packetBytes = DRIVER_PACKET_BYTES;

  MysqlServer(MysqlSettings settings) {
    this.settings = settings;
  }

  /** What every connection is made with. */
  Properties properties() {
    Properties properties = new Properties();
    settings.server().user().ifPresent(user -> properties.setProperty("user", user));
    settings.server().password().ifPresent(word -> properties.setProperty("password", word));
    String millis = Long.toString(settings.answerWithin().toMillis());
    properties.setProperty("connectTimeout", millis);
    properties.setProperty("socketTimeout", millis);
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("useBulkStmts", "true");
    properties.setProperty("prepStmtCacheSize", "64");
    if (packetBytes < DRIVER_PACKET_BYTES) {
      properties.setProperty("maxAllowedPacket", Integer.toString(packetBytes));
    }
    return properties;
  }

  /** A connection whose driver knows how much the server takes in one packet. */
  Connection connect() throws SQLException {
    Connection connection = connected();
    boolean isKnown = false;
    try {
      int told = packetBytes;
      packetBytes = (int) Math.min(DRIVER_PACKET_BYTES, packet(connection));
      isKnown = packetBytes == told;
    } finally {
      if (!isKnown) {
        connection.abort(Runnable::run);
      }
    }
    return isKnown ? connection : connected();
  }

  private static long packet(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT @@max_allowed_packet")) {
      found.next();
      return found.getLong(1);
    }
  }

  private Connection connected() throws SQLException {
    Connection connection = new Driver().connect(settings.url(), properties());
    if (connection == null) {
      throw new SQLException(
          "not a URL of MariaDB or MySQL, as in \"jdbc:mariadb://localhost:3306/ecstore\": "
              + EngineServer.shown(settings.url()));
    }
    return connection;
  }

  /**
   * Checks what the store relies on.
   *
   * @return the name of the database
   * @throws SQLException if the server is not so; says what to set
   */
  static String checked(Connection connection) throws SQLException {
    String database;
    try (Statement statement = connection.createStatement();
        ResultSet found = statement.executeQuery("SELECT DATABASE()")) {
      found.next();
      database = found.getString(1);
    }
    if (database == null) {
      throw new SQLException("the URL names no database");
    }
    long packet = packet(connection);
    if (packet < PACKET_BYTES_MIN) {
      throw new SQLException(
          "max_allowed_packet of the server is "
              + packet
              + ", too small for a row: set it to "
              + PACKET_BYTES_MIN
              + " or more");
    }
    checkDurable(connection);
    return database;
  }

  /**
   * Checks that what the server confirms is on its disk.
   *
   * @throws SQLException if it is not; says what to set
   */
  static void checkDurable(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet found =
            statement.executeQuery(
                "SELECT @@innodb_flush_log_at_trx_commit, @@log_bin, @@sync_binlog")) {
      found.next();
      Optional<String> why = notDurable(found.getInt(1), found.getBoolean(2), found.getLong(3));
      if (why.isPresent()) {
        throw new SQLException(why.get());
      }
    }
  }

  /**
   * Why commits may not be on the server's disk when it confirms them, and what to set. With a
   * binary log a commit is there with that log: what it has not is rolled back after a crash.
   *
   * @param flushes innodb_flush_log_at_trx_commit
   * @param syncs sync_binlog
   */
  static Optional<String> notDurable(int flushes, boolean hasBinaryLog, long syncs) {
    if (!DURABLE.contains(flushes)) {
      return Optional.of(
          "innodb_flush_log_at_trx_commit of the server is "
              + flushes
              + ": it confirms commits that are not on its disk; set it to 1");
    }
    if (hasBinaryLog && syncs != 1 && flushes != DURABLE_ALONE) {
      return Optional.of(
          "sync_binlog of the server is "
              + syncs
              + ", and it has a binary log: it confirms commits that are not on its disk; set it"
              + " to 1");
    }
    return Optional.empty();
  }

  /**
   * What to do where the driver says too little: MySQL takes a password only if it is encrypted,
   * and has no key for that which the driver knows to be the server's.
   */
  static String hint(Throwable e) {
    return String.valueOf(e.getMessage()).contains("RSA public key")
        ? ". A MySQL server asks for the password encrypted: have engine.url say sslMode=verify-full,"
            + " with serverSslCert if its certificate is its own, or name its key by"
            + " serverRsaPublicKeyFile; on this machine, or where no other can answer in the server's"
            + " place, allowPublicKeyRetrieval=true does"
        : "";
  }

  /** What a failed statement comes to. */
  StoreException failed(String what, SQLException e, Ownership ownership) {
    String text =
        "store " + settings.server().store() + ": a " + what + " failed: " + e.getMessage();
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        if (GONE.contains(sql.getErrorCode())) {
          return ownership.lose(text);
        }
        boolean isOfDisk = sql.getErrorCode() == OF_SYSTEM && NO_SPACE.matcher(text).find();
        if (isOfDisk || FULL.contains(sql.getErrorCode())) {
          return new StoreException(StoreException.Reason.NO_ROOM, text, e);
        }
      }
    }
    return new StoreException(StoreException.Reason.UNAVAILABLE, text, e);
  }
}
