package org.ecstore.bookstore;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The words of texts, as searches compare them. */
public final class SearchWords {
  /** Longer ones are cut. */
  public static final int LENGTH_MAX = 40;

  private SearchWords() {}

  /** The words of a text in small letters, each once: runs of letters and digits. */
  public static Set<String> of(String text) {
    Set<String> words = new LinkedHashSet<>();
    StringBuilder word = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      int symbol = text.codePointAt(at);
      at += Character.charCount(symbol);
      if (Character.isLetterOrDigit(symbol)) {
        word.appendCodePoint(symbol);
      } else {
        end(word, words);
      }
    }
    end(word, words);
    return words;
  }

  private static void end(StringBuilder word, Set<String> words) {
    if (!word.isEmpty()) {
      String small = word.toString().toLowerCase(Locale.ROOT);
      words.add(small.substring(0, small.offsetByCodePoints(0, cut(small))));
      word.setLength(0);
    }
  }

  private static int cut(String word) {
    return Math.min(LENGTH_MAX, word.codePointCount(0, word.length()));
  }

  /** The words of a search, the one that is looked for first: the longest. */
  public static List<String> sought(String text) {
    List<String> words = new ArrayList<>(of(text));
    words.sort((one, other) -> Integer.compare(other.length(), one.length()));
    return words;
  }

  /** Whether a text has words that begin as all of some do. */
  public static boolean hasAll(String text, List<String> beginnings) {
    Set<String> words = of(text);
    return beginnings.stream()
        .allMatch(beginning -> words.stream().anyMatch(word -> word.startsWith(beginning)));
  }
}
