package org.ecstore.sim.node;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;

/**
 * What the engines of a run's nodes are good at (rule 23): in each fifth seed nodes differ, and
 * some keep what they have in the memory of a server that may lose it; in the others all are alike.
 * It draws from a stream of its own.
 */
public final class KindsOfNodes {
  /** Good at both. */
  public static final EngineTraits BOTH = new EngineTraits("both", true, true, false, true);

  /** For writing. */
  public static final EngineTraits WRITE = new EngineTraits("write", true, false, false, true);

  /** For reading. */
  public static final EngineTraits READ = new EngineTraits("read", false, true, false, true);

  /** In memory. */
  public static final EngineTraits MEMORY = new EngineTraits("memory", true, true, true, false);

  private static final int OF_SEEDS = 5;

  private final List<EngineTraits> engines;
  private final boolean relaxed;

  private KindsOfNodes(List<EngineTraits> engines, boolean relaxed) {
    this.engines = engines;
    this.relaxed = relaxed;
  }

  /** Whether the nodes of a seed differ. */
  public static boolean livesIn(long seed) {
    return Math.floorMod(seed, OF_SEEDS) == OF_SEEDS - 1;
  }

  /** Those of a run. */
  public static KindsOfNodes of(SwarmSettings settings) {
    int machines = settings.nodes() + settings.newcomers();
    List<EngineTraits> engines = new ArrayList<>();
    if (!livesIn(settings.seed())) {
      for (int i = 0; i < machines; i++) {
        engines.add(EngineTraits.of(""));
      }
      return new KindsOfNodes(engines, false);
    }
    SimRandom random = new SimRandom(settings.seed()).fork("kinds of engines");
    boolean forgetsAll = random.chance(0.15);
    for (int i = 0; i < machines; i++) {
      EngineTraits drawn = random.pick(List.of(BOTH, BOTH, WRITE, READ, MEMORY, MEMORY));
      engines.add(forgetsAll ? MEMORY : drawn);
    }
    if (!forgetsAll && random.chance(0.8)) {
      engines.set(0, random.chance(0.5) ? BOTH : WRITE);
    }
    boolean lacks = !CopyNeeds.lacking(engines.subList(0, settings.nodes())).isEmpty();
    return new KindsOfNodes(engines, lacks || random.chance(0.1));
  }

  /** Whether engines may lack what copies need: so where they do. */
  public boolean relaxed() {
    return relaxed;
  }

  /** Whether they differ, or some forget. */
  public boolean areMixed() {
    return engines.stream().anyMatch(one -> !one.equals(EngineTraits.of("")));
  }

  /** What a node's engine is good at. */
  public EngineTraits engine(NodeId node) {
    return engines.get((int) node.value() - 1);
  }
}
