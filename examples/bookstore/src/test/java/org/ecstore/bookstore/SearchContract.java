package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.ecstore.bookstore.model.Item;
import org.junit.jupiter.api.Test;

/** How books are found by words; {@link #found} has the rules. */
interface SearchContract extends ShopUnderTest {
  /** Of so many entries those are found that have the other words. */
  int LOOKED_AT = 1_000;

  /** A word of a book. */
  record Entry(String word, Item item) {}

  private static String searched(Item item, SearchBy by) {
    return by == SearchBy.TITLE ? item.title() : ShopUnderTest.book(item).author();
  }

  /** What a search finds, of all entries. */
  static List<Book> found(List<Item> items, SearchBy by, String text, int lookedAt) {
    List<String> words = new ArrayList<>(SearchWords.of(text));
    words.sort(Comparator.comparingInt(String::length).reversed());
    if (words.isEmpty()) {
      return List.of();
    }
    List<Entry> entries = new ArrayList<>();
    for (Item item : items) {
      SearchWords.of(searched(item, by)).forEach(word -> entries.add(new Entry(word, item)));
    }
    return entries.stream()
        .filter(entry -> entry.word().startsWith(words.getFirst()))
        .sorted(
            Comparator.comparing(Entry::word)
                .thenComparing(entry -> entry.item().title())
                .thenComparingLong(entry -> entry.item().id()))
        .limit(lookedAt)
        .filter(
            entry ->
                words.stream()
                    .allMatch(
                        beginning ->
                            SearchWords.of(searched(entry.item(), by)).stream()
                                .anyMatch(word -> word.startsWith(beginning))))
        .map(entry -> ShopUnderTest.book(entry.item()))
        .distinct()
        .limit(Bookstore.LIST_MAX)
        .sorted(Comparator.comparing(Book::title).thenComparingLong(Book::item))
        .toList();
  }

  private List<Book> assertFound(List<Item> items, SearchBy by, String text) {
    List<Book> expected = found(items, by, text, LOOKED_AT);
    assertEquals(expected, shop().search(by, text), () -> by + ": " + text);
    return expected;
  }

  private static List<String> titleWords(List<Item> items) {
    return items.stream()
        .flatMap(item -> SearchWords.of(item.title()).stream())
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  default void eachFirstWordFindsItsBooks() {
    List<Item> items = items();
    List<String> words = titleWords(items);
    for (int i = 0; i < words.size(); i += 5) {
      String word = words.get(i);
      assertTrue(!assertFound(items, SearchBy.TITLE, word).isEmpty());
      assertFound(items, SearchBy.TITLE, word.substring(0, (word.length() + 1) / 2));
    }
  }

  @Test
  default void authorsAreFoundByEitherName() {
    List<Item> items = items();
    for (long id = 40; id < 50; id++) {
      Item item = items.get(Math.toIntExact(id) - 1);
      for (String text :
          List.of(
              item.authorFirstName(),
              item.authorLastName(),
              item.authorLastName() + ", " + item.authorFirstName(),
              item.authorFirstName() + " " + item.authorLastName().substring(0, 2))) {
        List<Book> found = assertFound(items, SearchBy.AUTHOR, text);
        assertTrue(found.contains(ShopUnderTest.book(item)), text);
      }
    }
  }

  @Test
  default void aListHasAtMostFifty() {
    List<Item> items = items();
    assertEquals(Bookstore.LIST_MAX, assertFound(items, SearchBy.TITLE, "the").size());
    assertEquals(Bookstore.LIST_MAX, assertFound(items, SearchBy.TITLE, "t").size());
  }

  @Test
  default void firstBooksAreThoseOfTheFirstWords() {
    List<Item> items = items();
    List<Book> found = assertFound(items, SearchBy.TITLE, "t");
    List<Book> all = found(items, SearchBy.TITLE, "t", Integer.MAX_VALUE);
    assertEquals(all, found);
    List<String> titles = found.stream().map(Book::title).toList();
    assertEquals(titles.stream().sorted().toList(), titles);
  }

  @Test
  default void caseDoesNotMatter() {
    List<Item> items = items();
    Item item = items.get(40);
    List<Book> found = assertFound(items, SearchBy.TITLE, item.title());
    assertTrue(found.contains(ShopUnderTest.book(item)));
    assertEquals(found, shop().search(SearchBy.TITLE, item.title().toUpperCase(Locale.ROOT)));
    assertEquals(found, shop().search(SearchBy.TITLE, item.title().toLowerCase(Locale.ROOT)));
  }

  @Test
  default void allWordsMustBeThere() {
    List<Item> items = items();
    Item item = items.get(41);
    List<String> words = SearchWords.sought(item.title());
    assertTrue(words.size() > 1);
    List<Book> found = assertFound(items, SearchBy.TITLE, words.get(1) + " " + words.getFirst());
    assertTrue(found.contains(ShopUnderTest.book(item)));
    assertEquals(List.of(), assertFound(items, SearchBy.TITLE, words.getFirst() + " zzz"));
    assertEquals(List.of(), assertFound(items, SearchBy.TITLE, "zzz " + words.getFirst()));
    for (char letter = 'a'; letter <= 'z'; letter++) {
      assertFound(items, SearchBy.TITLE, "the " + letter);
    }
  }

  @Test
  default void aBookWithTwoSuchWordsIsFoundOnce() {
    List<Item> items = items();
    boolean twice = false;
    for (char letter = 'a'; letter <= 'z'; letter++) {
      String beginning = String.valueOf(letter);
      List<Book> found = assertFound(items, SearchBy.TITLE, beginning);
      assertEquals(found.size(), Set.copyOf(found).size());
      twice |=
          items.stream()
              .anyMatch(
                  item ->
                      SearchWords.of(item.title()).stream()
                              .filter(word -> word.startsWith(beginning))
                              .count()
                          > 1);
    }
    assertTrue(twice, "some title has two words of one letter");
  }

  @Test
  default void titlesAndAuthorsAreApart() {
    List<Item> items = items();
    Item item = items.get(42);
    assertNotEquals(List.of(), shop().search(SearchBy.AUTHOR, item.authorLastName()));
    assertFound(items, SearchBy.TITLE, item.authorLastName());
    assertEquals(List.of(), shop().search(SearchBy.AUTHOR, "the of and"));
  }

  @Test
  default void whatIsNoWordFindsNothing() {
    for (String text : List.of("", " ", "%", "_", "?*", "'", "\\", "-- ", "\0")) {
      assertEquals(List.of(), shop().search(SearchBy.TITLE, text));
      assertEquals(List.of(), shop().search(SearchBy.AUTHOR, text));
    }
  }

  @Test
  default void signsOnlyPartWords() {
    List<Item> items = items();
    assertEquals(
        shop().search(SearchBy.TITLE, "the a"), shop().search(SearchBy.TITLE, "%the%_'a\\"));
    assertFound(items, SearchBy.TITLE, "th_");
    assertFound(items, SearchBy.TITLE, "t%e");
  }

  @Test
  default void longAndStrangeWordsFindNothing() {
    List<Item> items = items();
    for (String text :
        List.of("a".repeat(500), "\uD835\uDD38".repeat(50), "ſ", "ß", "éa", "zzzzz")) {
      assertEquals(List.of(), assertFound(items, SearchBy.TITLE, text));
    }
  }
}
