package org.ecstore.key;

import java.math.BigDecimal;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Keys as text for people, which the shell and the commands of a cluster read again: the tuple that
 * a key is, with its texts in quotes, or else its bytes, {@code x'0aff'}. A decimal is {@code
 * dec'1.5'}, a descending element {@code desc(7)}. Within quotes a backslash stands before a quote
 * and before itself; what does not print is {@code \\u000a}.
 */
public final class KeyText {
  /** Longer than this a key is cut where it is part of a sentence. */
  private static final int BRIEF_CHARS = 100;

  private KeyText() {}

  /** A key. */
  public static String of(Bytes key) {
    try {
      return of(Tuple.decode(key));
    } catch (MalformedTupleException e) {
      return hex(key);
    }
  }

  /** A tuple, in parentheses. */
  public static String of(Tuple tuple) {
    StringBuilder text = new StringBuilder("(");
    for (int i = 0; i < tuple.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(element(tuple.element(i)));
    }
    return text.append(')').toString();
  }

  /** An element of a tuple, within one or alone; a text in quotes. */
  public static String element(@Nullable Object element) {
    if (element instanceof String string) {
      return quoted(string);
    } else if (element instanceof Bytes bytes) {
      return hex(bytes);
    } else if (element instanceof BigDecimal decimal) {
      return "dec'" + decimal + "'";
    } else if (element instanceof Descending descending) {
      return "desc(" + element(descending.element()) + ")";
    }
    return String.valueOf(element);
  }

  /** A key within a sentence: a long one is cut, and not to be read again. */
  public static String brief(Bytes key) {
    String text = of(key);
    return text.length() <= BRIEF_CHARS
        ? text
        : text.substring(0, BRIEF_CHARS) + "...(" + key.length() + " bytes)";
  }

  /** The start of an interval. */
  public static String start(KeyRange keys) {
    return keys.start().length() == 0 ? "the beginning" : of(keys.start());
  }

  /** The end of an interval. */
  public static String end(KeyRange keys) {
    return keys.end().map(KeyText::of).orElse("the end");
  }

  /** An interval within a sentence: from where to where. */
  public static String brief(KeyRange keys) {
    return "from "
        + (keys.start().length() == 0 ? "the beginning" : brief(keys.start()))
        + " to "
        + keys.end().map(KeyText::brief).orElse("the end");
  }

  /**
   * An interval of an application's, within a sentence. Its bounds need not be keys: those that
   * come of a tuple are said by it.
   */
  public static String interval(KeyRange keys) {
    if (keys.equals(KeyRange.single(keys.start()))) {
      return brief(keys.start());
    }
    if (keys.start().length() > 0 && keys.equals(KeyRange.prefix(keys.start()))) {
      return "all that begin with " + brief(keys.start());
    }
    return "from "
        + (keys.start().length() == 0 ? "the beginning" : brief(keys.start()))
        + keys.end().map(KeyText::upTo).orElse(" to the end");
  }

  private static String upTo(Bytes end) {
    if (isTuple(end) || end.length() == 0) {
      return " to before " + brief(end);
    }
    byte[] bytes = end.array().clone();
    int last = bytes.length - 1;
    if (bytes[last] == 0 && isTuple(end.slice(0, last))) {
      return " to " + brief(end.slice(0, last));
    }
    bytes[last]--;
    Bytes prefix = Bytes.wrap(bytes);
    return isTuple(prefix)
        ? " to all that begin with " + brief(prefix)
        : " to before " + brief(end);
  }

  private static boolean isTuple(Bytes key) {
    try {
      return Tuple.decode(key).size() > 0;
    } catch (MalformedTupleException e) {
      return false;
    }
  }

  /** Bytes. */
  public static String hex(Bytes bytes) {
    return "x'" + HexFormat.of().formatHex(bytes.array()) + "'";
  }

  /** Text in quotes, on one line whatever is in it. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (isPrinted(c)) {
        quoted.append(c);
      } else {
        quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
      }
    }
    return quoted.append('"').toString();
  }

  /** Whether a character shows as itself and changes nothing around it. */
  public static boolean isPrinted(char c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED,
          Character.PRIVATE_USE ->
          false;
      default -> true;
    };
  }
}
