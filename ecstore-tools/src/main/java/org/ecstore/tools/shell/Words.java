package org.ecstore.tools.shell;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.ecstore.key.Bytes;
import org.ecstore.key.Descending;
import org.ecstore.key.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a line into words. A word is text up to a blank; text in quotes, {@code "two words"} or
 * {@code 'two words'}, with a backslash before a quote or itself, or before {@code u000a}; bytes,
 * {@code x'0aff'}; or a tuple in parentheses with commas between its elements, {@code (alice, 3,
 * null)}. Within a tuple, and as a key, a plain word is a long or a double if it looks like one,
 * null, true, false, a UUID, a date, an instant as {@code 2026-01-31T10:00:00Z}, or else text; a
 * decimal is {@code dec'1.5'}, and {@code desc(7)} stands in descending order.
 */
final class Words {
  private static final Pattern NUMBER = Pattern.compile("[+-]?[0-9]{1,19}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern REAL =
      Pattern.compile("[+-]?([0-9]+[.][0-9]+([eE][+-]?[0-9]+)?|Infinity)|NaN");
  private static final Pattern DATE = Pattern.compile("[+-]?[0-9]{4,9}-[0-9]{2}-[0-9]{2}");
  private static final String DESC = "desc(";
  private static final String DECIMAL = "dec'";
  private static final Pattern DECIMAL_WORD = Pattern.compile("dec'[^'\\s]*'");
  private static final Pattern INSTANT = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z");

  /** Of a character that does not print. */
  private static final int UNIT_DIGITS = 4;

  private final String line;
  private int at;

  private Words(String line) {
    this.line = line;
  }

  /** One word of a line. */
  sealed interface Word {
    /** Text; {@code plain} if it stood without quotes. */
    record Text(String text, boolean plain) implements Word {}

    /** A tuple. */
    record Parenthesized(Tuple tuple) implements Word {}

    /** Bytes in hexadecimal. */
    record Hex(Bytes bytes) implements Word {}

    /** An element of a key that is neither; its text where it is a value. */
    record Element(Object element, String text) implements Word {}
  }

  /**
   * The words of a line; none of an empty one or of a remark, which begins with {@code #}.
   *
   * @throws ShellException if a quote or a parenthesis is not closed
   */
  static List<Word> of(String line) {
    Words words = new Words(line);
    List<Word> found = new ArrayList<>();
    words.skipBlanks();
    while (words.at < line.length() && !(found.isEmpty() && line.charAt(words.at) == '#')) {
      found.add(words.word());
      words.skipBlanks();
    }
    return found;
  }

  private void skipBlanks() {
    while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
      at++;
    }
  }

  private Word word() {
    char first = line.charAt(at);
    if (first == '(') {
      at++;
      return new Word.Parenthesized(tuple());
    }
    if (first == '"' || first == '\'') {
      return new Word.Text(quoted(), false);
    }
    if (line.startsWith("x'", at)) {
      return new Word.Hex(hex());
    }
    int start = at;
    if (isDecimal()) {
      return new Word.Element(decimal(), line.substring(start, at));
    }
    if (line.startsWith(DESC, at)) {
      return new Word.Element(descending(), line.substring(start, at));
    }
    while (at < line.length() && !Character.isWhitespace(line.charAt(at))) {
      at++;
    }
    return new Word.Text(line.substring(start, at), true);
  }

  private String quoted() {
    char quote = line.charAt(at++);
    StringBuilder text = new StringBuilder();
    while (at < line.length()) {
      char c = line.charAt(at++);
      if (c == quote) {
        return text.toString();
      }
      if (c == '\\' && at < line.length()) {
        c = line.charAt(at++);
        if (c == 'u' && isHex(at)) {
          c = (char) HexFormat.fromHexDigits(line, at, at + UNIT_DIGITS);
          at += UNIT_DIGITS;
        }
      }
      text.append(c);
    }
    throw new ShellException("the quote " + quote + " is not closed");
  }

  private boolean isHex(int from) {
    int end = from + UNIT_DIGITS;
    return end <= line.length()
        && line.substring(from, end).chars().allMatch(HexFormat::isHexDigit);
  }

