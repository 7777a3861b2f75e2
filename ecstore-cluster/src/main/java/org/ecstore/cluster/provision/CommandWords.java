package org.ecstore.cluster.provision;

import java.util.ArrayList;
import java.util.List;

/**
 * A command line as a configuration has it: words with blanks between, the first one a program. No
 * shell looks at it, so {@code $}, {@code *}, {@code ~} and {@code \} stand for themselves. What is
 * between double quotes belongs to one word, blanks too; there is no way to write a double quote.
 *
 * @param text as it was written
 * @param words of it, one at least
 */
public record CommandWords(String text, List<String> words) {
  private static final char QUOTE = '"';

  public CommandWords {
    words = List.copyOf(words);
  }

  /**
   * Takes a text apart.
   *
   * @throws IllegalArgumentException if it has no word, or ends within quotes; says what to do
   */
  public static CommandWords parse(String text) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean isQuoted = false;
    boolean hasBegun = false;
    for (int i = 0; i < text.length(); i++) {
      char letter = text.charAt(i);
      if (letter == QUOTE) {
        isQuoted = !isQuoted;
        hasBegun = true;
      } else if (!isQuoted && Character.isWhitespace(letter)) {
        if (hasBegun) {
          words.add(word.toString());
        }
        word.setLength(0);
        hasBegun = false;
      } else {
        word.append(letter);
        hasBegun = true;
      }
    }
    if (isQuoted) {
      throw new IllegalArgumentException("ends within quotes: close them, by \"");
    }
    if (hasBegun) {
      words.add(word.toString());
    }
    if (words.isEmpty() || words.getFirst().isBlank()) {
      throw new IllegalArgumentException("names no program: begin with one");
    }
    return new CommandWords(text, words);
  }

  /**
   * The command line of some words.
   *
   * @throws IllegalArgumentException if one has a double quote, which none can have
   */
  public static CommandWords of(List<String> words) {
    List<String> written = new ArrayList<>();
    for (String word : words) {
      if (word.indexOf(QUOTE) >= 0) {
        throw new IllegalArgumentException(word + " has a double quote, which no command can have");
      }
      boolean isPlain = !word.isEmpty() && word.chars().noneMatch(Character::isWhitespace);
      written.add(isPlain ? word : QUOTE + word + QUOTE);
    }
    return parse(String.join(" ", written));
  }
}
