package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Violation;

/** What came of one seed. */
public record SimResult(
    SwarmSettings settings,
    List<Violation> violations,
    long virtualNanos,
    int attempts,
    int commits,
    long events,
    long traceHash,
    Map<String, Integer> faults) {
  public SimResult {
    violations = List.copyOf(violations);
    faults = java.util.Collections.unmodifiableMap(new java.util.TreeMap<>(faults));
  }
}
