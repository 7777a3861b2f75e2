package org.ecstore.tools.architecture;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Words that hide who acts, or how often. A sentence names the component or the interval instead:
 * which node waits, which caller asks. They are put together of parts here, so that this file has
 * none of them itself.
 */
final class VagueWords {
  /** In prose and in names: a test's name is a sentence, too. */
  private static final List<String> PERSONS =
      List.of("no" + "body", "some" + "body", "any" + "body", "every" + "body", "who" + "ever");

  private static final List<List<String>> PHRASES =
      List.of(
          List.of("now", "and", "then"),
          List.of("be", "had"),
          List.of("of", "no", "matter"),
          List.of("is", "to", "be"),
          List.of("are", "to", "be"));

  /** What parts the words of a phrase where a line of a comment, a list or a string ends. */
  private static final String GAP = "[\\s*/#>\"+]+";

  private static final Pattern VAGUE =
      Pattern.compile(
          Stream.concat(
                  PERSONS.stream().map(VagueWords::anywhere),
                  PHRASES.stream().map(VagueWords::prose))
              .collect(Collectors.joining("|")));

  private VagueWords() {}

  /** In any case that prose and names have; not with a capital within, which begins a new word. */
  private static String anywhere(String word) {
    String first = word.substring(0, 1);
    String upper = word.toUpperCase(Locale.ROOT);
    return "[" + first + upper.charAt(0) + "]" + word.substring(1) + "|" + upper;
  }

  private static String prose(List<String> words) {
    return "(?i:\\b" + String.join(GAP, words) + "\\b)";
  }

  /** Each place where a text has one, as {@code name:line: word}. */
  static List<String> in(String name, String text) {
    return VAGUE
        .matcher(text)
        .results()
        .map(found -> name + ":" + line(text, found.start()) + ": " + found.group())
        .toList();
  }

  private static long line(String text, int at) {
    return 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
  }
}
