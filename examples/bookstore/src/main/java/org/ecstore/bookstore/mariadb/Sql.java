package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Statements, which the driver keeps prepared on the server, with their arguments and results. */
final class Sql {
  private Sql() {}

  /** Gives a statement its arguments. */
  interface Binder {
    void bind(SqlArguments arguments) throws SQLException;
  }

  /** Gives a statement of a batch the arguments of one of many. */
  interface EachBinder<T> {
    void bind(T one, SqlArguments arguments) throws SQLException;
  }

  /** Makes a record of a row. */
  interface Mapper<T> {
    T map(SqlRow row) throws SQLException;
  }

  /** All rows of a result. */
  static <T> List<T> list(Connection connection, String sql, Binder binder, Mapper<T> mapper)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(new SqlArguments(statement));
      try (ResultSet result = statement.executeQuery()) {
        SqlRow row = new SqlRow(result);
        List<T> all = new ArrayList<>();
        while (row.next()) {
          all.add(mapper.map(row));
        }
        return all;
      }
    }
  }

  /** The first row of a result. */
  static <T> Optional<T> first(Connection connection, String sql, Binder binder, Mapper<T> mapper)
      throws SQLException {
    return list(connection, sql, binder, mapper).stream().findFirst();
  }

  /** How many rows a statement has found. */
  static int update(Connection connection, String sql, Binder binder) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      binder.bind(new SqlArguments(statement));
      return statement.executeUpdate();
    }
  }

  /** The number that the server gives to a new row. */
  static long insert(Connection connection, String sql, Binder binder) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(sql, Statement.RETURN_GENERATED_KEYS)) {
      binder.bind(new SqlArguments(statement));
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        keys.next();
        return keys.getLong(1);
      }
    }
  }

  /** A statement with the arguments of each, in one message to the server. */
  static <T> void batch(Connection connection, String sql, Collection<T> all, EachBinder<T> binder)
      throws SQLException {
    if (all.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (T one : all) {
        binder.bind(one, new SqlArguments(statement));
        statement.addBatch();
      }
      statement.executeBatch();
    }
  }

  /** A statement that is not worth to keep prepared. */
  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
