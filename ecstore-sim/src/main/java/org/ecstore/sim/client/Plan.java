package org.ecstore.sim.client;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimKeys;

/**
 * What one transaction is to do: steps that read, then writes that depend on what was read. The
 * same plan is tried again under a new id after an abort, with the same elements, so that an
 * element that is there twice shows a transaction that was applied twice.
 *
 * @param changesCatalog whether its commit begins a version of the catalog (rule 27)
 */
public record Plan(
    String name,
    Isolation isolation,
    ReadLevel level,
    List<Step> steps,
    Function<Seen, List<KeyWrite>> writes,
    boolean changesCatalog) {

  /** One that leaves the catalog as it is. */
  public Plan(
      String name,
      Isolation isolation,
      ReadLevel level,
      List<Step> steps,
      Function<Seen, List<KeyWrite>> writes) {
    this(name, isolation, level, steps, writes, false);
  }

  /** The same transaction, which begins a version of the catalog. */
  Plan changingCatalog() {
    return new Plan(name + ", of the catalog", isolation, level, steps, writes, true);
  }

  /** Whether there is anything to commit, as far as is known before it is run. */
  boolean mayWrite() {
    return !writes.equals(NO_WRITES);
  }

  /** One step. */
  sealed interface Step {}

  /** Reads keys. */
  record Get(List<Bytes> keys) implements Step {}

  /** Scans an interval in pages, until a number of rows. */
  record Scan(KeyRange interval, boolean reverse, int pageRows, int rowsMax) implements Step {}

  /** Waits, keeping the snapshot. */
  record Hold(long nanos) implements Step {}

  /** What the steps have read: present rows by key, of keys and intervals alike. */
  record Seen(Map<Bytes, Row> rows) {
    Optional<Row> row(Bytes key) {
      return Optional.ofNullable(rows.get(key));
    }

    List<Long> list(Bytes key) {
      Row row = rows.get(key);
      return row == null ? List.of() : SimKeys.elements(row.value());
    }
  }

  static final Function<Seen, List<KeyWrite>> NO_WRITES = seen -> List.of();
}
