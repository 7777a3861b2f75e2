package org.ecstore.tools.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.KeyText;
import org.ecstore.model.NodeRole;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.NodeLine;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.server.print.Columns;

/** Which node holds which keys, as text for people. */
public final class RangeTable {
  private RangeTable() {}

  /** One line a range, in key order, then the nodes. */
  public static List<String> lines(StatusReport status) {
    List<String[]> rows = new ArrayList<>();
    for (Route route : status.ranges()) {
      rows.add(
          new String[] {
            route.primary().toString(),
            "from " + KeyText.start(route.keys()),
            "to " + KeyText.end(route.keys()),
            route.range() + " " + route.epoch()
          });
    }
    List<String> lines = Columns.align(rows);
    lines.add("");
    rows.clear();
    for (NodeLine node : status.nodes()) {
      rows.add(new String[] {node.node().toString(), node.address(), NodeRole.words(node.roles())});
    }
    lines.addAll(Columns.align(rows));
    return lines;
  }
}
