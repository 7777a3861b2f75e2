package org.ecstore.cluster.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tomlj.TomlTable;

/**
 * What a value may be.
 *
 * @param words for people: "a number from 1 to 9"
 * @param textReader a value of the environment as the file would hold it; text that fits nothing
 *     stays text, and is refused by {@code reader}
 * @param reader the value, if what the file holds is one
 * @param secret whether values are never shown
 * @param cover takes from a text what of it is not to be shown
 */
record ValueKind<T>(
    String words,
    Function<String, Object> textReader,
    Function<Object, Optional<T>> reader,
    boolean secret,
    UnaryOperator<String> cover) {
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,12})\\s*([A-Za-z]+)");

  ValueKind(
      String words, Function<String, Object> textReader, Function<Object, Optional<T>> reader) {
    this(words, textReader, reader, false, UnaryOperator.identity());
  }

  /** What is in the environment, as a file would hold it. */
  Object fromText(String text) {
    return textReader.apply(text);
  }

  /** The value; absent if it is none of this kind. */
  Optional<T> read(Object held) {
    return reader.apply(held);
  }

  static ValueKind<Long> number(long least, long most) {
    return new ValueKind<>(
        "a number from " + least + " to " + most,
        ValueKind::numberOrText,
        held ->
            held instanceof Long number && number >= least && number <= most
                ? Optional.of(number)
                : Optional.empty());
  }

  /** A number with or without a part behind the point. */
  static ValueKind<Double> decimal(double least, double most) {
    return new ValueKind<>(
        "a number from " + least + " to " + most,
        ValueKind::decimalOrText,
        held ->
            held instanceof Number number
                    && number.doubleValue() >= least
                    && number.doubleValue() <= most
                ? Optional.of(number.doubleValue())
                : Optional.empty());
  }

  private static Object decimalOrText(String text) {
    try {
      return Double.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return text;
    }
  }

  private static Object numberOrText(String text) {
    try {
      return Long.valueOf(text.strip());
    } catch (NumberFormatException e) {
      return text;
    }
  }

  static ValueKind<Boolean> flag() {
    return new ValueKind<>(
        "true or false",
        text ->
            switch (text.strip()) {
              case "true" -> true;
              case "false" -> false;
              default -> text;
            },
        held -> held instanceof Boolean flag ? Optional.of(flag) : Optional.empty());
  }

  /** Text that fits a pattern. */
  static ValueKind<String> text(String words, Pattern allowed) {
    return new ValueKind<>(
        words,
        text -> text,
        held ->
            held instanceof String text && allowed.matcher(text).matches()
                ? Optional.of(text)
                : Optional.empty());
  }

  /** Text that fits a pattern and is never shown. */
  static ValueKind<String> secret(String words, Pattern allowed) {
    ValueKind<String> open = text(words, allowed);
    return new ValueKind<>(words, open.textReader(), open.reader(), true, open.cover());
  }

  /** The same, with values that people see a part of. */
  ValueKind<T> covered(UnaryOperator<String> other) {
    return new ValueKind<>(words, textReader, reader, secret, other);
  }

  /** A value as people may see it; what was to be a text may be a list of some. */
  Object visible(Object held) {
    return switch (held) {
      case String text -> cover.apply(text);
      case List<?> list -> list.stream().map(this::visible).toList();
      default -> held;
    };
  }

  /** One of the constants, in lower case. */
  static <E extends Enum<E>> ValueKind<E> choice(List<E> constants) {
    List<String> names = constants.stream().map(ValueKind::written).toList();
    return new ValueKind<>(
        String.join(" or ", names.stream().map(name -> '"' + name + '"').toList()),
        text -> text.strip(),
        held -> {
          int at = held instanceof String text ? names.indexOf(text) : -1;
          return at < 0 ? Optional.empty() : Optional.of(constants.get(at));
        });
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** Texts that each fit a pattern; in the environment with commas between. */
  static ValueKind<List<String>> texts(String words, Pattern allowed) {
    return new ValueKind<>(
        words,
        text -> text.isBlank() ? List.of() : List.of(text.strip().split("\\s*,\\s*", -1)),
        held -> {
          if (!(held instanceof List<?> list)) {
            return Optional.empty();
          }
          List<String> texts = new ArrayList<>();
          for (Object each : list) {
            if (!(each instanceof String text) || !allowed.matcher(text).matches()) {
              return Optional.empty();
            }
            texts.add(text);
          }
          return Optional.of(List.copyOf(texts));
        });
  }

  static ValueKind<Duration> duration(Duration least, Duration most) {
    return new ValueKind<>(
        "a duration from " + written(least) + " to " + written(most) + ", as \"10s\"",
        text -> text,
        held ->
            amount(held)
                .flatMap(ValueKind::duration)
                .filter(given -> given.compareTo(least) >= 0 && given.compareTo(most) <= 0));
  }

  private static Optional<Matcher> amount(Object held) {
    return held instanceof String text
        ? Optional.of(AMOUNT.matcher(text.strip())).filter(Matcher::matches)
        : Optional.empty();
  }

  private static Optional<Duration> duration(Matcher amount) {
    long count = Long.parseLong(amount.group(1));
    return switch (amount.group(2)) {
      case "ms" -> Optional.of(Duration.ofMillis(count));
      case "s" -> Optional.of(Duration.ofSeconds(count));
      case "min" -> Optional.of(Duration.ofMinutes(count));
      case "h" -> Optional.of(Duration.ofHours(count));
      default -> Optional.empty();
    };
  }

  /** A duration as the file holds it. */
  static String written(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 3600 == 0 && seconds > 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "min" : seconds + "s";
  }

  static ValueKind<Long> size(long least, long most) {
    return new ValueKind<>(
        "a size from " + writtenSize(least) + " to " + writtenSize(most) + ", as \"64MiB\"",
        text -> text,
        held ->
            amount(held).flatMap(ValueKind::size).filter(given -> given >= least && given <= most));
  }

  private static Optional<Long> size(Matcher amount) {
    int shift =
        switch (amount.group(2)) {
          case "KiB" -> 10;
          case "MiB" -> 20;
          case "GiB" -> 30;
          default -> -1;
        };
    long count = Long.parseLong(amount.group(1));
    return shift < 0 || count > Long.MAX_VALUE >> shift
        ? Optional.empty()
        : Optional.of(count << shift);
  }

  /** A size as the file holds it. */
  static String writtenSize(long bytes) {
    if (bytes % (1L << 30) == 0) {
      return (bytes >> 30) + "GiB";
    }
    return bytes % (1L << 20) == 0 ? (bytes >> 20) + "MiB" : (bytes >> 10) + "KiB";
  }

  /** What a file holds for a key of this kind, as people see it there. */
  String seen(Object held) {
    return secret ? "what is given" : shown(visible(held));
  }

  private static String shown(Object held) {
    return switch (held) {
      case Long number -> number.toString();
      case String text -> '"' + text + '"';
      case List<?> list -> list.stream().map(ValueKind::within).toList().toString();
      case TomlTable _ -> "a table";
      default -> held.toString();
    };
  }

  /** One of a list, as people see it there. */
  private static Object within(Object each) {
    return switch (each) {
      case List<?> list -> list.stream().map(ValueKind::within).toList();
      case TomlTable _ -> "a table";
      default -> each;
    };
  }
}
