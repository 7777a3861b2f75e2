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

  /** Tables of records more than so many times as large or as small are of another workload. */
  private static final double RECORD_TIMES = 2;

  /** What the sentence about the size of records begins with. */
  public static final String OTHER_RECORDS = "it was measured with records of ";

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
    if (recordTimes(measured, stated) > RECORD_TIMES) {
      differences.add(
          "%s%d bytes, not %d"
              .formatted(
                  OTHER_RECORDS, measured.recordBytes().orElse(0), stated.recordBytes().orElse(0)));
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

  /** How many times as large records of the one are as those of the other; 1 if that is unknown. */
  private static double recordTimes(TableSubject measured, ObjectiveWorkload stated) {
    if (measured.recordBytes().isEmpty() || stated.recordBytes().isEmpty()) {
      return 1;
    }
    double ofTable = Math.max(1, measured.recordBytes().getAsLong());
    double ofApplication = Math.max(1, stated.recordBytes().getAsInt());
    return Math.max(ofTable / ofApplication, ofApplication / ofTable);
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
