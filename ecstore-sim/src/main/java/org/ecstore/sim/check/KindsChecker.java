package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.NodeId;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.replication.placement.PrimaryRule;

/** Checks on which engines copies are (rule 23). */
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
   */
  public static List<Finding> checkQuiet(
      RangeMap map, Map<NodeId, EngineTraits> staying, CopyNeeds needs, boolean relaxed) {
    List<Candidate> all = new ArrayList<>();
    Set<String> kinds = new TreeSet<>();
    staying.forEach(
        (node, engine) -> {
          all.add(new Candidate(node, node.toString(), engine));
          kinds.add(engine.kind());
        });
    List<Finding> findings = new ArrayList<>();
    for (RangeDescriptor range : map.ranges()) {
      EngineTraits primary = staying.get(range.primary());
      if (primary == null) {
        continue;
      }
      if (!PrimaryRule.mayServe(primary, staying.values(), relaxed)) {
        findings.add(new Finding(PRIMARY, range + " is on " + primary));
      }
      List<EngineTraits> engines =
          Stream.concat(Stream.of(range.primary()), range.secondaries().stream())
              .flatMap(node -> Stream.ofNullable(staying.get(node)))
              .toList();
      List<Candidate> first =
          List.of(new Candidate(range.primary(), range.primary().toString(), primary));
      CopyNeeds.Shortfall least = CopyChange.of(needs, first, true, all).shortfall();
      CopyNeeds.Shortfall found = needs.shortfall(engines, kinds);
      if (found.compareTo(least) > 0) {
        findings.add(
            new Finding(
                "copies are on engines that together are what they need (rule 23)",
                range + " lacks " + found + "; the nodes allow: " + staying));
      }
    }
    return findings;
  }
}
