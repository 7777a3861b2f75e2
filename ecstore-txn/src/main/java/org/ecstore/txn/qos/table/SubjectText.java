package org.ecstore.txn.qos.table;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.ecstore.model.NodeTraits;

/** What a table says in words of what it was measured on, in the order of its lines. */
public enum SubjectText {
  /** The kind of the nodes' engines, as {@code engine.kind}. */
  ENGINE("engine", "kind of engine"),
  /** The class of the nodes, as {@code node.class}. */
  NODE_CLASS("class", "node class"),
  /** What the clients did, as the loads are called. */
  WORKLOAD("workload", "workload"),
  /** The release that was measured. */
  BUILD("build", "build"),
  /**
   * How many processors a node may keep busy, as {@code node.capacity}; {@link TableSubject#WHOLE}
   * of nodes that have their machines for themselves.
   */
  CAPACITY("capacity", "capacity");

  /** All of them, in the order in which people are told what differs. */
  static final List<SubjectText> COMPARED = List.of(BUILD, NODE_CLASS, ENGINE, WORKLOAD, CAPACITY);

  private static final Pattern CAPACITIES = Pattern.compile("[0-9]{1,4}(\\.[0-9]{1,2})?");

  /** As {@code node.class} is in the configuration of a node. */
  private static final Pattern CLASSES = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

  private final String key;
  private final String words;

  SubjectText(String key, String words) {
    this.key = key;
    this.words = words;
  }

  /** Before the colon of its line. */
  String key() {
    return key;
  }

  /** For people. */
  String words() {
    return words;
  }

  /**
   * What is written in its line, as it is compared; absent if it cannot be understood.
   *
   * @param problem told why, then
   */
  Optional<String> read(String written, Consumer<String> problem) {
    return switch (this) {
      case NODE_CLASS -> nodeClass(written, problem);
      case CAPACITY -> capacity(written, problem);
      default -> Optional.of(written);
    };
  }

  private Optional<String> nodeClass(String written, Consumer<String> problem) {
    if (!CLASSES.matcher(written).matches()) {
      problem.accept(
          "%s must be letters, digits, \".\", \"_\" and \"-\", 64 at most, as node.class, not \"%s\""
              .formatted(key, written));
      return Optional.empty();
    }
    return Optional.of(written);
  }

  private Optional<String> capacity(String written, Consumer<String> problem) {
    if (!written.equals(TableSubject.WHOLE) && !isCapacity(written)) {
      problem.accept(
          "%s must be %s, or processors from %s on with two decimals at most, as 0.3, not \"%s\""
              .formatted(key, TableSubject.WHOLE, NodeTraits.Capacity.LEAST, written));
      return Optional.empty();
    }
    return Optional.of(TableSubject.capacityOf(written));
  }

  private static boolean isCapacity(String written) {
    return CAPACITIES.matcher(written).matches()
        && new BigDecimal(written).compareTo(NodeTraits.Capacity.LEAST) >= 0;
  }
}
