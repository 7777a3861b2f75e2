package org.ecstore.server.measure;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Rows as a table for people, in Markdown, and as JSON for programs. */
public final class Report {
  private final List<String> names;
  private final StringBuilder table = new StringBuilder();
  private final ArrayNode rows = JsonNodeFactory.instance.arrayNode();

  Report(List<String> names) {
    this.names = List.copyOf(names);
    line(names);
    line(names.stream().map(_ -> "---").toList());
  }

  /** Adds a row: strings, and numbers that are shown with one decimal unless they are whole. */
  void row(List<Object> values) {
    ObjectNode row = rows.addObject();
    for (int i = 0; i < names.size(); i++) {
      switch (values.get(i)) {
        case Double number -> row.put(names.get(i), Math.round(number * 10) / 10.0);
        case Long number -> row.put(names.get(i), number);
        case Integer number -> row.put(names.get(i), number);
        case Object other -> row.put(names.get(i), other.toString());
      }
    }
    line(
        values.stream()
            .map(value -> value instanceof Double d ? String.format(Locale.ROOT, "%.1f", d) : value)
            .map(Object::toString)
            .toList());
  }

  private void line(List<String> cells) {
    table.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  /** The table. */
  public String table() {
    return table.toString();
  }

  /** One object for each row. */
  public ArrayNode json() {
    return rows;
  }
}
