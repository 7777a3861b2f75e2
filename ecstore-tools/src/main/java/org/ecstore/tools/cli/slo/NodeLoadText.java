package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.tools.plan.Figures;

/** What a node has to do, for people and as JSON. */
public final class NodeLoadText {
  private static final double PERCENT = 100;
  private static final double MILLIS_PER_PERCENT = 10;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final String NONE = "-";

  private NodeLoadText() {}

  /** A row below titles. */
  public static String[] row(String first, NodeLoad load) {
    return new String[] {
      first,
      Math.round(busyPercent(load)) + "%",
      load.waitMicros() == 0 ? "0 ms" : Figures.millis(load.waitMicros() / MICROS_PER_MILLI),
      load.lookups() == 0 ? NONE : Math.round(cacheHitPercent(load)) + "%",
      String.valueOf(load.foldLag())
    };
  }

  /** The titles of rows. */
  public static String[] titles(String first) {
    return new String[] {first, "busy", "wait", "cache hits", "fold lag"};
  }

  /** Adds it to an object; what is not known is left out. */
  public static void add(ObjectNode json, NodeLoad load) {
    json.put("busyPercent", busyPercent(load));
    json.put("waitMillis", load.waitMicros() / MICROS_PER_MILLI);
    if (load.lookups() > 0) {
      json.put("cacheHitPercent", cacheHitPercent(load));
    }
    json.put("foldLag", load.foldLag());
  }

  /** How much of its capacity a node uses. */
  private static double busyPercent(NodeLoad load) {
    return load.busyMilli() / MILLIS_PER_PERCENT;
  }

  /** How many of 100 lookups were in the cache, of a node that says how many there were. */
  private static double cacheHitPercent(NodeLoad load) {
    return Math.max(0, PERCENT * (load.lookups() - load.misses()) / load.lookups());
  }
}
