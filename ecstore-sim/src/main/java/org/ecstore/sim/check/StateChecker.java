package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.hotspot.HotReplicaHost;
import org.ecstore.txn.node.Departure;
import org.ecstore.txn.node.NodeInspection;
import org.ecstore.txn.node.NodeInspection.CopyView;

/**
 * What must hold of the nodes' states at every moment: positions adopted are durable and come with
 * their map (rule 8), one node at most serves a range under an epoch (rule 15), closed positions
 * never lie (rule 11), stores have what was folded (W1). And what must hold once all is quiet:
 * nothing is held back, each key is owned once.
 */
public final class StateChecker {
  /** A node as the checker sees it: its state, and what its disk holds. */
  public interface NodeView {
    NodeId id();

    /** Counts its starts. */
    int life();

    NodeInspection state();

    /**
     * What is read of some keys at a position.
     *
     * @param stored what the store has of these keys
     */
    List<Row> rows(KeyRange keys, Position at, List<Row> stored);

    /** What its store has, without the versions in the window over it. */
    List<Row> stored(KeyRange keys);

    /** Grows with whatever may have changed what its engine has. */
    long changes();

    /** The hot-spot replicas that it holds for copies of others. */
    List<HotReplicaHost.View> hotReplicas();
  }

  /** The promise that a node which stays has a place in the tree (rule 20). */
  public static final String PLACED = "each node has a place in the end (rule 20)";

  /** The promise that each range has its copies, without an operator (rule 19). */
  public static final String COPIED = "each range has its copies in the end (rule 19)";

  private record Known(int life, ReadPoint adopted) {}

  /** What was compared of a copy. */
  private record Compared(
      int life,
      long changes,
      KeyRange keys,
      Epoch epoch,
      Copy.State state,
      Position base,
      Position closed) {}

  private final LedgerModel model;
  private final StoredRows storedRows;
  private final Map<NodeId, Known> known = new TreeMap<>();
  private final Map<String, Long> durableFolded = new TreeMap<>();
  private final Map<String, Compared> compared = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();

  public StateChecker(LedgerModel model) {
    this.model = model;
    this.storedRows = new StoredRows(model);
  }

  /** The disk of a node is another, empty one: what its copies had made durable is gone. */
  public void replaced(NodeId node) {
    durableFolded.keySet().removeIf(copy -> copy.startsWith(node + "/"));
  }

  /** What is wrong with the states of the running nodes; the model is up to date. */
  public List<Finding> check(List<? extends NodeView> nodes) {
    findings.clear();
    Map<String, NodeId> serving = new TreeMap<>();
    for (NodeView node : nodes) {
      NodeInspection state = node.state();
      if (!state.ready()) {
        continue;
      }
      checkAdopted(node, state);
      node.hotReplicas().forEach(hotReplica -> checkHotReplica(node, hotReplica));
      for (CopyView copy : state.copies()) {
        checkCopy(node, copy);
        if (copy.state() == Copy.State.SERVING) {
          NodeId other = serving.put(copy.id() + "/" + copy.epoch(), node.id());
          if (other != null) {
            found(
                "one node at most serves a range under an epoch",
                copy.id() + "/" + copy.epoch() + " is served by " + other + " and " + node.id());
          }
        }
      }
    }
    return List.copyOf(findings);
  }

  /**
   * A hot-spot replica that is filled has what its keys had at its base, and at its closed
   * position.
   */
  private void checkHotReplica(NodeView node, HotReplicaHost.View hotReplica) {
    if (!hotReplica.filled()) {
      return;
    }
    if (hotReplica.closed().value() > model.end()) {
      found(
          "closed positions never lie (rule 11)",
          node.id() + " has a hot-spot replica closed beyond D");
      return;
    }
    for (Position at : List.of(hotReplica.base(), hotReplica.closed())) {
      List<Row> held = rows(hotReplica.versions(), at);
      List<Row> expected = model.scan(hotReplica.keys(), at.value());
      if (!held.equals(expected)) {
        found(
            "a hot-spot replica has what its parent has (rule 25)",
            "%s holds for %s of range %s at %s: %s"
                .formatted(
                    node.id(),
                    hotReplica.keys(),
                    hotReplica.range(),
                    at,
                    difference(held, expected)));
      }
    }
  }

