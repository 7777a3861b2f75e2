package org.ecstore.bench.cli.options;

import java.math.BigDecimal;
import java.util.Optional;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.tools.terminal.NodeClasses;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What class of node the nodes of a measurement stand for: a mixin of commands. {@code --capacity}
 * is each command's own, as each sizes nodes in its way where it is not given.
 */
public final class NodeClassOptions {
  @Option(
      names = "--class",
      paramLabel = "NAME",
      description = "The node.class that nodes stand for. ${DEFAULT-VALUE}.")
  private String nodeClass;

  @Option(
      names = "--price",
      paramLabel = "P",
      description = "The node.price: what an hour of a node costs. Not known if not given.")
  private @Nullable BigDecimal price;

  /** What the class is if it is not given. */
  public NodeClassOptions(String nodeClass) {
    this.nodeClass = nodeClass;
  }

  /** Looks at the class, the price and the capacity. */
  public void check(OptionFaults faults, @Nullable BigDecimal capacity) {
    faults.addAll(NodeClasses.faults(nodeClass, price, capacity));
  }

  /** Looks whether this machine has as much. */
  public static void checkProcessors(
      OptionFaults faults, @Nullable BigDecimal capacity, int processors) {
    faults.require(
        capacity == null || capacity.compareTo(new BigDecimal(processors)) <= 0,
        "--capacity is no more than the %d processors of this machine, not %s"
            .formatted(processors, capacity));
  }

  /** The class's name. */
  public String name() {
    return nodeClass;
  }

  /** What an hour of a node costs; absent if that is not known. */
  public Optional<BigDecimal> price() {
    return Optional.ofNullable(price);
  }

  /** The class, with a capacity; absent where nodes may take all of their machine. */
  public NodeClass of(@Nullable BigDecimal capacity) {
    return NodeClasses.of(nodeClass, price, capacity);
  }
}
