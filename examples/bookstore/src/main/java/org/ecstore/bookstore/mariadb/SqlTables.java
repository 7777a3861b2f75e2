package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The tables, which are TPC-W's (TPC-W 1.8, 1.2), and the words of searches. Texts are compared by
 * their symbols, spaces at their ends too. Moments are milliseconds since 1970 in UTC.
 */
final class SqlTables {
  /** In the order in which they are made; {@code shop} has its row when all others are filled. */
  static final List<String> NAMES =
      List.of(
          "shop",
          "country",
          "address",
          "customer",
          "author",
          "item",
          "stock",
          "title_word",
          "author_word",
          "shopping_cart",
          "shopping_cart_line",
          "orders",
          "order_line",
          "cc_xacts",
          "form");

  private static final String OPTIONS =
      " ENGINE=InnoDB ROW_FORMAT=DYNAMIC CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin";

  private SqlTables() {}

  /** What makes them. */
  static List<String> create() {
    return List.of(
            SHOP,
            COUNTRY,
            ADDRESS,
            CUSTOMER,
            AUTHOR,
            ITEM,
            STOCK,
            TITLE_WORD,
            AUTHOR_WORD,
            CART,
            CART_LINE,
            ORDERS,
            ORDER_LINE,
            CARD,
            FORM)
        .stream()
        .map(table -> "CREATE TABLE " + table.strip() + OPTIONS)
        .toList();
  }

  /** Whether a shop was begun in the database. */
  static boolean isMade(Connection connection) throws SQLException {
    return !Sql.list(connection, IS_MADE, arguments -> {}, SqlRow::number).isEmpty();
  }

  /** Whether all of it was written. */
  static boolean isFilled(Connection connection) throws SQLException {
    return !Sql.list(connection, "SELECT id FROM shop", arguments -> {}, SqlRow::number).isEmpty();
  }

  private static final String IS_MADE =
      """
      SELECT 1 FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'shop'
      """;

  private static final String SHOP =
      """
      shop (
        id INT NOT NULL PRIMARY KEY,
        items BIGINT NOT NULL,
        customers BIGINT NOT NULL,
        orders BIGINT NOT NULL,
        opened BIGINT NOT NULL)
      """;

  private static final String COUNTRY =
      """
      country (
        id INT NOT NULL PRIMARY KEY,
        name VARCHAR(50) NOT NULL)
      """;

  private static final String ADDRESS =
      """
      address (
        id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
        street1 VARCHAR(60) NOT NULL,
        street2 VARCHAR(60) NOT NULL,
        city VARCHAR(60) NOT NULL,
        state VARCHAR(60) NOT NULL,
        zip VARCHAR(60) NOT NULL,
        country INT NOT NULL,
        KEY place (zip, street1, street2, city, state, country))
      """;

  /** A user name is that of the number, which the server gives first. */
  private static final String CUSTOMER =
      """
      customer (
        id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
        user_name VARCHAR(40),
        password VARCHAR(40) NOT NULL,
        first_name VARCHAR(500) NOT NULL,
        last_name VARCHAR(500) NOT NULL,
        address BIGINT NOT NULL,
        phone VARCHAR(500) NOT NULL,
        email VARCHAR(500) NOT NULL,
        since DATE NOT NULL,
        last_login BIGINT NOT NULL,
        login BIGINT NOT NULL,
        expires BIGINT NOT NULL,
        discount INT NOT NULL,
        balance_cents BIGINT NOT NULL,
        year_cents BIGINT NOT NULL,
        born DATE NOT NULL,
        data VARCHAR(500) NOT NULL,
        UNIQUE KEY user_name (user_name))
      """;

  private static final String AUTHOR =
      """
      author (
        id BIGINT NOT NULL PRIMARY KEY,
        first_name VARCHAR(40) NOT NULL,
        middle_name VARCHAR(40) NOT NULL,
        last_name VARCHAR(40) NOT NULL,
        born DATE NOT NULL,
        biography VARCHAR(500) NOT NULL)
      """;

