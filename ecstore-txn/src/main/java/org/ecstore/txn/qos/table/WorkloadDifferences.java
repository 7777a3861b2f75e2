package org.ecstore.txn.qos.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.ObjectiveWorkload;

/** In what the workload that a table was measured under is another than an application's. */
public final class WorkloadDifferences {
  /** Tables of so many per cent more or fewer reads are of another workload. */
  private static final double READ_PERCENT_APART = 10;

  private WorkloadDifferences() {}

  /** A sentence each; what one of both does not say does not differ. */
  public static List<String> of(TableSubject measured, ObjectiveWorkload stated) {
    List<String> differences = new ArrayList<>();
    OptionalDouble reads =
        stated.readPercent().isPresent()
            ? OptionalDouble.of(stated.readPercent().getAsInt())
            : OptionalDouble.empty();
    if (readsApart(measured, reads) > READ_PERCENT_APART) {
      differences.add(
          "it was measured with %.0f%% reads, not %.0f%%"
              .formatted(measured.readPercent().orElse(0), reads.orElse(0)));
    }
    if (measured.dataBytes().isPresent()
        && stated.dataBytes().isPresent()
        && measured.dataBytes().getAsLong() < stated.dataBytes().getAsLong()) {
      differences.add(
          "it was measured with %d bytes of data, fewer than %d"
              .formatted(measured.dataBytes().getAsLong(), stated.dataBytes().getAsLong()));
    }
    other(stated.locality(), measured.workload()).ifPresent(differences::add);
    return differences;
  }

  /** How many of 100 operations are reads in the one and not in the other; 0 if that is unknown. */
  public static double readsApart(TableSubject measured, OptionalDouble readPercent) {
    return measured.readPercent().isPresent() && readPercent.isPresent()
        ? Math.abs(measured.readPercent().getAsDouble() - readPercent.getAsDouble())
        : 0;
  }

  /** Workloads are named after their locality. */
  private static Optional<String> other(Optional<Locality> wanted, Optional<String> workload) {
    if (wanted.isEmpty() || workload.isEmpty()) {
      return Optional.empty();
    }
    for (Locality one : Locality.values()) {
      if (one != wanted.get() && workload.get().contains(one.word())) {
        return Optional.of(
            "it was measured on workload %s, not %s"
                .formatted(workload.get(), wanted.get().word()));
      }
    }
    return Optional.empty();
  }
}
