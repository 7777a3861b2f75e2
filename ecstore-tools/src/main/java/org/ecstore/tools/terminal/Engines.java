package org.ecstore.tools.terminal;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.cluster.database.MadeServers;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.server.print.LogText;

/** The option {@code --engines}. */
public final class Engines {
  /** What one machine can bear. */
  private static final int NODES_MAX = 32;

  private Engines() {}

  /**
   * As {@link #of}, of {@code --hosts}.
   *
   * @throws BadInputException if there would be too many nodes, too
   */
  public static EngineMix onHosts(int hosts, List<String> kinds, boolean relaxed) {
    int most = Math.max(1, NODES_MAX / Math.max(1, kinds.size()));
    if (hosts < 1 || hosts > most) {
      throw new BadInputException(
          "--hosts must be from 1 to %d with %s, for there are %d nodes at most; not %d"
              .formatted(
                  most,
                  kinds.size() == 1 ? "one kind of engine" : kinds.size() + " kinds of engines",
                  NODES_MAX,
                  hosts));
    }
    return of(hosts, kinds, relaxed);
  }

  /**
   * Hosts that each have a node of every kind. What the kinds lack for copies is said before any
   * node starts (rule 23).
   *
   * @param relaxed whether they may lack it
   * @throws BadInputException if there is no such kind, its servers are not made here, or there is
   *     a need that none of them serves
   */
  public static EngineMix of(int hosts, List<String> kinds, boolean relaxed) {
    for (String kind : kinds) {
      if (Collections.frequency(kinds, kind) > 1) {
        throw new BadInputException(
            "--engines names "
                + LogText.of(kind)
                + " more than once, and a host has one node of each kind");
      }
    }
    try {
      List<EngineTraits> traits =
          kinds.stream().map(kind -> EngineKinds.named(kind).traits()).toList();
      for (String kind : kinds) {
        Optional<String> refusal = MadeServers.refusal(kind);
        if (refusal.isPresent()) {
          throw new BadInputException("--engines: " + refusal.get());
        }
      }
      List<String> lacking = CopyNeeds.lacking(traits);
      if (!lacking.isEmpty() && !relaxed) {
        throw new BadInputException(
            "--engines: of %s %s: add another kind, or --relaxed for a cluster that goes without"
                .formatted(String.join(", ", kinds), String.join(", ", lacking)));
      }
      return new EngineMix(hosts, kinds);
    } catch (IllegalArgumentException | WrongArgumentException e) {
      throw new BadInputException("--engines: " + LogText.of(String.valueOf(e.getMessage())));
    }
  }
}
