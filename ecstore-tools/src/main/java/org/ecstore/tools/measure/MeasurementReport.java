package org.ecstore.tools.measure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Rows as a table for people, in Markdown, and as JSON for programs. */
public final class MeasurementReport {
  private final List<String> names;
  private final StringBuilder table = new StringBuilder();
  private final ArrayNode rows = JsonNodeFactory.instance.arrayNode();
  private final ObjectNode summary = JsonNodeFactory.instance.objectNode();

  MeasurementReport(List<String> names) {
    this.names = List.copyOf(names);
    line(names);
    line(names.stream().map(_ -> "---").toList());
  }

  /**
   * Adds a row: strings, and numbers that are shown with one decimal unless they are whole; an
   * empty {@link OptionalLong} is what was not measured.
   */
  void row(List<Object> values) {
    ObjectNode row = rows.addObject();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      switch (values.get(i)) {
        case Double number -> row.put(name, Math.round(number * 10) / 10.0);
        case Long number -> row.put(name, number);
        case Integer number -> row.put(name, number);
        case OptionalLong number -> number.ifPresent(value -> row.put(name, value));
        case Object other -> row.put(name, other.toString());
      }
    }
    line(values.stream().map(MeasurementReport::shown).toList());
  }

  private static String shown(Object value) {
    return switch (value) {
      case Double number -> String.format(Locale.ROOT, "%.1f", number);
      case OptionalLong number -> number.isPresent() ? Long.toString(number.getAsLong()) : "-";
      case Object other -> other.toString();
    };
  }

  private void line(List<String> cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** Adds what has to be said of all rows together. */
  void summary(String name, long value) {
    summary.put(name, value);
  }

  /** The same of what is so or not. */
  void summary(String name, boolean value) {
    summary.put(name, value);
  }

  /** The same of a number that is not whole, with one decimal. */
  void summary(String name, double value) {
    summary.put(name, Math.round(value * 10) / 10.0);
  }

  /** The table, and below it what is said of all rows. */
  public String table() {
    StringBuilder all = new StringBuilder(table);
    summary
        .properties()
        .forEach(each -> all.append("%n%s: %s".formatted(each.getKey(), each.getValue())));
    return summary.isEmpty() ? all.toString() : all.append(System.lineSeparator()).toString();
  }

  /** One object: {@code rows} with one for each row, and what is said of all. */
  public ObjectNode json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    all.set("rows", rows);
    all.setAll(summary);
    return all;
  }
}
