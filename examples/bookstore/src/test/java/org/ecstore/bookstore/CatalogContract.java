package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.ecstore.bookstore.model.BookSubject;
import org.ecstore.bookstore.model.Item;
import org.junit.jupiter.api.Test;

/** What pages show of books. */
interface CatalogContract extends ShopUnderTest {
  @Test
  default void homeShowsTheRelatedBooksInTheirOrder() {
    for (long near = 1; near <= 10; near++) {
      List<Book> expected =
          product(near).item().related().stream()
              .map(related -> ShopUnderTest.book(product(related).item()))
              .toList();
      assertEquals(Item.RELATED, expected.size());
      assertEquals(new Home(Optional.empty(), expected), shop().home(OptionalLong.empty(), near));
    }
  }

  @Test
  default void homeKnowsItsCustomer() {
    assertEquals(
        Optional.of(population().customer(17).firstName()),
        shop().home(OptionalLong.of(17), 3).firstName());
    for (long unknown : new long[] {0, -1, 1_000_000, Long.MAX_VALUE}) {
      Home home = shop().home(OptionalLong.of(unknown), 3);
      assertEquals(Optional.empty(), home.firstName());
      assertEquals(Item.RELATED, home.promoted().size());
    }
  }

  @Test
  default void homeNearNoBookIsRefused() {
    for (long item : new long[] {0, -1, population().items() + 1, Long.MIN_VALUE}) {
      assertThrows(ShopException.class, () -> shop().home(OptionalLong.of(1), item));
    }
  }

  /** Books from 40 to 59 are not changed or bought by these tests. */
  @Test
  default void productIsWhole() {
    for (long item = 40; item < 60; item++) {
      Item expected = population().item(item);
      assertEquals(
          Optional.of(
              new Product(
                  expected,
                  population().author(expected.authorId()),
                  population().stock(item).onHand(),
                  expected.related().stream()
                      .map(related -> ShopUnderTest.book(product(related).item()))
                      .toList())),
          shop().product(item));
    }
  }

  @Test
  default void thereIsNoProductOfAnotherNumber() {
    for (long item : new long[] {0, -1, population().items() + 1, Long.MAX_VALUE}) {
      assertEquals(Optional.empty(), shop().product(item));
    }
  }

  @Test
  default void newProductsAreTheNewestOfTheSubjectFirst() {
    // Two of one day, and one that is newer than all.
    List<Item> some = ofOneSubject();
    LocalDate day = LocalDate.of(2027, 5, 5);
    change(some.getLast(), day);
    change(some.getFirst(), day);
    change(some.get(1), day.plusDays(1));
    List<Item> items = items();
    for (BookSubject subject : BookSubject.values()) {
      List<Book> expected =
          items.stream()
              .filter(item -> item.subject() == subject)
              .sorted(
                  Comparator.comparing(Item::published)
                      .reversed()
                      .thenComparing(Item::title)
                      .thenComparingLong(Item::id))
              .map(ShopUnderTest::book)
              .toList();
      assertEquals(expected, shop().newProducts(subject));
    }
  }

  private void change(Item item, LocalDate day) {
    Item changed = shop().changeItem(item.id(), item.cents(), item.thumbnail(), item.image(), day);
    assertEquals(day, changed.published());
  }

  /** More books than two, of which none is kept as it was. */
  private List<Item> ofOneSubject() {
    return items().stream()
        .filter(item -> item.id() < 40 || item.id() >= 60)
        .collect(Collectors.groupingBy(Item::subject))
        .values()
        .stream()
        .filter(items -> items.size() > 2)
        .findFirst()
        .orElseThrow();
  }

  @Test
  default void booksOfTheSubjectAreByTitle() {
    List<Item> items = items();
    for (BookSubject subject : BookSubject.values()) {
      List<Book> expected =
          items.stream()
              .filter(item -> item.subject() == subject)
              .sorted(Comparator.comparing(Item::title).thenComparingLong(Item::id))
              .map(ShopUnderTest::book)
              .toList();
      assertEquals(expected, shop().search(subject));
    }
  }

  @Test
  default void bestSellersAreOfTheSubject() {
    for (BookSubject subject : BookSubject.values()) {
      for (BestSeller best : shop().bestSellers(subject)) {
        assertEquals(subject, product(best.book().item()).item().subject());
        assertTrue(best.sold() > 0, () -> best + " was sold");
      }
    }
  }
}
