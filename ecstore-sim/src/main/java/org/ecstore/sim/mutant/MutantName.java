package org.ecstore.sim.mutant;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How people name mutants: by class, method, instruction and kind of change, as {@code
 * txn.steward.Merge#obstacle ifeq ALWAYS_JUMPS}. It outlasts builds, and may be that of several
 * mutants, as a method may have several such instructions. Its words may be copied from a row of a
 * table. An {@linkplain Mutant#identity() identity} is a name too.
 */
final class MutantName {
  private static final String OURS = "org.ecstore.";

  private MutantName() {}

  /**
   * The mutants of a name.
   *
   * @throws IllegalArgumentException if these are not the words of one
   */
  static Predicate<Mutant> of(String name) {
    List<String> words =
        Arrays.stream(name.replaceAll("[`|,]", " ").strip().split("\\s+", -1)).toList();
    if (words.size() == 1 && name.contains("@")) {
      return mutant -> mutant.identity().equals(name.strip());
    }
    if (words.size() < 3 || !words.getFirst().contains("#")) {
      throw new IllegalArgumentException(
          name
              + " names no mutant: class#method, instruction and kind do, as in"
              + " txn.steward.Merge#obstacle ifeq ALWAYS_JUMPS");
    }
    String type = words.getFirst().startsWith(OURS) ? "" : OURS;
    String method = type + words.getFirst() + "(";
    String what = String.join(" ", words.subList(1, words.size() - 1));
    Kind kind = kind(words.getLast());
    return mutant ->
        mutant.identity().startsWith(method) && mutant.what().equals(what) && mutant.kind() == kind;
  }

  private static Kind kind(String word) {
    Optional<Kind> found =
        Arrays.stream(Kind.values()).filter(kind -> kind.name().equals(word)).findFirst();
    return found.orElseThrow(
        () ->
            new IllegalArgumentException(
                word + " is no kind of change: " + Arrays.toString(Kind.values()) + " are"));
  }
}
