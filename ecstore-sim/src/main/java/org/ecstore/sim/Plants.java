package org.ecstore.sim;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.ecstore.sim.node.NodeMutation;

/** The planted bugs on the class path: mutations that the simulator must find. */
public final class Plants {
  private Plants() {}

  /** All of them, by name; empty where the test side is not on the class path. */
  public static Map<String, NodeMutation> all() {
    Map<String, NodeMutation> all = new TreeMap<>();
    for (PlantSource source : ServiceLoader.load(PlantSource.class)) {
      all.putAll(source.plants());
    }
    return all;
  }

  /**
   * A planted bug.
   *
   * @throws IllegalArgumentException if there is none of that name; it says which there are
   */
  public static NodeMutation named(String name) {
    Map<String, NodeMutation> all = all();
    NodeMutation found = all.get(name);
    if (found != null) {
      return found;
    }
    throw new IllegalArgumentException(
        all.isEmpty()
            ? "planted bugs are compiled on the test side only, which is not on the class path"
            : "no planted bug is called "
                + name
                + "; there are "
                + String.join(", ", all.keySet()));
  }
}
