package org.ecstore.sim.mutant;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Mutants that break no promise, each with a sentence that says why. */
final class Equivalents {
  private static final String TABLE = "equivalent.txt";
  private static final String SEPARATOR = " : ";

  private final Map<String, String> reasons = new TreeMap<>();

  private Equivalents() {}

  /** The table of this build. */
  static Equivalents known() {
    Equivalents known = new Equivalents();
    Lines.of(TABLE).forEach(known::add);
    return known;
  }

  private void add(String line) {
    int end = line.indexOf(SEPARATOR);
    if (end < 0) {
      throw new IllegalStateException(TABLE + ": no reason given: " + line);
    }
    reasons.put(line.substring(0, end), line.substring(end + SEPARATOR.length()).strip());
  }

  /** Why a mutant is one of them; empty if it is not. */
  Optional<String> reason(Mutant mutant) {
    return Optional.ofNullable(reasons.get(mutant.identity()));
  }

  /** All of them, by identity. */
  Map<String, String> all() {
    return Map.copyOf(reasons);
  }
}
