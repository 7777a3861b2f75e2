package org.ecstore.tools.cli.cluster;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.StoreStatus.StoreNode;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.key.KeyText;
import org.ecstore.model.NodeRole;
import org.ecstore.server.print.Columns;

/** Which node holds which keys, as text for people. */
public final class RangeTable {
  private RangeTable() {}

  /** One line a range, in key order, then the nodes. */
  public static List<String> lines(StoreStatus status) {
    List<String[]> rows = new ArrayList<>();
    for (StoreRange route : status.ranges()) {
      rows.add(
          new String[] {
            route.primary().toString(),
            "from " + KeyText.start(route.keys()),
            "to " + KeyText.end(route.keys()),
            route.id() + " " + route.epoch()
          });
    }
    List<String> lines = Columns.align(rows);
    lines.add("");
    rows.clear();
    for (StoreNode node : status.nodes()) {
      rows.add(new String[] {node.id().toString(), node.address(), NodeRole.words(node.roles())});
    }
    lines.addAll(Columns.align(rows));
    return lines;
  }
}
