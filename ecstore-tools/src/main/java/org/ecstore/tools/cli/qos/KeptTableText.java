package org.ecstore.tools.cli.qos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.TableUseLine;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.server.print.LogText;

/** The tables that a cluster goes by, for people and programs. */
final class KeptTableText {
  private KeptTableText() {}

  /** A line for each table and each application. */
  static List<String> lines(Tables tables) {
    List<String> lines = new ArrayList<>();
    tables.tables().stream().map(KeptTableText::line).forEach(lines::add);
    tables.uses().stream().map(KeptTableText::line).forEach(lines::add);
    if (tables.tables().isEmpty()) {
      lines.add("no table is kept: predictions go by the formula of a queue (qos table use)");
    }
    return lines;
  }

  private static String line(TableLine table) {
    String about =
        "table %s: %s; %s"
            .formatted(
                LogText.of(table.name()), LogText.of(table.measured()), LogText.of(table.cells()));
    return table.stale().isEmpty()
        ? about + "; consulted"
        : about + "; STALE, not consulted: " + LogText.of(table.stale());
  }

  private static String line(TableUseLine use) {
    return use.table()
        .map(table -> "%s goes by table %s".formatted(LogText.of(use.application()), table))
        .orElseGet(
            () ->
                "%s goes by the formula of a queue: %s"
                    .formatted(LogText.of(use.application()), LogText.of(use.why())));
  }

  /** The same as JSON. */
  static ObjectNode json(Tables tables) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("steward", tables.steward().value());
    add(json, tables);
    return json;
  }

  /** Tables and who goes by them, as fields of an object. */
  static void add(ObjectNode json, Tables tables) {
    ArrayNode kept = json.putArray("tables");
    for (TableLine table : tables.tables()) {
      ObjectNode one = kept.addObject();
      one.put("name", table.name());
      one.put("since", Instant.ofEpochMilli(table.sinceMillis()).toString());
      one.put("measured", table.measured());
      one.put("cells", table.cells());
      one.put("consulted", table.stale().isEmpty());
      if (!table.stale().isEmpty()) {
        one.put("stale", table.stale());
      }
    }
    ArrayNode uses = json.putArray("predictedBy");
    for (TableUseLine use : tables.uses()) {
      ObjectNode one = uses.addObject();
      one.put("application", use.application());
      use.table().ifPresent(table -> one.put("table", table));
      if (!use.why().isEmpty()) {
        one.put("why", use.why());
      }
    }
  }
}
