package org.ecstore.bookstore.mariadb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.UUID;

/** A row of a result, whose columns are read in their order. */
final class SqlRow {
  private final ResultSet result;
  private int at;

  SqlRow(ResultSet result) {
    this.result = result;
  }

  /** Goes to the next row, if there is one. */
  boolean next() throws SQLException {
    at = 0;
    return result.next();
  }

  long number() throws SQLException {
    return result.getLong(++at);
  }

  int smallNumber() throws SQLException {
    return result.getInt(++at);
  }

  /** A text; an empty one where the column is NULL. */
  String text() throws SQLException {
    return Objects.requireNonNullElse(result.getString(++at), "");
  }

  LocalDate date() throws SQLException {
    return Objects.requireNonNull(result.getObject(++at, LocalDate.class));
  }

  Instant instant() throws SQLException {
    return Instant.ofEpochMilli(number());
  }

  UUID uuid() throws SQLException {
    return UUID.fromString(text());
  }

  <E extends Enum<E>> E one(Class<E> of) throws SQLException {
    return Enum.valueOf(of, text());
  }

  /** Whether the next column is NULL; the row goes on with that column. */
  boolean isNext() throws SQLException {
    return result.getObject(at + 1) != null;
  }
}
