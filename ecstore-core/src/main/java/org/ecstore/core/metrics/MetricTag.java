package org.ecstore.core.metrics;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A name under which the values of a metric are told apart. What it can be is an enum, so that a
 * metric has no more series than are declared: never a key, or the id of a transaction.
 *
 * @param name lower case
 * @param type whose constants are the values
 */
public record MetricTag(String name, Class<? extends Enum<?>> type) {
  /** The values, in order of the constants. */
  public List<String> values() {
    return Arrays.stream(type.getEnumConstants()).map(MetricTag::value).toList();
  }

  /** A constant as the value of a tag: {@code hot_replica}. */
  public static String value(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
