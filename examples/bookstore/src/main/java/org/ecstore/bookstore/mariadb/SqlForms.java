package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/**
 * Which forms were sent, and what came of them: a row that is written by the transaction that does
 * what the form asks for, so that one which comes at the same time waits for it.
 */
final class SqlForms {
  /** What a form asks for. */
  enum Kind {
    CART,
    REGISTER
  }

  private static final String INSERT =
      "INSERT IGNORE INTO form (number, cart, kind, customer) VALUES (?, ?, ?, 0)";

  private static final String MADE =
      "UPDATE form SET customer = ? WHERE number = ? AND cart = ? AND kind = ?";

  private static final String CUSTOMER =
      "SELECT customer FROM form WHERE number = ? AND cart = ? AND kind = ?";

  private SqlForms() {}

  /** Whether a form comes for the first time; from then on it does not. */
  static boolean isNew(Connection connection, String form, UUID cart, Kind kind)
      throws SQLException {
    int inserted =
        Sql.update(connection, INSERT, arguments -> arguments.add(form).add(cart).add(kind));
    return inserted > 0;
  }

  /** Keeps which customer a form has made. */
  static void made(Connection connection, String form, UUID cart, long customer)
      throws SQLException {
    Sql.update(
        connection,
        MADE,
        arguments -> arguments.add(customer).add(form).add(cart).add(Kind.REGISTER));
  }

  /** The customer whom a form has made. */
  static long customer(Connection connection, String form, UUID cart) throws SQLException {
    return Sql.first(
            connection,
            CUSTOMER,
            arguments -> arguments.add(form).add(cart).add(Kind.REGISTER),
            SqlRow::number)
        .orElseThrow();
  }
}
