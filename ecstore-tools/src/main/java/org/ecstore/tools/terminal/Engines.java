package org.ecstore.tools.terminal;

import java.util.List;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.cluster.layout.EngineMix;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyNeeds;

/** The option {@code --engines}. */
public final class Engines {
  private Engines() {}

  /**
   * Hosts that each have a node of every kind. What the kinds lack for copies is said before any
   * node starts (rule 23).
   *
   * @param relaxed whether they may lack it
   * @throws BadInputException if there is no such kind, or a need that none of them serves
   */
  public static EngineMix of(int hosts, List<String> kinds, boolean relaxed) {
    try {
      List<EngineTraits> traits =
          kinds.stream().map(kind -> EngineKinds.named(kind).traits()).toList();
      List<String> lacking = CopyNeeds.lacking(traits);
      if (!lacking.isEmpty() && !relaxed) {
        throw new BadInputException(
            "--engines: of %s %s: add another kind, or --relaxed for a cluster that goes without"
                .formatted(String.join(", ", kinds), String.join(", ", lacking)));
      }
      return new EngineMix(hosts, kinds);
    } catch (IllegalArgumentException | WrongArgumentException e) {
      throw new BadInputException("--engines: " + e.getMessage());
    }
  }
}