  /** With its author's names, for lists of books, whose keys have all that a list shows. */
  private static final String ITEM =
      """
      item (
        id BIGINT NOT NULL PRIMARY KEY,
        title VARCHAR(60) NOT NULL,
        author BIGINT NOT NULL,
        author_first_name VARCHAR(40) NOT NULL,
        author_last_name VARCHAR(40) NOT NULL,
        published DATE NOT NULL,
        publisher VARCHAR(60) NOT NULL,
        subject VARCHAR(20) NOT NULL,
        description VARCHAR(500) NOT NULL,
        related1 BIGINT NOT NULL,
        related2 BIGINT NOT NULL,
        related3 BIGINT NOT NULL,
        related4 BIGINT NOT NULL,
        related5 BIGINT NOT NULL,
        thumbnail VARCHAR(60) NOT NULL,
        image VARCHAR(60) NOT NULL,
        list_cents BIGINT NOT NULL,
        cents BIGINT NOT NULL,
        available DATE NOT NULL,
        isbn VARCHAR(13) NOT NULL,
        pages INT NOT NULL,
        backing VARCHAR(20) NOT NULL,
        dimensions VARCHAR(30) NOT NULL,
        KEY newest (subject, published DESC, title, id, author_first_name, author_last_name,
          thumbnail, cents),
        KEY by_title (subject, title, id, author_first_name, author_last_name, thumbnail, cents))
      """;

  /** Apart from the book, so that no cart waits for those who buy it. */
  private static final String STOCK =
      """
      stock (
        item BIGINT NOT NULL PRIMARY KEY,
        on_hand BIGINT NOT NULL,
        restocked BIGINT NOT NULL)
      """;

  /** With all that a list shows of the book. */
  private static final String TITLE_WORD =
      """
      title_word (
        word VARCHAR(40) NOT NULL,
        title VARCHAR(60) NOT NULL,
        item BIGINT NOT NULL,
        author_first_name VARCHAR(40) NOT NULL,
        author_last_name VARCHAR(40) NOT NULL,
        thumbnail VARCHAR(60) NOT NULL,
        cents BIGINT NOT NULL,
        PRIMARY KEY (word, title, item))
      """;

  private static final String AUTHOR_WORD =
      """
      author_word (
        word VARCHAR(40) NOT NULL,
        title VARCHAR(60) NOT NULL,
        item BIGINT NOT NULL,
        author_first_name VARCHAR(40) NOT NULL,
        author_last_name VARCHAR(40) NOT NULL,
        thumbnail VARCHAR(60) NOT NULL,
        cents BIGINT NOT NULL,
        PRIMARY KEY (word, title, item))
      """;

  /** Its row is locked by all that changes a cart; {@code changes} orders the lines. */
  private static final String CART =
      """
      shopping_cart (
        id UUID NOT NULL PRIMARY KEY,
        changed BIGINT NOT NULL,
        changes BIGINT NOT NULL)
      """;

  /** With the book as the cart has shown it. */
  private static final String CART_LINE =
      """
      shopping_cart_line (
        cart UUID NOT NULL,
        item BIGINT NOT NULL,
        position BIGINT NOT NULL,
        title VARCHAR(60) NOT NULL,
        backing VARCHAR(20) NOT NULL,
        quantity BIGINT NOT NULL,
        cents BIGINT NOT NULL,
        list_cents BIGINT NOT NULL,
        PRIMARY KEY (cart, item))
      """;

  private static final String ORDERS =
      """
      orders (
        id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
        customer BIGINT NOT NULL,
        placed BIGINT NOT NULL,
        submission VARCHAR(100),
        subtotal BIGINT NOT NULL,
        tax BIGINT NOT NULL,
        total BIGINT NOT NULL,
        ship_type VARCHAR(10) NOT NULL,
        ships BIGINT NOT NULL,
        billing BIGINT NOT NULL,
        shipping BIGINT NOT NULL,
        status VARCHAR(10) NOT NULL,
        UNIQUE KEY submission (submission),
        KEY by_customer (customer, placed, id),
        KEY last (placed, id, customer))
      """;

  private static final String ORDER_LINE =
      """
      order_line (
        order_id BIGINT NOT NULL,
        line INT NOT NULL,
        item BIGINT NOT NULL,
        quantity BIGINT NOT NULL,
        cents BIGINT NOT NULL,
        discount INT NOT NULL,
        comments VARCHAR(100) NOT NULL,
        PRIMARY KEY (order_id, line))
      """;

  private static final String CARD =
      """
      cc_xacts (
        order_id BIGINT NOT NULL PRIMARY KEY,
        type VARCHAR(10) NOT NULL,
        number VARCHAR(20) NOT NULL,
        holder VARCHAR(500) NOT NULL,
        expires DATE NOT NULL,
        authorization VARCHAR(15) NOT NULL,
        cents BIGINT NOT NULL,
        taken BIGINT NOT NULL,
        country INT NOT NULL)
      """;

  /** Forms that were sent, by their number and the cart they were sent with. */
  private static final String FORM =
      """
      form (
        number VARCHAR(100) NOT NULL,
        cart UUID NOT NULL,
        kind VARCHAR(10) NOT NULL,
        customer BIGINT NOT NULL,
        PRIMARY KEY (number, cart, kind))
      """;
}
