package org.ecstore.bookstore.ecstore;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.model.Address;
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.CardTransaction;
import org.ecstore.bookstore.model.Cart;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Order;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.client.Codec;
import org.ecstore.client.Covering;
import org.ecstore.client.EcStore;
import org.ecstore.client.Index;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;

/**
 * The tables of the shop. An order has its lines in it and a cart its own, as they are read and
 * written together; stock is apart from its book, as each sale changes it.
 */
final class ShopTables {
  /** How the shop was filled, under one key. */
  static final Table<Bookstore.Size> SHOP =
      Table.of("bookstore", Codec.record(Bookstore.Size.class));

  static final Tuple SHOP_KEY = Tuple.of("size");

  /** By number. */
  static final Table<String> COUNTRIES = Table.of("bookstore-countries", Codec.utf8());

  /** By number. */
  static final Table<Item> ITEMS = Table.of("bookstore-items", Codec.record(Item.class));

  /** By subject: the newest first. */
  static final Covering<Item, Book> NEWEST =
      listed(
          "newest", item -> Tuple.of(item.subject(), Tuple.desc(item.published()), item.title()));

  /** By subject and title. */
  static final Covering<Item, Book> BY_SUBJECT =
      listed("by-subject", item -> Tuple.of(item.subject(), item.title()));

  /** By each word of their titles. */
  static final Covering<Item, Book> TITLE_WORDS =
      ITEMS
          .indexEach("title-words", item -> words(item, item.title()))
          .covering(Codec.record(Book.class), ShopTables::book);

  /** By each word of their authors' names. */
  static final Covering<Item, Book> AUTHOR_WORDS =
      ITEMS
          .indexEach("author-words", item -> words(item, author(item)))
          .covering(Codec.record(Book.class), ShopTables::book);

  /** By the book's number. */
  static final Table<Stock> STOCK = Table.of("bookstore-stock", Codec.record(Stock.class));

  /** By number. */
  static final Table<Author> AUTHORS = Table.of("bookstore-authors", Codec.record(Author.class));

  /** By number. */
  static final Table<Address> ADDRESSES =
      Table.of("bookstore-addresses", Codec.record(Address.class));

  /** By all that an address has, to find whether one is there. */
  static final Index<Address> PLACES = ADDRESSES.index("places", ShopTables::place);

  /** By number. */
  static final Table<Customer> CUSTOMERS =
      Table.of("bookstore-customers", Codec.record(Customer.class));

  static final Index<Customer> USER_NAMES =
      CUSTOMERS.index("user-names", Customer::userName).unique();

  /** By number. */
  static final Table<Order> ORDERS = Table.of("bookstore-orders", Codec.record(Order.class));

  /** The last first. */
  static final Covering<Order, Sale> LAST =
      ORDERS
          .index("last", order -> Tuple.of(Tuple.desc(order.placed()), Tuple.desc(order.id())))
          .covering(Codec.record(Sale.class), Sale::of);

  /** By customer: the last first. */
  static final Index<Order> BY_CUSTOMER =
      ORDERS.index(
          "by-customer",
          order -> Tuple.of(order.customer(), Tuple.desc(order.placed()), Tuple.desc(order.id())));

  /** By the order's number. */
  static final Table<CardTransaction> CARDS =
      Table.of("bookstore-cards", Codec.record(CardTransaction.class));

  /** By random number. */
  static final Table<Cart> CARTS = Table.of("bookstore-carts", Codec.record(Cart.class));

  private ShopTables() {}

  /** Enters the indexes in the catalog, and builds those that are not built. */
  static void open(EcStore store) {
    store
        .catalog()
        .open(ITEMS, STOCK, AUTHORS, ADDRESSES, CUSTOMERS, ORDERS, CARDS, CARTS, SHOP)
        .forEach(store.catalog()::build);
  }

  private static Covering<Item, Book> listed(String name, Function<Item, Tuple> by) {
    return ITEMS.index(name, by).covering(Codec.record(Book.class), ShopTables::book);
  }

  private static List<Tuple> words(Item item, String text) {
    List<Tuple> values = new ArrayList<>();
    Set<String> words = SearchWords.of(text);
    words.forEach(word -> values.add(Tuple.of(word, item.title())));
    return values;
  }

  static Tuple place(Address address) {
    return Tuple.of(
        address.zip(),
        address.street1(),
        address.street2(),
        address.city(),
        address.state(),
        address.country());
  }

  static String author(Item item) {
    return item.authorFirstName() + " " + item.authorLastName();
  }

  /** A book as lists have it. */
  static Book book(Item item) {
    return new Book(item.id(), item.title(), author(item), item.thumbnail(), item.cents());
  }
}
