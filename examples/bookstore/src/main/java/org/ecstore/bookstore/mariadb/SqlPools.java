package org.ecstore.bookstore.mariadb;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Connections of two kinds, so that none is switched between them by statements of its own: those
 * that read, where each SELECT by itself is a snapshot that locks nothing, and those that write,
 * where a transaction begins with the first statement.
 */
final class SqlPools implements AutoCloseable {
  private final HikariDataSource reading;
  private final HikariDataSource writing;

  private SqlPools(HikariDataSource reading, HikariDataSource writing) {
    this.reading = reading;
    this.writing = writing;
  }

  /** Connects, or tells why that cannot be. */
  static SqlPools open(MariaDbSettings settings) {
    HikariDataSource reading = pool(reading(settings));
    try {
      return new SqlPools(reading, pool(writing(settings)));
    } catch (MariaDbException e) {
      reading.close();
      throw e;
    }
  }

  private static HikariDataSource pool(HikariConfig config) {
    try {
      return new HikariDataSource(config);
    } catch (HikariPool.PoolInitializationException e) {
      throw new MariaDbException("MariaDB cannot be reached: " + e.getMessage(), e);
    }
  }

  private static HikariConfig reading(MariaDbSettings settings) {
    HikariConfig config = common(settings, "bookstore-reads");
    config.setTransactionIsolation(MariaDbSettings.Isolation.REPEATABLE_READ.hikari());
    return config;
  }

  private static HikariConfig writing(MariaDbSettings settings) {
    HikariConfig config = common(settings, "bookstore-writes");
    config.setAutoCommit(false);
    config.setTransactionIsolation(settings.isolation().hikari());
    return config;
  }

  private static HikariConfig common(MariaDbSettings settings, String name) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url());
    config.setUsername(settings.user());
    config.setPassword(settings.password());
    config.setMaximumPoolSize(settings.connections());
    config.addDataSourceProperty("useServerPrepStmts", "true");
    config.addDataSourceProperty("cachePrepStmts", "true");
    config.addDataSourceProperty("prepStmtCacheSize", "500");
    config.addDataSourceProperty("useBulkStmts", "true");
    // Less than the patience of a transaction: a waiter is told while it may still try again.
    config.addDataSourceProperty("sessionVariables", "innodb_lock_wait_timeout=4");
    return config;
  }

  /** A connection of which each statement is a transaction. */
  Connection reading() throws SQLException {
    return reading.getConnection();
  }

  /** A connection of which all statements up to a commit are a transaction. */
  Connection writing() throws SQLException {
    return writing.getConnection();
  }

  @Override
  public void close() {
    reading.close();
    writing.close();
  }
}
