package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.ecstore.bookstore.NewCustomer;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.population.TpcwNames;

/** Who buys, and where they live. */
final class SqlCustomers {
  private static final Duration LOGIN = Duration.ofHours(2);

  private static final String LOG_IN =
      """
      UPDATE customer SET last_login = login, login = ?, expires = ?
      WHERE user_name = ? AND password = ?
      """;

  private static final String BY_USER_NAME =
      "SELECT %s, %s FROM customer c JOIN address a ON a.id = c.address WHERE c.user_name = ?"
          .formatted(SqlRecords.CUSTOMER, SqlRecords.addressOf("a"));

  private static final String WITH_CART =
      """
      SELECT %s, %s, s.changed, %s
      FROM customer c
      JOIN address a ON a.id = c.address
      LEFT JOIN (shopping_cart s JOIN shopping_cart_line l ON l.cart = s.id) ON s.id = ?
      WHERE c.id = ?
      ORDER BY l.position
      """
          .formatted(SqlRecords.CUSTOMER, SqlRecords.addressOf("a"), SqlRecords.CART_LINE);

  private static final String REGISTER =
      """
      INSERT INTO customer
        (password, first_name, last_name, address, phone, email, since, last_login, login, expires,
         discount, balance_cents, year_cents, born, data)
      VALUES ('', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String NAME = "UPDATE customer SET user_name = ?, password = ? WHERE id = ?";

  private static final String SAME_ADDRESS =
      """
      SELECT id FROM address
      WHERE zip = ? AND street1 = ? AND street2 = ? AND city = ? AND state = ? AND country = ?
      ORDER BY id LIMIT 1
      """;

  private static final String NEW_ADDRESS =
      "INSERT INTO address (street1, street2, city, state, zip, country) VALUES (?, ?, ?, ?, ?, ?)";

  private SqlCustomers() {}

  /** A customer and the address. */
  record Known(Customer customer, Address address) {}

  /** A customer and what is in the cart. */
  record Buyer(Known known, Cart cart) {}

  static ShopException unknown() {
    return new ShopException("there is no customer of that user name and password");
  }

  static Known logIn(Connection connection, String userName, String password, Instant now)
      throws SQLException {
    int found =
        Sql.update(
            connection,
            LOG_IN,
            arguments -> arguments.add(now).add(now.plus(LOGIN)).add(userName).add(password));
    if (found == 0) {
      throw unknown();
    }
    return Sql.first(
            connection,
            BY_USER_NAME,
            arguments -> arguments.add(userName),
            row -> new Known(SqlRecords.customer(row), SqlRecords.address(row)))
        .orElseThrow();
  }

  /** A customer and a cart, which has no lines if it is not there. */
  static Buyer buyer(Connection connection, UUID cart, long customer) throws SQLException {
    List<Buyer> rows =
        Sql.list(
            connection,
            WITH_CART,
            arguments -> arguments.add(cart).add(customer),
            SqlCustomers::buyer);
    if (rows.isEmpty()) {
      throw new ShopException("there is no customer " + customer);
    }
    Buyer first = rows.getFirst();
    return new Buyer(
        first.known(),
        new Cart(
            first.cart().changed(),
            rows.stream().flatMap(row -> row.cart().lines().stream()).toList()));
  }

  /** Of a row, which has one line of the cart at most. */
  private static Buyer buyer(SqlRow row) throws SQLException {
    Known known = new Known(SqlRecords.customer(row), SqlRecords.address(row));
    return new Buyer(
        known,
        row.isNext()
            ? new Cart(row.instant(), List.of(SqlRecords.cartLine(row)))
            : new Cart(Instant.EPOCH, List.of()));
  }

  /** Whether an address is there, at a moment: none is changed or deleted afterwards. */
  static OptionalLong address(Connection connection, Address address) throws SQLException {
    return address(connection, address, SAME_ADDRESS);
  }

  private static OptionalLong address(Connection connection, Address address, String sql)
      throws SQLException {
    Optional<Long> found =
        Sql.first(
            connection,
            sql,
            arguments ->
                arguments
                    .add(address.zip())
                    .add(address.street1())
                    .add(address.street2())
                    .add(address.city())
                    .add(address.state())
                    .add(address.country()),
            SqlRow::number);
    return found.map(OptionalLong::of).orElseGet(OptionalLong::empty);
  }

  /**
   * The number of an address, which is made if it is not there. The gap where it would be is locked
   * before, so that of two transactions that make the same one is run again, and finds it.
   */
  static long made(Connection connection, Address address) throws SQLException {
    OptionalLong found = address(connection, address, SAME_ADDRESS + " FOR UPDATE");
    if (found.isPresent()) {
      return found.getAsLong();
    }
    return Sql.insert(
        connection,
        NEW_ADDRESS,
        arguments ->
            arguments
                .add(address.street1())
                .add(address.street2())
                .add(address.city())
                .add(address.state())
                .add(address.zip())
                .add(address.country()));
  }

  static Customer register(
      Connection connection, NewCustomer wanted, long address, int discountPercent, Instant now)
      throws SQLException {
    Customer customer = customer(0, "", wanted, address, discountPercent, now);
    long id = Sql.insert(connection, REGISTER, arguments -> bind(arguments, customer));
    String userName = TpcwNames.digSyl(id);
    Customer named = customer(id, userName, wanted, address, discountPercent, now);
    Sql.update(
        connection, NAME, arguments -> arguments.add(userName).add(named.password()).add(id));
    return named;
  }

  private static Customer customer(
      long id,
      String userName,
      NewCustomer wanted,
      long address,
      int discountPercent,
      Instant now) {
    return new Customer(
        id,
        userName,
        userName.toLowerCase(Locale.ROOT),
        wanted.firstName(),
        wanted.lastName(),
        address,
        wanted.phone(),
        wanted.email(),
        LocalDate.ofInstant(now, ZoneOffset.UTC),
        now,
        now,
        now.plus(LOGIN),
        discountPercent,
        0,
        0,
        wanted.born(),
        wanted.data());
  }

  /** All but the number, the user name and the password. */
  static void bind(SqlArguments arguments, Customer customer) throws SQLException {
    arguments
        .add(customer.firstName())
        .add(customer.lastName())
        .add(customer.addressId())
        .add(customer.phone())
        .add(customer.email())
        .add(customer.since())
        .add(customer.lastLogin())
        .add(customer.login())
        .add(customer.expires())
        .add(customer.discountPercent())
        .add(customer.balanceCents())
        .add(customer.yearCents())
        .add(customer.born())
        .add(customer.data());
  }
}
