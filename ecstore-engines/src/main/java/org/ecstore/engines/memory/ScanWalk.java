package org.ecstore.engines.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.Engine.ScanSpec;
import org.ecstore.core.port.EngineResult;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;

/** A scan that looks at some rows at a time; at all versions of one key in one look. */
final class ScanWalk implements Walk {
  private final ScanSpec spec;
  private final Steps steps;
  private final List<Row> rows = new ArrayList<>();
  private int bytes;
  private KeyRange rest;

  ScanWalk(ScanSpec spec, Steps steps) {
    this.spec = spec;
    this.steps = steps;
    this.rest = spec.interval();
  }

  @Override
  public Optional<EngineResult> look(VersionedMap versions) {
    int records = Math.min(steps.length(), spec.recordsMax() - rows.size());
    EngineResult.Rows piece =
        versions.scan(
            new ScanSpec(
                rest,
                spec.at(),
                spec.reverse(),
                records,
                spec.bytesMax() - bytes,
                spec.keysOnly()));
    rows.addAll(piece.rows());
    for (Row row : piece.rows()) {
      bytes += row.key().length() + row.value().length();
    }
    if (rows.size() >= spec.recordsMax() || bytes >= spec.bytesMax()) {
      return Optional.of(new EngineResult.Rows(rows, false));
    }
    return piece.complete() || !goesOnFrom(piece.rows().getLast().key())
        ? Optional.of(new EngineResult.Rows(rows, true))
        : Optional.empty();
  }

  /** Whether there is a rest beyond a key. */
  private boolean goesOnFrom(Bytes key) {
    Optional<Bytes> end = rest.end();
    if (spec.reverse()) {
      if (key.equals(rest.start())) {
        return false;
      }
      rest = KeyRange.of(rest.start(), key);
    } else {
      if (end.isPresent() && end.get().equals(key.successor())) {
        return false;
      }
      rest = KeyRange.between(key.successor(), end);
    }
    return true;
  }
}