  /** What of some versions, in order of keys and then of their numbers, is read at a position. */
  private static List<Row> rows(List<VersionedWrite> versions, Position at) {
    Map<Bytes, VersionedWrite> newest = new TreeMap<>();
    for (VersionedWrite write : versions) {
      if (write.version().isAtOrBelow(at)) {
        newest.put(write.key(), write);
      }
    }
    return newest.values().stream()
        .flatMap(
            write ->
                write.value().stream().map(value -> new Row(write.key(), write.version(), value)))
        .toList();
  }

  private void found(String rule, String detail) {
    findings.add(new Finding(rule, detail));
  }

  private void checkAdopted(NodeView node, NodeInspection state) {
    ReadPoint adopted = state.adopted();
    long position = adopted.position().value();
    if (position > model.end()) {
      found(
          "only durable positions are adopted (rule 8)",
          node.id() + " has adopted " + adopted + ", the ledger ends at " + model.end());
    } else if (!adopted.mapVersion().equals(model.mapVersionAt(position))) {
      found(
          "D is never adopted without M (rule 8)",
          node.id()
              + " has adopted "
              + adopted
              + ", but the map there is "
              + model.mapVersionAt(position));
    }
    Known before = known.put(node.id(), new Known(node.life(), adopted));
    if (before != null
        && before.life() == node.life()
        && before.adopted().position().isAfter(adopted.position())) {
      found("D only grows", node.id() + " went from " + before.adopted() + " to " + adopted);
    }
  }

  private void checkCopy(NodeView node, CopyView copy) {
    if (copy.state() == Copy.State.RETIRED
        || copy.state() == Copy.State.LOST
        || copy.state() == Copy.State.BUILDING) {
      return;
    }
    Position closed = copy.closed();
    long durable = durableFolded.getOrDefault(node.id() + "/" + copy.id(), 0L);
    // What was handed over, or is held no more, is forgotten by the node that did. Back on an empty
    // disk it may hear of it once more from a node whose map is old.
    boolean isOld =
        model.map().range(copy.id()).filter(range -> range.epoch().equals(copy.epoch())).isEmpty();
    if (closed.value() < durable && !isOld) {
      found(
          "what a copy has made durable stays (rule 19)",
          node.id() + " had closed " + durable + " for good, and now has " + copy);
    }
    durableFolded.merge(node.id() + "/" + copy.id(), copy.durableFolded().value(), Math::max);
    if (closed.value() > model.end()) {
      found(
          "closed positions never lie (rule 11)",
          node.id() + " has closed " + copy + ", the ledger ends at " + model.end());
      return;
    }
    if (StoredRows.isYetToBeCleared(copy)) {
      return;
    }
    storedRows
        .check(node.id(), node.life(), copy, () -> node.stored(copy.keys()))
        .ifPresent(findings::add);
    // What the ledger has up to there stays as it is, too.
    Compared now =
        new Compared(
            node.life(),
            node.changes(),
            copy.keys(),
            copy.epoch(),
            copy.state(),
            copy.base(),
            closed);
    if (!now.equals(compared.put(node.id() + "/" + copy.id(), now))) {
      checkRows(node, copy);
    }
  }

  private void checkRows(NodeView node, CopyView copy) {
    List<Row> stored = node.stored(copy.keys());
    if (copy.base().isAfter(copy.closed())) {
      // Of a merge, or of a transfer beside folds: it answers nothing yet.
      if (copy.state() == Copy.State.BUILT) {
        checkFilled(node, copy, stored);
      }
      return;
    }
    compare(node, copy, copy.closed(), stored);
    if (copy.base().value() < copy.closed().value()) {
      compare(node, copy, copy.base(), stored);
    }
  }

