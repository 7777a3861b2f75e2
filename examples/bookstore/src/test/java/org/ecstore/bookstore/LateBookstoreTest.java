package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A store that is away keeps all pages waiting together, and each of them once. */
class LateBookstoreTest {
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void pagesWaitTogetherForAStoreThatIsAway() throws Exception {
    CountDownLatch mayFail = new CountDownLatch(1);
    try (LateBookstore shop =
        new LateBookstore(
            () -> {
              asked.incrementAndGet();
              awaited(mayFail);
              throw new IllegalStateException("out of reach");
            })) {
      Waiters pages = Waiters.begin(8, shop::size);
      pages.awaitAllWaiting();
      assertEquals(new Bookstore.Tries(0, 0, 0), shop.tries());
      mayFail.countDown();
      assertEquals(Collections.nCopies(8, "out of reach"), pages.failures());
      assertEquals(1, asked.get(), "timeouts in a row");
      assertThrows(IllegalStateException.class, shop::size);
      assertEquals(2, asked.get(), "a later page tries again");
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
