package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;

/**
 * Checks on which engines copies are (rule 23), by the words of the rule and by trying all choices
 * of nodes there are: what nodes choose is not held against how they choose.
 */
public final class KindsChecker {
  private static final String PRIMARY = "primaries are on engines that are fit for them (rule 23)";

  private KindsChecker() {}

  /** Never, unless placement is relaxed, is a primary on an engine that forgets. */
  public static List<Finding> checkPrimaries(
      RangeMap map, Function<NodeId, EngineTraits> engines, boolean relaxed) {
    return map.ranges().stream()
        .filter(range -> !relaxed && !engines.apply(range.primary()).persists())
        .map(range -> new Finding(PRIMARY, range + " is on one that does not persist"))
        .toList();
  }

  /**
   * In the end the copies of each range are what the nodes allow.
   *
   * @param staying the engines of the nodes that are there, each on a host of its own
   * @param copies that each range is to have
   */
  public static List<Finding> checkQuiet(
      RangeMap map, Map<NodeId, EngineTraits> staying, int copies, boolean relaxed) {
    List<Finding> findings = new ArrayList<>();
    Map<NodeId, int[]> least = new TreeMap<>();
    for (RangeDescriptor range : map.ranges()) {
      EngineTraits primary = staying.get(range.primary());
      if (primary == null) {
        continue;
      }
      if (!mayServe(primary, staying.values(), relaxed)) {
        findings.add(new Finding(PRIMARY, range + " is on " + primary));
      }
      List<EngineTraits> engines =
          Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
              .flatMap(node -> Stream.ofNullable(staying.get(node)))
              .toList();
      int[] found = lacks(engines, staying.values(), copies);
      int[] allowed =
          least.computeIfAbsent(range.primary(), node -> leastOf(node, staying, copies));
      if (Arrays.compare(found, allowed) > 0) {
        findings.add(
            new Finding(
                "copies are on engines that together are what they need (rule 23)",
                "%s lacks %s where %s would do; the nodes allow: %s"
                    .formatted(range, Arrays.toString(found), Arrays.toString(allowed), staying)));
      }
    }
    return findings;
  }

  /** On what persists and writes fast; where placement is relaxed, on the fittest there is. */
  private static boolean mayServe(
      EngineTraits engine, Collection<EngineTraits> there, boolean relaxed) {
    return unfit(engine) == 0
        || (relaxed && there.stream().allMatch(other -> unfit(other) >= unfit(engine)));
  }

  private static int unfit(EngineTraits engine) {
    if (engine.persists() && engine.fastWrites()) {
      return 0;
    }
    return engine.persists() ? 1 : 2;
  }

  /** What is lacking at least, of all sets of nodes that the primary is one of. */
  static int[] leastOf(NodeId primary, Map<NodeId, EngineTraits> staying, int copies) {
    List<NodeId> others = staying.keySet().stream().filter(node -> !node.equals(primary)).toList();
    List<int[]> all = new ArrayList<>();
    for (int chosen = 0; chosen < 1 << others.size(); chosen++) {
      if (Integer.bitCount(chosen) < copies) {
        List<EngineTraits> engines = new ArrayList<>();
        engines.add(staying.get(primary));
        for (int i = 0; i < others.size(); i++) {
          if ((chosen & 1 << i) != 0) {
            engines.add(staying.get(others.get(i)));
          }
        }
        all.add(lacks(engines, staying.values(), copies));
      }
    }
    return all.stream().min(Arrays::compare).orElseThrow();
  }

  /** What some copies lack, the needs that are kept first to the front. */
  private static int[] lacks(
      Collection<EngineTraits> engines, Collection<EngineTraits> there, int copies) {
    // The least numbers that overlap, the greater of them for writes.
    int writes = copies / 2 + 1;
    int reads = copies + 1 - writes;
    int persisting = copies >= 4 ? 3 : copies == 3 ? 2 : 1;
    int persist = 0;
    int write = 0;
    int read = 0;
    int unfit = 2;
    Set<String> kinds = new TreeSet<>();
    for (EngineTraits engine : engines) {
      persist += engine.persists() ? 1 : 0;
      write += engine.fastWrites() || engine.inMemory() ? 1 : 0;
      read += engine.fastReads() || engine.inMemory() ? 1 : 0;
      unfit = Math.min(unfit, unfit(engine));
      kinds.add(engine.kind());
    }
    Set<String> allKinds = new TreeSet<>();
    there.forEach(engine -> allKinds.add(engine.kind()));
    return new int[] {
      Math.max(0, copies - engines.size()),
      Math.max(0, persisting - persist),
      unfit,
      Math.max(0, writes - write),
      Math.max(0, reads - read),
      Math.max(0, Math.min(copies, allKinds.size()) - kinds.size())
    };
  }
}
