package org.ecstore.sim.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Row;
import org.ecstore.txn.node.NodeInspection.CopyView;

/**
 * What the stores of nodes have by themselves, without the versions in the windows over them (W1):
 * each key as it was where the copy's last fold became durable, or later, and no later than a fold
 * may have begun. A replay from there makes it whole after a crash. A read through the window does
 * not show that a fold has left something out as long as the window has it too.
 */
final class StoredRows {
  static final String RULE = "a store alone has each key as of its durable fold or later (W1)";

  private record Looked(int life, Epoch epoch, Position durableFolded) {}

  private final LedgerModel model;
  private final Map<String, Looked> looked = new HashMap<>();

  StoredRows(LedgerModel model) {
    this.model = model;
  }

  /**
   * Whether a copy has neither rows nor a record yet. What lies there is of one of before that no
   * note speaks of: it is cleared, which may be under way, before anything is taken in (rule W4).
   */
  static boolean isYetToBeCleared(CopyView copy) {
    return copy.closed().equals(Position.ZERO) && copy.rows().equals(Position.ZERO);
  }

  /**
   * Looks at the store below a copy, if another fold has become durable there since it last did, or
   * the node has started again.
   *
   * @param life counts the starts of the node
   * @param rows what the store has of the copy's keys
   */
  Optional<Finding> check(NodeId node, int life, CopyView copy, Supplier<List<Row>> rows) {
    Looked now = new Looked(life, copy.epoch(), copy.durableFolded());
    if (now.equals(looked.put(node + "/" + copy.id(), now))) {
      return Optional.empty();
    }
    Map<Bytes, Row> stored = new TreeMap<>();
    rows.get().forEach(row -> stored.put(row.key(), row));
    Set<Bytes> keys = new TreeSet<>(stored.keySet());
    model.keysOf(copy.keys()).forEach(keys::add);
    long through = Position.max(copy.rows(), copy.closed()).value();
    for (Bytes key : keys) {
      Optional<Row> row = Optional.ofNullable(stored.get(key));
      if (!model.was(key, row, copy.durableFolded().value(), through)) {
        return Optional.of(
            new Finding(
                RULE,
                "%s has stored for %s, folded through %s, %s: %s"
                    .formatted(node, copy, copy.durableFolded(), key, row.map(Row::version))));
      }
    }
    return Optional.empty();
  }
}