  private Bytes hex() {
    at++;
    String digits = quoted();
    try {
      return Bytes.wrap(HexFormat.of().parseHex(digits));
    } catch (IllegalArgumentException e) {
      throw new ShellException("x'" + digits + "' is no bytes: pairs of hexadecimal digits");
    }
  }

  private boolean isDecimal() {
    return DECIMAL_WORD.matcher(line).region(at, line.length()).lookingAt();
  }

  private BigDecimal decimal() {
    at += DECIMAL.length() - 1;
    String text = quoted();
    try {
      return new BigDecimal(text);
    } catch (NumberFormatException e) {
      throw new ShellException(DECIMAL + text + "' is no decimal: digits, as dec'1.5'");
    }
  }

  private Descending descending() {
    at += DESC.length();
    Tuple within = tuple();
    if (within.size() != 1) {
      throw new ShellException("desc(...) has one element, not " + within.size());
    }
    return Tuple.desc(within.element(0));
  }

  private Tuple tuple() {
    List<@Nullable Object> elements = new ArrayList<>();
    skipBlanks();
    if (at < line.length() && line.charAt(at) == ')') {
      at++;
      return Tuple.EMPTY;
    }
    while (true) {
      skipBlanks();
      elements.add(element());
      skipBlanks();
      char next = at < line.length() ? line.charAt(at++) : 0;
      if (next == ')') {
        return Tuple.of(elements.toArray());
      }
      if (next != ',') {
        throw new ShellException(
            next == 0
                ? "the parenthesis is not closed"
                : "between the elements of a tuple must be commas, not " + next);
      }
    }
  }

  private @Nullable Object element() {
    if (at < line.length() && (line.charAt(at) == '"' || line.charAt(at) == '\'')) {
      return quoted();
    }
    if (line.startsWith("x'", at)) {
      return hex();
    }
    if (isDecimal()) {
      return decimal();
    }
    if (line.startsWith(DESC, at)) {
      return descending();
    }
    int start = at;
    while (at < line.length() && line.charAt(at) != ',' && line.charAt(at) != ')') {
      at++;
    }
    String text = line.substring(start, at).strip();
    if (text.isEmpty()) {
      throw new ShellException("an element of the tuple is empty: empty text is \"\"");
    }
    return plain(text);
  }

  /** The key that a word is: of one element unless it stands in parentheses. */
  static Tuple key(Word word) {
    return switch (word) {
      case Word.Text(var text, var plain) -> Tuple.of(plain ? plain(text) : (Object) text);
      case Word.Parenthesized(var tuple) -> tuple;
      case Word.Hex(var bytes) -> Tuple.of(bytes);
      case Word.Element(var element, _) -> Tuple.of(element);
    };
  }

  /** Whether a text is text also where it stands without quotes. */
  static boolean isText(String text) {
    return !NUMBER.matcher(text).matches()
        && !REAL.matcher(text).matches()
        && !UUID_TEXT.matcher(text).matches()
        && !DATE.matcher(text).matches()
        && !INSTANT.matcher(text).matches()
        && !text.startsWith(DECIMAL)
        && !text.startsWith(DESC)
        && !text.equals("null")
        && !text.equals("true")
        && !text.equals("false");
  }

  private static @Nullable Object plain(String text) {
    try {
      if (NUMBER.matcher(text).matches()) {
        return Long.valueOf(text);
      }
      if (REAL.matcher(text).matches()) {
        return Double.valueOf(text);
      }
      if (UUID_TEXT.matcher(text).matches()) {
        return UUID.fromString(text);
      }
      if (DATE.matcher(text).matches()) {
        return LocalDate.parse(text);
      }
      if (INSTANT.matcher(text).matches()) {
        return Instant.parse(text);
      }
    } catch (NumberFormatException e) {
      throw new ShellException(text + " is too large for a number of 64 bits");
    } catch (DateTimeException e) {
      throw new ShellException(
          text + " is no date or instant; as text it stands in quotes: " + e.getMessage());
    }
    return switch (text) {
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> text;
    };
  }
}
