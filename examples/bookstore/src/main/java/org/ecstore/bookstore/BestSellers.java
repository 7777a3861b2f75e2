package org.ecstore.bookstore;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.ecstore.bookstore.model.BookSubject;
import org.jspecify.annotations.Nullable;

/**
 * The best sellers of all subjects, found at once and kept for thirty seconds, as TPC-W allows
 * (TPC-W 1.8, 6.3.3.1), whichever store they come from. One thread finds them anew while others
 * still get what was found before; where nothing was, they wait for that thread, and get what it
 * gets.
 */
public final class BestSellers {
  /** For so long what was found is told. */
  static final Duration KEPT = Duration.ofSeconds(30);

  /** How often a book was sold. */
  public record Sale(long item, BookSubject subject, long sold) {}

  private record Found(long nanos, Map<BookSubject, List<BestSeller>> bySubject) {}

  private final Supplier<List<Sale>> sales;
  private final Function<Collection<Long>, Map<Long, Book>> books;
  private final LongSupplier clock;
  private final SharedWork<Found> finding = new SharedWork<>(this::anew);
  private volatile @Nullable Found found;

  /**
   * From a store.
   *
   * @param sales of all books in the last orders
   * @param books of numbers
   */
  public BestSellers(
      Supplier<List<Sale>> sales, Function<Collection<Long>, Map<Long, Book>> books) {
    this(sales, books, System::nanoTime);
  }

  BestSellers(
      Supplier<List<Sale>> sales,
      Function<Collection<Long>, Map<Long, Book>> books,
      LongSupplier clock) {
    this.sales = sales;
    this.books = books;
    this.clock = clock;
  }

  /** Those of a subject, best first, of equal ones by number. */
  public List<BestSeller> of(BookSubject subject) {
    Found now = found;
    if (now == null) {
      now = finding.get();
    } else if (isOld(now)) {
      // Those of before are better than none, while the store is away.
      now = finding.getOr(now);
    }
    return now.bySubject().getOrDefault(subject, List.of());
  }

  private boolean isOld(Found then) {
    return clock.getAsLong() - then.nanos() > KEPT.toNanos();
  }

  /** Unless another thread has just found them. */
  private Found anew() {
    Found now = found;
    return now == null || isOld(now) ? find() : now;
  }

  private Found find() {
    long begun = clock.getAsLong();
    Map<BookSubject, List<Sale>> bySubject = new EnumMap<>(BookSubject.class);
    for (Sale sale : sales.get()) {
      bySubject.computeIfAbsent(sale.subject(), absent -> new ArrayList<>()).add(sale);
    }
    List<Long> wanted = new ArrayList<>();
    bySubject.replaceAll((subject, all) -> best(all));
    bySubject.values().forEach(best -> best.forEach(sale -> wanted.add(sale.item())));
    Map<Long, Book> titles = books.apply(wanted);
    Map<BookSubject, List<BestSeller>> result = new EnumMap<>(BookSubject.class);
    bySubject.forEach((subject, best) -> result.put(subject, titled(best, titles)));
    Found now = new Found(begun, result);
    found = now;
    return now;
  }

  private static List<BestSeller> titled(List<Sale> best, Map<Long, Book> titles) {
    List<BestSeller> titled = new ArrayList<>();
    for (Sale sale : best) {
      Book book = titles.get(sale.item());
      if (book != null) {
        titled.add(new BestSeller(book, sale.sold()));
      }
    }
    return List.copyOf(titled);
  }

  private static List<Sale> best(List<Sale> all) {
    return all.stream()
        .sorted(Comparator.comparingLong(Sale::sold).reversed().thenComparingLong(Sale::item))
        .limit(Bookstore.LIST_MAX)
        .toList();
  }
}
