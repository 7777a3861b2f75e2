package org.ecstore.client.schema;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the values of a table consist of: what a codec writes, or, in the store's catalog, what all
 * programs that opened the table have written (decision 0068).
 *
 * @param formats in which they are, as {@code record} or {@code text}
 * @param values the types of the application that they are of, by the names under which these are
 *     stored; none where the format says it all
 * @param types these, and those within them
 */
public record ValueSchema(List<String> formats, List<String> values, List<TypeSchema> types) {
  public ValueSchema {
    formats = List.copyOf(formats);
    values = List.copyOf(values);
    types = List.copyOf(types);
  }

  /** Of a format that says it all. */
  public static ValueSchema of(String format) {
    return new ValueSchema(List.of(format), List.of(), List.of());
  }

  /** A type by its name. */
  public Optional<TypeSchema> type(String wanted) {
    return types.stream().filter(each -> each.name().equals(wanted)).findFirst();
  }

  /** The same, with what another has besides. */
  public ValueSchema with(ValueSchema other) {
    List<TypeSchema> all = new ArrayList<>();
    for (TypeSchema own : types) {
      all.add(other.type(own.name()).map(own::with).orElse(own));
    }
    for (TypeSchema more : other.types) {
      if (type(more.name()).isEmpty()) {
        all.add(more);
      }
    }
    return new ValueSchema(union(formats, other.formats), union(values, other.values), all);
  }

  static List<String> union(List<String> some, List<String> others) {
    Set<String> all = new LinkedHashSet<>(some);
    all.addAll(others);
    return new ArrayList<>(all);
  }
}
