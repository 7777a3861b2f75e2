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
import org.ecstore.bookstore.model.Author;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Customer;
import org.ecstore.bookstore.model.Item;
import org.ecstore.bookstore.model.Stock;
import org.ecstore.client.Covering;
import org.ecstore.client.Entry;
import org.ecstore.client.Read;
import org.ecstore.client.Reads;
import org.ecstore.client.Snapshot;
import org.ecstore.client.TupleRange;
import org.ecstore.key.Tuple;

/** What people look at: all of it at one moment, and nothing is written. */
final class ShopLists {
  /** Of so many entries those are found that have the other words of a search. */
  private static final int LOOKED_AT = 1_000;

  private static final Comparator<Book> BY_TITLE =
      Comparator.comparing(Book::title).thenComparingLong(Book::item);

  private ShopLists() {}

  static Home home(Snapshot at, OptionalLong customer, long near) {
    Reads reads = at.reads();
    // No customer has the number 0.
    Read<Optional<Customer>> known = reads.get(ShopTables.CUSTOMERS, Tuple.of(customer.orElse(0)));
    Read<Optional<Item>> item = reads.get(ShopTables.ITEMS, Tuple.of(near));
    reads.run();
    Item found = item.get().orElseThrow(() -> new ShopException("there is no book " + near));
    return new Home(known.get().map(Customer::firstName), related(at, found));
  }

  private static List<Book> related(Snapshot at, Item item) {
    return at.getAll(ShopTables.ITEMS, keys(item.related())).values().stream()
        .map(ShopTables::book)
        .toList();
  }

  private static List<Tuple> keys(Collection<Long> items) {
    return items.stream().map(item -> Tuple.of(item)).toList();
  }

  static Item item(Snapshot at, long item) {
    return at.get(ShopTables.ITEMS, Tuple.of(item))
        .orElseThrow(() -> new ShopException("there is no book " + item));
  }

  static Map<Long, Book> books(Snapshot at, Collection<Long> items) {
    Map<Long, Book> books = new HashMap<>();
    at.getAll(ShopTables.ITEMS, keys(items))
        .values()
        .forEach(item -> books.put(item.id(), ShopTables.book(item)));
    return books;
  }

  static List<Book> listed(Snapshot at, Covering<Item, Book> index, BookSubject subject) {
    return at.scan(index, Tuple.of(subject)).limit(Bookstore.LIST_MAX).stream()
        .map(Entry::value)
        .toList();
  }

  /** A book and its stock at once, then what the book leads to. */
  static Optional<Product> product(Snapshot at, long item) {
    Reads reads = at.reads();
    Read<Optional<Item>> book = reads.get(ShopTables.ITEMS, Tuple.of(item));
    Read<Optional<Stock>> stock = reads.get(ShopTables.STOCK, Tuple.of(item));
    reads.run();
    return book.get().map(found -> product(at, found, stock.get().map(Stock::onHand).orElse(0L)));
  }

  private static Product product(Snapshot at, Item item, long onHand) {
    Reads reads = at.reads();
    Read<Optional<Author>> author = reads.get(ShopTables.AUTHORS, Tuple.of(item.authorId()));
    Read<Map<Tuple, Item>> related = reads.getAll(ShopTables.ITEMS, keys(item.related()));
    reads.run();
    return new Product(
        item,
        author.get().orElseThrow(),
        onHand,
        related.get().values().stream().map(ShopTables::book).toList());
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
    return at.scan(index, TupleRange.startingWith(Tuple.of(word))).limit(limit).stream()
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
