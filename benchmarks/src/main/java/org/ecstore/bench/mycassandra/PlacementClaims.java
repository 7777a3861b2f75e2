package org.ecstore.bench.mycassandra;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.ecstore.bench.figure.Claim;
import org.ecstore.bench.figure.Verdict;

/**
 * What the papers say of where copies are (SYSTOR 2012, §3.2.1 and §5.2), and where they were each
 * time a measurement had ended. No matter of chance: one look that contradicts is enough.
 */
final class PlacementClaims {
  /** So many copies of a range persist in a cluster of three copies that all do. */
  private static final int AS_OF_THREE = 3;

  private static final int OF_THREE = 2;

  private final Experiment experiment;
  private final List<JsonNode> looks;

  PlacementClaims(MeasuredMixes measured, Experiment experiment) {
    this.experiment = experiment;
    this.looks = measured.placements(experiment.clusters().mixed());
  }

  List<Claim> all() {
    int n = experiment.quorum().n();
    List<Claim> claims = new ArrayList<>();
    claims.add(
        judged(
            "Each range has %d copies, no two on one host, at least W = %d on engines fast at writing and R = %d on ones fast at reading, and one on each kind (§3.2.1)"
                .formatted(n, experiment.quorum().w(), experiment.quorum().r()),
            this::isAsNeeded));
    claims.add(
        judged(
            "Primaries are on the engine made for writing",
            look -> look.path(CopyKinds.UNFIT_PRIMARIES).asInt() == 0));
    if (n > AS_OF_THREE) {
      claims.add(
          judged(
              "%s is as durable on disk as (3, 2, 2) on engines that all persist: three copies of each range persist (§5.2)"
                  .formatted(experiment.sizes()),
              look -> persisting(look) >= AS_OF_THREE));
    } else if (n == AS_OF_THREE) {
      claims.add(
          judged(
              "Of three copies two persist: one less than where all do, for speed (§5.2)",
              look -> persisting(look) == OF_THREE));
    }
    return claims;
  }

  private static int persisting(JsonNode look) {
    return look.path(CopyKinds.PERSISTING_LEAST).asInt();
  }

  private boolean isAsNeeded(JsonNode look) {
    int n = experiment.quorum().n();
    return look.path(CopyKinds.COPIES_LEAST).asInt() >= n
        && look.path(CopyKinds.HOSTS_LEAST).asInt() >= n
        && look.path(CopyKinds.FAST_WRITES_LEAST).asInt() >= experiment.quorum().w()
        && look.path(CopyKinds.FAST_READS_LEAST).asInt() >= experiment.quorum().r()
        && look.path(CopyKinds.KINDS_LEAST).asInt() == look.path(CopyKinds.KINDS).asInt();
  }

  private Claim judged(String paper, Predicate<JsonNode> agrees) {
    List<JsonNode> known = looks.stream().filter(look -> !look.has(CopyKinds.UNKNOWN)).toList();
    if (known.isEmpty()) {
      return new Claim(
          paper, Verdict.NOT_SHOWN, "no measurement says where copies were", "not looked at");
    }
    long agree = known.stream().filter(agrees).count();
    int silent = looks.size() - known.size();
    Verdict ofAll = silent == 0 ? Verdict.HOLDS : Verdict.NOT_SHOWN;
    return new Claim(
        paper,
        agree == known.size() ? ofAll : Verdict.DOES_NOT_HOLD,
        found(known),
        "%d of %d looks agree%s"
            .formatted(
                agree, known.size(), silent == 0 ? "" : ", %d say nothing".formatted(silent)));
  }

  /** How many ranges were on which kinds, over all looks. */
  static String found(List<JsonNode> looks) {
    Map<String, Integer> copies = new TreeMap<>();
    for (JsonNode look : looks) {
      look.path(CopyKinds.COPIES)
          .properties()
          .forEach(entry -> copies.merge(entry.getKey(), entry.getValue().asInt(), Integer::sum));
    }
    int all = copies.values().stream().mapToInt(Integer::intValue).sum();
    return copies.entrySet().stream()
        .map(entry -> "%s: %.0f %%".formatted(entry.getKey(), 100.0 * entry.getValue() / all))
        .collect(Collectors.joining("; ", "of ranges in %d looks, ".formatted(looks.size()), ""));
  }
}
