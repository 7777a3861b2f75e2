package org.ecstore.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.wire.client.ClientReply.NodeLine;
import org.ecstore.wire.client.ClientReply.StatusReport;
import org.ecstore.wire.client.Route;

/** Which node holds which keys, as text for people. */
final class RangeTable {
  private RangeTable() {}

  /** One line a range, in key order, then the nodes. */
  static List<String> lines(StatusReport status) {
    List<String[]> rows = new ArrayList<>();
    for (Route route : status.ranges()) {
      rows.add(
          new String[] {
            route.primary().toString(),
            "from " + text(Optional.of(route.keys().start())),
            "to " + text(route.keys().end()),
            route.range() + " " + route.epoch()
          });
    }
    List<String> lines = align(rows);
    lines.add("");
    rows.clear();
    for (NodeLine node : status.nodes()) {
      rows.add(new String[] {node.node().toString(), node.address(), node.roles()});
    }
    lines.addAll(align(rows));
    return lines;
  }

  private static String text(Optional<Bytes> bound) {
    if (bound.isEmpty()) {
      return "the end";
    }
    Bytes key = bound.get();
    if (key.length() == 0) {
      return "the beginning";
    }
    try {
      return Tuple.decode(key).toString();
    } catch (MalformedTupleException e) {
      return key.toString();
    }
  }

  private static List<String> align(List<String[]> rows) {
    int columns = rows.isEmpty() ? 0 : rows.getFirst().length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    List<String> lines = new ArrayList<>();
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append("  ").append(row[i]).repeat(' ', widths[i] - row[i].length());
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }
}