  /** Of a copy that was filled beside folds each row is as of some position: what replay needs. */
  private void checkFilled(NodeView node, CopyView copy, List<Row> stored) {
    Map<Bytes, Row> held = new TreeMap<>();
    node.rows(copy.keys(), copy.base(), stored).forEach(row -> held.put(row.key(), row));
    Set<Bytes> keys = new TreeSet<>(held.keySet());
    model.keysOf(copy.keys()).forEach(keys::add);
    for (Bytes key : keys) {
      Optional<Row> row = Optional.ofNullable(held.get(key));
      if (!model.was(key, row, copy.closed().value(), copy.base().value())) {
        found(
            "a filled copy has each key as of its closed position or later, its base at most (W7)",
            node.id() + " holds for " + copy + ", " + key + ": " + row.map(Row::version));
      }
    }
  }

  private void compare(NodeView node, CopyView copy, Position at, List<Row> stored) {
    List<Row> held = node.rows(copy.keys(), at, stored);
    List<Row> expected = model.scan(copy.keys(), at.value());
    if (!held.equals(expected)) {
      found(
          "closed positions never lie (rule 11)",
          node.id() + " holds for " + copy + " at " + at + ": " + difference(held, expected));
    }
  }

  private static String difference(List<Row> held, List<Row> expected) {
    List<Row> more = new ArrayList<>(held);
    more.removeAll(expected);
    List<Row> less = new ArrayList<>(expected);
    less.removeAll(held);
    return "too much " + brief(more) + ", missing " + brief(less);
  }

  private static List<String> brief(List<Row> rows) {
    return rows.stream().limit(5).map(row -> row.key() + " of " + row.version()).toList();
  }

  /**
   * What is wrong once all faults are healed and all clients have long stopped.
   *
   * @param nodes that run
   * @param copies of each range, where there are as many nodes
   */
  public List<Finding> checkQuiet(List<? extends NodeView> nodes, int copies) {
    findings.clear();
    int stay = 0;
    for (NodeView node : nodes) {
      NodeInspection state = node.state();
      if (state.departure().stage() == Departure.Stage.STAYS) {
        stay++;
        if (!state.placed()) {
          found(PLACED, node.id() + " has none");
        }
      }
      if (state.holders() > 0 || state.parked() > 0 || state.committing() > 0) {
        found(
            "nothing is held back once all is quiet",
            node.id()
                + " has "
                + state.holders()
                + " marks, "
                + state.parked()
                + " parked, "
                + state.committing()
                + " committing");
      }
      if (state.writesWaiting() > 0) {
        found("every write reaches the engine", node.id() + ": " + state.writesWaiting());
      }
    }
    int wanted = Math.min(copies, stay);
    for (RangeDescriptor range : model.map().ranges()) {
      checkServed(nodes, range);
      if (1 + range.secondaries().size() != wanted) {
        found(COPIED, range + " is to have " + wanted);
      }
    }
    long sequencing = nodes.stream().filter(node -> node.state().sequencing()).count();
    if (sequencing != 1) {
      found("one node is sequencer in the end", sequencing + " are");
    }
    return List.copyOf(findings);
  }

  private void checkServed(List<? extends NodeView> nodes, RangeDescriptor range) {
    Optional<? extends NodeView> primary =
        nodes.stream().filter(node -> node.id().equals(range.primary())).findFirst();
    boolean served =
        primary.isPresent()
            && primary.get().state().copies().stream()
                .anyMatch(
                    copy ->
                        copy.id().equals(range.id())
                            && copy.epoch().equals(range.epoch())
                            && copy.state() == Copy.State.SERVING);
    for (NodeView node : nodes) {
      boolean follows =
          node.state().copies().stream()
              .anyMatch(
                  copy ->
                      copy.id().equals(range.id())
                          && copy.epoch().equals(range.epoch())
                          && copy.state() == Copy.State.FOLLOWING);
      if (range.secondaries().contains(node.id()) && !follows) {
        found(
            "each secondary follows in the end",
            node.id() + " does not follow " + range + ": " + node.state().copies());
      }
    }
    if (!served) {
      found(
          "each key is served in the end",
          range
              + " is not: "
              + primary.map(node -> node.state().copies().toString()).orElse("no such node"));
    }
  }
}
