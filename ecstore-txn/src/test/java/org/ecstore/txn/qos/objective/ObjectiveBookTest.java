package org.ecstore.txn.qos.objective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest.OfObjectives;
import org.ecstore.model.AdminRequest.RemoveObjective;
import org.ecstore.model.AdminRequest.SetObjective;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;

class ObjectiveBookTest {
  private static Objective objective(String application, long rate, String... tables) {
    return new Objective(
        application,
        List.of(tables),
        ServiceClass.GUARANTEED,
        1,
        List.of(new ResponseTarget(Statistic.P99, Duration.ofMillis(20))),
        ObjectiveWorkload.UNSTATED.with(new OperationRate(rate)));
  }

  private static SetObjective set(String application, long rate, String... tables) {
    return new SetObjective(objective(application, rate, tables), 5);
  }

  private static ObjectiveBook after(OfObjectives... requests) {
    ObjectiveBook book = ObjectiveBook.EMPTY;
    long id = 0;
    for (OfObjectives request : requests) {
      book = book.after(request, ++id);
    }
    return book;
  }

  private static String refusal(ObjectiveBook book, OfObjectives request) {
    return book.refusal(request).orElse("");
  }

  @Test
  void anApplicationHasTheObjectiveThatWasSetLast() {
    ObjectiveBook book = after(set("shop", 1), set("mail", 2), set("shop", 3));
    assertEquals(
        List.of(objective("mail", 2), objective("shop", 3)),
        book.promises().stream().map(ObjectiveBook.Promise::objective).toList());
    assertEquals(
        List.of(1L, 2L, 3L), book.changes().stream().map(ObjectiveChange::number).toList());
    assertTrue(book.has(set("shop", 3)));
    assertFalse(book.has(set("shop", 1)));
  }

  @Test
  void whatIsRemovedIsInTheHistoryAndNowhereElse() {
    ObjectiveBook book = after(set("shop", 1), new RemoveObjective("shop", 6));
    assertEquals(List.of(), book.promises());
    ObjectiveChange last = book.changes().getLast();
    assertTrue(last.removed());
    assertEquals(objective("shop", 1), last.objective());
    assertEquals(Optional.of(last), book.ofRequest(2));
    assertTrue(refusal(book, new RemoveObjective("shop", 7)).contains("has no objective"));
  }

  @Test
  void aTableHasOneObjective() {
    ObjectiveBook book = after(set("shop", 1, "users", "orders"));
    assertEquals(
        "the table users is of the application \"shop\" already: a table has one objective",
        refusal(book, set("mail", 1, "users")));
    assertEquals("", refusal(book, set("shop", 1, "users")));
    assertEquals("", refusal(book, set("mail", 1, "letters")));
  }

  @Test
  void whatCannotBeKeptIsRefusedWithAllThatIsWrong() {
    String refusal = refusal(ObjectiveBook.EMPTY, set("", 0));
    assertTrue(refusal.contains("name of an application") && refusal.contains("a rate"), refusal);
  }

  private static boolean asksNoMore(Objective wanted, Objective former) {
    return after(new SetObjective(former, 1)).asksNoMore(new SetObjective(wanted, 2));
  }

  /** Also one of which nodes are too busy to be given it anew. */
  @Test
  void whatAsksNoMoreInAnyRespectIsKnown() {
    Objective shop =
        Objective.guaranteed("shop")
            .tables("users", "orders")
            .p95(Duration.ofMillis(10))
            .p99(Duration.ofMillis(20))
            .rate(4_000)
            .reads(95)
            .dataSize(1_000);
    assertTrue(asksNoMore(shop, shop));
    assertTrue(asksNoMore(shop.rate(3_000), shop));
    assertFalse(asksNoMore(shop.rate(4_001), shop));
    assertFalse(asksNoMore(shop.clients(1), shop));
    assertTrue(asksNoMore(shop.p99(Duration.ofMillis(21)), shop));
    assertFalse(asksNoMore(shop.p99(Duration.ofMillis(19)), shop));
    assertFalse(asksNoMore(shop.mean(Duration.ofMillis(21)), shop));
    assertFalse(asksNoMore(shop.rate(3_000).p99(Duration.ofMillis(19)), shop));
    assertTrue(asksNoMore(shop.tables("users"), shop));
    assertFalse(asksNoMore(shop.tables("users", "carts"), shop));
    assertFalse(asksNoMore(shop.tables(new String[0]), shop));
    assertFalse(asksNoMore(shop.reads(96), shop));
    assertTrue(asksNoMore(shop.dataSize(999), shop));
    assertFalse(asksNoMore(shop.dataSize(1_001), shop));
    assertFalse(asksNoMore(shop.recordSize(10), shop));
    assertTrue(asksNoMore(shop.quota(300), shop));
    Objective bestEffort = Objective.bestEffort("shop").tables("users");
    assertTrue(asksNoMore(bestEffort, shop));
    assertFalse(asksNoMore(shop, bestEffort));
    assertFalse(after().asksNoMore(new SetObjective(shop, 1)));
    assertFalse(after(set("mail", 2)).asksNoMore(new SetObjective(shop, 1)));
  }

  @Test
  void objectivesAndHistoryHaveALimit() {
    ObjectiveBook book = ObjectiveBook.EMPTY;
    for (int i = 0; i < ObjectiveBook.PROMISES_MAX; i++) {
      book = book.after(set("app" + i, 1), i + 1);
    }
    assertTrue(refusal(book, set("more", 1)).contains("remove one"));
    assertEquals("", refusal(book, set("app0", 2)));
    for (int i = 0; i < 2 * ObjectiveBook.CHANGES_MAX; i++) {
      book = book.after(set("app0", i + 1), 1_000 + i);
    }
    assertEquals(ObjectiveBook.CHANGES_MAX, book.changes().size());
    assertEquals(
        ObjectiveBook.PROMISES_MAX + 2L * ObjectiveBook.CHANGES_MAX,
        book.changes().getLast().number());
  }

  @Test
  void aBookIsReadAsItWasWritten() {
    ObjectiveBook book =
        after(set("shop", 1, "users"), set("mail", 2), new RemoveObjective("mail", 9));
    assertEquals(book, ObjectiveBookCodec.decode(ObjectiveBookCodec.encode(book)));
    ObjectiveBook limited = book.after(new SetObjective(objective("x", 1, "t").quota(300), 9), 4);
    assertEquals(limited, ObjectiveBookCodec.decode(ObjectiveBookCodec.encode(limited)));
    assertThrows(MalformedMessageException.class, () -> ObjectiveBookCodec.decode(Bytes.of(9)));
    assertThrows(MalformedMessageException.class, () -> ObjectiveBookCodec.decode(Bytes.EMPTY));
  }

  @Test
  void aTimeAboveNothingIsNotShownAsNothing() {
    assertEquals("0.0004 ms", ObjectiveText.millis(400));
    assertEquals("0.001 ms", ObjectiveText.millis(600));
    assertEquals("1.5 ms", ObjectiveText.millis(1_500_000));
    assertEquals("20 ms", ObjectiveText.millis(20_000_000));
    assertEquals("0 ms", ObjectiveText.millis(0));
  }
}
