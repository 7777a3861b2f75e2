package org.ecstore.bookstore.ecstore;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.bookstore.BestSellers;
import org.ecstore.bookstore.Book;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.Home;
import org.ecstore.bookstore.Product;
import org.ecstore.bookstore.SearchBy;
import org.ecstore.bookstore.SearchWords;
import org.ecstore.bookstore.ShopException;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.client.Covering;
import org.ecstore.client.Entry;
import org.ecstore.client.Snapshot;
import org.ecstore.client.TupleRange;
import org.ecstore.key.Tuple;

/** What people look at: all of it at one moment, and nothing is written. */
final class ShopLists {
  /** Of so many entries those are found that have the other words of a search. */
  private static final int LOOKED_AT = 1_000;

  /** Behind all texts that begin as another. */
  private static final String LAST = Character.toString(Character.MAX_CODE_POINT);

  private static final Comparator<Book> BY_TITLE =
      Comparator.comparing(Book::title).thenComparingLong(Book::item);

  private ShopLists() {}

  static Home home(Snapshot at, OptionalLong customer, long near) {
    Optional<Customer> known =
        customer.isPresent()
            ? at.get(ShopTables.CUSTOMERS, Tuple.of(customer.getAsLong()))
            : Optional.empty();
    Item item = item(at, near);
    Map<Long, Book> related = books(at, item.related());
    return new Home(
        known.map(Customer::firstName),
        item.related().stream().filter(related::containsKey).map(related::get).toList());
  }

  static Item item(Snapshot at, long item) {
    return at.get(ShopTables.ITEMS, Tuple.of(item))
        .orElseThrow(() -> new ShopException("there is no book " + item));
  }

  static Map<Long, Book> books(Snapshot at, Collection<Long> items) {
    Map<Long, Book> books = new HashMap<>();
    at.getAll(ShopTables.ITEMS, items.stream().map(item -> Tuple.of(item)).toList())
        .values()
        .forEach(item -> books.put(item.id(), ShopTables.book(item)));
    return books;
  }

  static List<Book> listed(Snapshot at, Covering<Item, Book> index, BookSubject subject) {
    return at.scan(index, Tuple.of(subject)).limit(Bookstore.LIST_MAX).stream()
        .map(Entry::value)
        .toList();
  }

  static Optional<Product> product(Snapshot at, long item) {
    Optional<Item> found = at.get(ShopTables.ITEMS, Tuple.of(item));
    return found.map(
        book ->
            new Product(
                book,
                at.get(ShopTables.AUTHORS, Tuple.of(book.authorId())).orElseThrow(),
                at.get(ShopTables.STOCK, Tuple.of(item)).map(Stock::onHand).orElse(0L)));
  }

  static List<Book> search(Snapshot at, SearchBy by, String text) {
    List<String> words = SearchWords.sought(text);
    if (words.isEmpty()) {
      return List.of();
    }
    Covering<Item, Book> index =
        by == SearchBy.TITLE ? ShopTables.TITLE_WORDS : ShopTables.AUTHOR_WORDS;
    List<String> others = words.subList(1, words.size());
    if (others.isEmpty()) {
      // What one word finds are mostly different books: as many entries are mostly enough.
      List<Book> first = begins(at, index, words.getFirst(), Bookstore.LIST_MAX);
      List<Book> found = distinct(first);
      if (found.size() == first.size() || first.size() < Bookstore.LIST_MAX) {
        return sorted(found);
      }
    }
    List<Book> found =
        begins(at, index, words.getFirst(), LOOKED_AT).stream()
            .filter(
                book ->
                    SearchWords.hasAll(by == SearchBy.TITLE ? book.title() : book.author(), others))
            .toList();
    return sorted(distinct(found));
  }

  private static List<Book> begins(
      Snapshot at, Covering<Item, Book> index, String word, int limit) {
    return at
        .scan(index, TupleRange.between(Tuple.of(word), Tuple.of(word + LAST)))
        .limit(limit)
        .stream()
        .map(Entry::value)
        .toList();
  }

  private static List<Book> distinct(List<Book> books) {
    Map<Long, Book> distinct = new LinkedHashMap<>();
    books.forEach(book -> distinct.putIfAbsent(book.item(), book));
    return distinct.values().stream().limit(Bookstore.LIST_MAX).toList();
  }

  private static List<Book> sorted(List<Book> books) {
    return books.stream().sorted(BY_TITLE).toList();
  }

  /** What was sold lately, by book. */
  static List<BestSellers.Sale> sales(Snapshot at) {
    Map<Long, BestSellers.Sale> sales = new HashMap<>();
    at.scan(ShopTables.LAST)
        .limit(Bookstore.BEST_SELLER_ORDERS)
        .forEach(
            entry ->
                entry
                    .value()
                    .lines()
                    .forEach(
                        line ->
                            sales.merge(
                                line.item(),
                                new BestSellers.Sale(line.item(), line.subject(), line.quantity()),
                                (one, other) ->
                                    new BestSellers.Sale(
                                        one.item(), one.subject(), one.sold() + other.sold()))));
    return new ArrayList<>(sales.values());
  }
}
