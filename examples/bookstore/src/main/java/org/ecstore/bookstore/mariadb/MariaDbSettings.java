package org.ecstore.bookstore.mariadb;

import java.util.Locale;

/**
 * Where the database of a shop is, and how transactions use it.
 *
 * @param url as {@code jdbc:mariadb://host:port/database}; parameters may follow
 * @param connections how many read at once at most, and how many write
 * @param isolation of transactions that write
 */
public record MariaDbSettings(
    String url, String user, String password, int connections, Isolation isolation) {
  /** What a transaction that writes sees of others. */
  public enum Isolation {
    /** The result is one of the transactions in some order: what is read is locked. */
    SERIALIZABLE,
    /** MariaDB's own default: what is read is a snapshot, and not locked. */
    REPEATABLE_READ;

    /** As HikariCP names it. */
    String hikari() {
      return "TRANSACTION_" + name().toUpperCase(Locale.ROOT);
    }
  }

  public MariaDbSettings {
    if (connections < 1) {
      throw new IllegalArgumentException("a shop needs a connection at least: " + connections);
    }
  }

  /** With serializable transactions. */
  public static MariaDbSettings of(String url, String user, String password, int connections) {
    return new MariaDbSettings(url, user, password, connections, Isolation.SERIALIZABLE);
  }

  /** The same with another isolation. */
  public MariaDbSettings with(Isolation other) {
    return new MariaDbSettings(url, user, password, connections, other);
  }
}
