package org.ecstore.bench.cli.control;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.function.Predicate;
import org.ecstore.bench.cli.options.MeasuredStoreOptions;
import org.ecstore.bench.cli.options.NodeClassOptions;
import org.ecstore.bench.cli.options.OptionFaults;
import org.ecstore.bench.control.RunPlan;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.validate.MeasuredSource;
import org.jspecify.annotations.Nullable;

/**
 * Holds options that were given against what a table was measured with, which has to be the same.
 */
final class TableSame {
  private static final String NOT_KNOWN = "not known";

  private final MeasuredSource source;
  private final Predicate<String> isGiven;
  private final OptionFaults faults;

  /**
   * Of a table.
   *
   * @param isGiven which options were given
   * @param faults takes what differs
   */
  TableSame(MeasuredSource source, Predicate<String> isGiven, OptionFaults faults) {
    this.source = source;
    this.isGiven = isGiven;
    this.faults = faults;
  }

  /** Looks at what machines nodes stand for. */
  void checkClass(NodeClassOptions ofClass, @Nullable BigDecimal capacity) {
    MeasuredSubject subject = source.subject();
    check("--class", ofClass.name(), subject.nodeClass().name());
    check(
        "--capacity", plain(Optional.ofNullable(capacity)), plain(subject.nodeClass().capacity()));
    check("--price", plain(ofClass.price()), plain(RunPlan.price(source)));
  }

  /** Looks at what nodes have and hold, and what clients do. */
  void checkStore(MeasuredStoreOptions store, long records) {
    MeasuredSubject subject = source.subject();
    check("--heap", store.heap(), subject.heapMebibytes());
    check("--cache", store.cache(), subject.cacheMebibytes());
    check("--workload", store.workload(), subject.workload().name());
    check("--records", records, subject.records());
  }

  private void check(String option, Object given, Object measured) {
    faults.require(
        !isGiven.test(option) || given.equals(measured),
        "--table: it was measured with %s %s, not %s: leave %s out, or measure another table"
            .formatted(option, measured, given, option));
  }

  /** 0.20 as 0.2. */
  private static String plain(Optional<BigDecimal> amount) {
    return amount.map(some -> some.stripTrailingZeros().toPlainString()).orElse(NOT_KNOWN);
  }
}
