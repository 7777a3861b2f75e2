package org.ecstore.bookstore.mariadb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a prepared statement, in their order. Moments are numbers of milliseconds since
 * 1970 in UTC, so that no time zone of a server or a driver changes them.
 */
final class SqlArguments {
  private final PreparedStatement statement;
  private int at;

  SqlArguments(PreparedStatement statement) {
    this.statement = statement;
  }

  SqlArguments add(long number) throws SQLException {
    statement.setLong(++at, number);
    return this;
  }

  SqlArguments add(String text) throws SQLException {
    statement.setString(++at, text);
    return this;
  }

  SqlArguments add(Enum<?> one) throws SQLException {
    return add(one.name());
  }

  SqlArguments add(LocalDate day) throws SQLException {
    statement.setObject(++at, day);
    return this;
  }

  SqlArguments add(Instant moment) throws SQLException {
    return add(moment.toEpochMilli());
  }

  SqlArguments add(UUID number) throws SQLException {
    return add(number.toString());
  }

  SqlArguments addOrNull(@Nullable Long number) throws SQLException {
    if (number != null) {
      return add(number);
    }
    statement.setNull(++at, Types.BIGINT);
    return this;
  }

  /** An empty text is NULL, which a unique key may have many times. */
  SqlArguments addOrNull(String text) throws SQLException {
    if (!text.isEmpty()) {
      return add(text);
    }
    statement.setNull(++at, Types.VARCHAR);
    return this;
  }
}
