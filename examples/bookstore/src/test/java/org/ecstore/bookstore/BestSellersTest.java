package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.ecstore.bookstore.BestSellers.Sale;
import org.ecstore.bookstore.model.BookSubject;
import org.junit.jupiter.api.Test;

final class BestSellersTest {
  private final AtomicLong clock = new AtomicLong(-5);
  private final AtomicInteger asked = new AtomicInteger();

  private static Book book(long item) {
    return new Book(item, "Title " + item, "Author", "thumb", 100);
  }

  private static Map<Long, Book> books(Collection<Long> items) {
    return items.stream().collect(Collectors.toMap(Function.identity(), BestSellersTest::book));
  }

  private BestSellers bestSellers(Supplier<List<Sale>> sales) {
    return new BestSellers(
        () -> {
          asked.incrementAndGet();
          return sales.get();
        },
        BestSellersTest::books,
        clock::get);
  }

  private static Sale sale(long item, BookSubject subject, long sold) {
    return new Sale(item, subject, sold);
  }

  private static List<Long> items(List<BestSeller> best) {
    return best.stream().map(each -> each.book().item()).toList();
  }

  @Test
  void bestAreFirstAndEqualOnesByNumber() {
    BestSellers sellers =
        bestSellers(
            () ->
                List.of(
                    sale(9, BookSubject.ARTS, 4),
                    sale(3, BookSubject.ARTS, 4),
                    sale(5, BookSubject.ARTS, 7),
                    sale(1, BookSubject.HOME, 9)));
    assertEquals(
        List.of(new BestSeller(book(5), 7), new BestSeller(book(3), 4), new BestSeller(book(9), 4)),
        sellers.of(BookSubject.ARTS));
    assertEquals(List.of(new BestSeller(book(1), 9)), sellers.of(BookSubject.HOME));
    assertEquals(List.of(), sellers.of(BookSubject.YOUTH));
  }

  @Test
  void thereAreFiftyAtMost() {
    BestSellers sellers =
        bestSellers(
            () ->
                LongStream.rangeClosed(1, 60)
                    .mapToObj(item -> sale(item, BookSubject.ARTS, item))
                    .toList());
    assertEquals(
        LongStream.rangeClosed(11, 60).boxed().toList().reversed(),
        items(sellers.of(BookSubject.ARTS)));
  }

  @Test
  void theyAreKeptForThirtySeconds() {
    AtomicLong item = new AtomicLong(1);
    BestSellers sellers = bestSellers(() -> List.of(sale(item.get(), BookSubject.ARTS, 1)));
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
    item.set(2);
    clock.addAndGet(BestSellers.KEPT.toNanos());
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
    assertEquals(List.of(), sellers.of(BookSubject.HOME));
    assertEquals(1, asked.get());
    clock.incrementAndGet();
    assertEquals(List.of(2L), items(sellers.of(BookSubject.ARTS)));
    assertEquals(2, asked.get());
    assertEquals(30, BestSellers.KEPT.toSeconds());
  }

  @Test
  void whatWasFoundBeforeIsToldWhileOneFindsThemAnew() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicLong item = new AtomicLong(1);
    BestSellers sellers =
        bestSellers(
            () -> {
              if (item.get() == 2) {
                begun.countDown();
                await(mayEnd);
              }
              return List.of(sale(item.get(), BookSubject.ARTS, 1));
            });
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
    item.set(2);
    clock.addAndGet(BestSellers.KEPT.toNanos() + 1);
    try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
      Future<List<BestSeller>> anew = threads.submit(() -> sellers.of(BookSubject.ARTS));
      await(begun);
      assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
      mayEnd.countDown();
      assertEquals(List.of(2L), items(anew.get()));
    }
    assertEquals(List.of(2L), items(sellers.of(BookSubject.ARTS)));
    assertEquals(2, asked.get());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theFirstAreFoundOnceForAll() throws Exception {
    BestSellers sellers = bestSellers(() -> List.of(sale(1, BookSubject.ARTS, 1)));
    List<Future<List<BestSeller>>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int thread = 0; thread < 8; thread++) {
        running.add(threads.submit(() -> sellers.of(BookSubject.ARTS)));
      }
      for (Future<List<BestSeller>> each : running) {
        assertEquals(List.of(1L), items(each.get()));
      }
    }
    assertEquals(1, asked.get());
  }

  /** One waits for the store for as long as it may; the others wait for that one. */
  @Test
  void whileTheStoreIsAwayAllWhoWaitLearnSoByOneTry() throws Exception {
    CountDownLatch mayFail = new CountDownLatch(1);
    BestSellers sellers =
        bestSellers(
            () -> {
              await(mayFail);
              throw new IllegalStateException("out of reach");
            });
    Waiters pages = Waiters.begin(20, () -> sellers.of(BookSubject.ARTS));
    pages.awaitAllWaiting();
    mayFail.countDown();
    assertEquals(Collections.nCopies(20, "out of reach"), pages.failures());
    assertEquals(1, asked.get());
  }

  @Test
  void afterAFailureTheyAreLookedForAgain() {
    AtomicInteger fails = new AtomicInteger(1);
    BestSellers sellers =
        bestSellers(
            () -> {
              if (fails.getAndDecrement() > 0) {
                throw new IllegalStateException("out of reach");
              }
              return List.of(sale(1, BookSubject.ARTS, 1));
            });
    assertThrows(IllegalStateException.class, () -> sellers.of(BookSubject.ARTS));
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
    fails.set(1);
    clock.addAndGet(BestSellers.KEPT.toNanos() + 1);
    // Those of before.
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
    assertEquals(-1, fails.decrementAndGet());
    assertEquals(List.of(1L), items(sellers.of(BookSubject.ARTS)));
  }

  @Test
  void aBookThatIsNotThereIsLeftOut() {
    BestSellers sellers =
        new BestSellers(
            () -> List.of(sale(1, BookSubject.ARTS, 2), sale(2, BookSubject.ARTS, 1)),
            items -> Map.of(2L, book(2)),
            clock::get);
    assertEquals(List.of(2L), items(sellers.of(BookSubject.ARTS)));
  }
}
