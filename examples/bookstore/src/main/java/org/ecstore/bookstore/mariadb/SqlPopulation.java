package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Countries;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.OrderLine;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.bookstore.population.TpcwPopulation;

/** Writes records of a population, those of some numbers at once. */
final class SqlPopulation {
  private static final String COUNTRY = insert("country", 2);
  private static final String AUTHOR = insert("author", 6);
  private static final String ITEM = insert("item", 23);
  private static final String STOCK = insert("stock", 3);
  private static final String TITLE_WORD = insert("title_word", 7);
  private static final String AUTHOR_WORD = insert("author_word", 7);

  private static final String ADDRESS =
      """
      INSERT INTO address (id, street1, street2, city, state, zip, country)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String CUSTOMER = insert("customer", 17);
  private static final String ORDER = insert("orders", 12);
  private static final String ORDER_LINE = insert("order_line", 7);
  private static final String CARD = insert("cc_xacts", 9);

  private final TpcwPopulation population;

  SqlPopulation(TpcwPopulation population) {
    this.population = population;
  }

  private static String insert(String table, int columns) {
    return "INSERT INTO %s VALUES (%s)"
        .formatted(table, String.join(", ", Collections.nCopies(columns, "?")));
  }

  /** A word of a text, for searches. */
  private record Entry(String word, Item item) {}

  /** A line of an order, from 1 on. */
  private record Numbered(long order, int line, OrderLine of) {}

  static void countries(Connection connection) throws SQLException {
    Sql.batch(
        connection,
        COUNTRY,
        LongStream.rangeClosed(1, Countries.count()).boxed().toList(),
        (number, arguments) -> arguments.add(number).add(Countries.name(Math.toIntExact(number))));
  }

  void authors(Connection connection, List<Long> numbers) throws SQLException {
    Sql.batch(
        connection,
        AUTHOR,
        numbers,
        (number, arguments) -> {
          Author author = population.author(number);
          arguments
              .add(author.id())
              .add(author.firstName())
              .add(author.middleName())
              .add(author.lastName())
              .add(author.born())
              .add(author.biography());
        });
  }

  void items(Connection connection, List<Long> numbers) throws SQLException {
    List<Item> items = numbers.stream().map(population::item).toList();
    List<Entry> titles = new ArrayList<>();
    List<Entry> authors = new ArrayList<>();
    for (Item item : items) {
      String author = item.authorFirstName() + " " + item.authorLastName();
      SearchWords.of(item.title()).forEach(word -> titles.add(new Entry(word, item)));
      SearchWords.of(author).forEach(word -> authors.add(new Entry(word, item)));
    }
    Sql.batch(connection, ITEM, items, SqlPopulation::bindItem);
    Sql.batch(connection, STOCK, numbers, this::bindStock);
    Sql.batch(connection, TITLE_WORD, titles, SqlPopulation::bindEntry);
    Sql.batch(connection, AUTHOR_WORD, authors, SqlPopulation::bindEntry);
  }

  private static void bindItem(Item item, SqlArguments arguments) throws SQLException {
    arguments
        .add(item.id())
        .add(item.title())
        .add(item.authorId())
        .add(item.authorFirstName())
        .add(item.authorLastName())
        .add(item.published())
        .add(item.publisher())
        .add(item.subject())
        .add(item.description());
    for (long related : item.related()) {
      arguments.add(related);
    }
    arguments
        .add(item.thumbnail())
        .add(item.image())
        .add(item.listCents())
        .add(item.cents())
        .add(item.available())
        .add(item.isbn())
        .add(item.pages())
        .add(item.backing())
        .add(item.dimensions());
  }

  private void bindStock(long item, SqlArguments arguments) throws SQLException {
    Stock stock = population.stock(item);
    arguments.add(item).add(stock.onHand()).add(stock.restocked());
  }

  private static void bindEntry(Entry entry, SqlArguments arguments) throws SQLException {
    Item item = entry.item();
    arguments
        .add(entry.word())
        .add(item.title())
        .add(item.id())
        .add(item.authorFirstName())
        .add(item.authorLastName())
        .add(item.thumbnail())
        .add(item.cents());
  }

  void addresses(Connection connection, List<Long> numbers) throws SQLException {
    Sql.batch(
        connection,
        ADDRESS,
        numbers,
        (number, arguments) -> {
          Address address = population.address(number);
          arguments
              .add(number)
              .add(address.street1())
              .add(address.street2())
              .add(address.city())
              .add(address.state())
              .add(address.zip())
              .add(address.country());
        });
  }

  void customers(Connection connection, List<Long> numbers) throws SQLException {
    Sql.batch(
        connection,
        CUSTOMER,
        numbers,
        (number, arguments) -> {
          Customer customer = population.customer(number);
          arguments.add(customer.id()).add(customer.userName()).add(customer.password());
          SqlCustomers.bind(arguments, customer);
        });
  }

  /** Orders, with their lines and what was paid. */
  void orders(Connection connection, List<Long> numbers) throws SQLException {
    List<Order> orders = numbers.stream().map(population::order).toList();
    List<Numbered> lines = new ArrayList<>();
    for (Order order : orders) {
      for (OrderLine line : order.lines()) {
        lines.add(new Numbered(order.id(), order.lines().indexOf(line) + 1, line));
      }
    }
    Sql.batch(connection, ORDER, orders, SqlPopulation::bindOrder);
    Sql.batch(connection, ORDER_LINE, lines, SqlPopulation::bindLine);
    Sql.batch(
        connection, CARD, orders.stream().map(population::card).toList(), SqlPopulation::bindCard);
  }

  private static void bindOrder(Order order, SqlArguments arguments) throws SQLException {
    arguments
        .add(order.id())
        .add(order.customer())
        .add(order.placed())
        .addOrNull(order.submission())
        .add(order.price().subtotal())
        .add(order.price().tax())
        .add(order.price().total())
        .add(order.shipType())
        .add(order.ships())
        .add(order.billingAddress())
        .add(order.shippingAddress())
        .add(order.status());
  }

  private static void bindLine(Numbered line, SqlArguments arguments) throws SQLException {
    arguments
        .add(line.order())
        .add(line.line())
        .add(line.of().item())
        .add(line.of().quantity())
        .add(line.of().cents())
        .add(line.of().discountPercent())
        .add(line.of().comments());
  }

  private static void bindCard(CardTransaction card, SqlArguments arguments) throws SQLException {
    arguments
        .add(card.order())
        .add(card.type())
        .add(card.number())
        .add(card.holder())
        .add(card.expires())
        .add(card.authorization())
        .add(card.cents())
        .add(card.when())
        .add(card.country());
  }
}
