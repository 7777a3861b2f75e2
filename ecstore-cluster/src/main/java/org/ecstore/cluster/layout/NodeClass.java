package org.ecstore.cluster.layout;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.NodeTraits;

/**
 * What machines nodes stand for, as their configurations say it.
 *
 * @param name as {@code node.class}
 * @param pricePerHour as {@code node.price}
 * @param capacity as {@code node.capacity}: processors that each may keep busy
 */
public record NodeClass(
    String name, Optional<BigDecimal> pricePerHour, Optional<BigDecimal> capacity) {
  /** Of nodes of which nothing was said. */
  public static final NodeClass STANDARD =
      new NodeClass(NodeTraits.STANDARD, Optional.empty(), Optional.empty());

  /** Lines of the table {@code node}; none of what is usual. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    if (!name.equals(NodeTraits.STANDARD)) {
      lines.add("class = \"" + name + '"');
    }
    pricePerHour.ifPresent(price -> lines.add("price = " + price.toPlainString()));
    capacity.ifPresent(processors -> lines.add("capacity = " + processors.toPlainString()));
    return lines;
  }
}
