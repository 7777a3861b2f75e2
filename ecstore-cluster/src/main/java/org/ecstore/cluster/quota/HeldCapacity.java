package org.ecstore.cluster.quota;

import java.math.BigDecimal;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.NodeTraits.Capacity;

/**
 * How a node is held to its capacity: by the kernel where that lets it, else by itself.
 *
 * @param capacity with who sees to it
 * @param detail how, or why not the kernel, for people
 */
public record HeldCapacity(Capacity capacity, String detail) {
  /** Holds this process to its capacity, or leaves it to the node. */
  public static HeldCapacity begin(BigDecimal processors, NodeId node) {
    return begin(processors, node, CgroupQuota.ofThisProcess());
  }

  static HeldCapacity begin(BigDecimal processors, NodeId node, CgroupQuota kernel) {
    Optional<String> refusal = kernel.hold(processors, "ecstore-node-" + node.value());
    return refusal
        .map(
            why ->
                new HeldCapacity(
                    new Capacity(processors, Capacity.Keeper.NODE),
                    "it answers clients later, as the kernel does not do it: " + why))
        .orElseGet(
            () ->
                new HeldCapacity(
                    new Capacity(processors, Capacity.Keeper.KERNEL), "by cgroup v2, cpu.max"));
  }

  /** For people: {@code 0.2 processors, which the node keeps to}. */
  public String words() {
    return "%s processors, which %s"
        .formatted(
            capacity.processors().toPlainString(),
            switch (capacity.keeper()) {
              case KERNEL -> "the kernel holds it to";
              case NODE -> "it keeps to itself";
            });
  }
}
