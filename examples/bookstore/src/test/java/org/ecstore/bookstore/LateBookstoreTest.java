package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that is away keeps all pages waiting together, and each of them once. */
class LateBookstoreTest {
  private static final int PAGES = 8;
  private static final Bookstore.Size SIZE = new Bookstore.Size(1, 2, 3);
  private static final Bookstore.Tries TRIES = new Bookstore.Tries(4, 5, 6);
  private static final Bookstore.Tries NONE = new Bookstore.Tries(0, 0, 0);

  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger closed = new AtomicInteger();
  private final CountDownLatch mayGoOn = new CountDownLatch(1);

  private Bookstore there() {
    return (Bookstore)
        Proxy.newProxyInstance(
            Bookstore.class.getClassLoader(),
            new Class<?>[] {Bookstore.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "size" -> SIZE;
                  case "tries" -> TRIES;
                  case "close" -> {
                    closed.incrementAndGet();
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  /** Counts, and waits until it may go on. */
  private void ask() {
    asked.incrementAndGet();
    try {
      mayGoOn.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void pagesWaitTogetherForAStoreThatIsAway() throws Exception {
    try (LateBookstore shop =
        new LateBookstore(
            () -> {
              ask();
              throw new IllegalStateException("out of reach");
            })) {
      Waiters pages = Waiters.begin(PAGES, shop::size);
      pages.awaitAllWaiting();
      assertEquals(NONE, shop.tries());
      mayGoOn.countDown();
      assertEquals(Collections.nCopies(PAGES, "out of reach"), pages.failures());
      assertEquals(1, asked.get(), "timeouts in a row");
      assertThrows(IllegalStateException.class, shop::size);
      assertEquals(2, asked.get(), "a later page tries again");
    }
    assertEquals(0, closed.get());
  }

  @Test
  void itIsOpenedOnceForAllAndClosed() throws Exception {
    Queue<Bookstore.Size> sizes = new ConcurrentLinkedQueue<>();
    try (LateBookstore shop =
        new LateBookstore(
            () -> {
              ask();
              return there();
            })) {
      Waiters pages = Waiters.begin(PAGES, () -> sizes.add(shop.size()));
      pages.awaitAllWaiting();
      mayGoOn.countDown();
      assertEquals(List.of(), pages.failures());
      assertEquals(Collections.nCopies(PAGES, SIZE), List.copyOf(sizes));
      assertEquals(SIZE, shop.size());
      assertEquals(TRIES, shop.tries());
      assertEquals(1, asked.get());
    }
    assertEquals(1, closed.get());
  }

  /** The application ends while its store is away, and the store comes back just then. */
  @Test
  void whatIsOpenedAfterItWasClosedIsClosedToo() throws Exception {
    LateBookstore shop =
        new LateBookstore(
            () -> {
              ask();
              return there();
            });
    Waiters pages = Waiters.begin(PAGES, shop::size);
    pages.awaitAllWaiting();
    shop.close();
    assertEquals(0, closed.get(), "there is nothing to close yet");
    mayGoOn.countDown();
    assertEquals(Collections.nCopies(PAGES, "the shop is closed"), pages.failures());
    assertEquals(1, closed.get());
    assertThrows(IllegalStateException.class, shop::size);
    assertEquals(1, asked.get(), "it is not opened again");
    shop.close();
    assertEquals(1, closed.get());
  }
}
