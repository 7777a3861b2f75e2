package org.ecstore.bookstore;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class SearchWordsTest {
  @Test
  void wordsAreRunsOfLettersAndDigitsInSmallLetters() {
    assertEquals(
        List.of("the", "ström", "s", "2nd", "house"),
        List.copyOf(SearchWords.of("  The Ström's-2nd (house)")));
  }

  @Test
  void eachWordIsThereOnce() {
    assertEquals(Set.of("a", "b"), SearchWords.of("a b A. B, a"));
  }

  @Test
  void aTextWithoutLettersHasNone() {
    assertEquals(Set.of(), SearchWords.of(""));
    assertEquals(Set.of(), SearchWords.of(" %_'\\\"?*"));
  }

  @Test
  void longWordsAreCut() {
    assertEquals(Set.of("x".repeat(40)), SearchWords.of("X".repeat(41)));
    // Of two chars each.
    String symbol = "\uD835\uDD52";
    assertEquals(Set.of(symbol.repeat(40)), SearchWords.of(symbol.repeat(50)));
    // Whose small letter is two.
    assertEquals(40, SearchWords.of("İ".repeat(40)).iterator().next().codePointCount(0, 40));
  }

  @Test
  void theLongestIsSoughtFirst() {
    assertEquals(List.of("castle", "high", "the"), SearchWords.sought("the high castle"));
    assertEquals(List.of("one", "two"), SearchWords.sought("one two"));
    assertEquals(List.of(), SearchWords.sought("..."));
  }

  @Test
  void beginningsOfAllWordsMustBeThere() {
    String title = "The House of the Silver Fox";
    assertTrue(SearchWords.hasAll(title, List.of("fo", "silver", "hou")));
    assertTrue(SearchWords.hasAll(title, List.of()));
    assertFalse(SearchWords.hasAll(title, List.of("fo", "ox")));
    assertFalse(SearchWords.hasAll(title, List.of("foxes")));
  }
}
