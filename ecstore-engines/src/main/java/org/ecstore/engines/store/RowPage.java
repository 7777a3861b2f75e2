package org.ecstore.engines.store;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.model.Row;

/** Rows of a scan, gathered until one of its bounds is reached. */
public final class RowPage {
  private final ScanBounds bounds;
  private final List<Row> rows = new ArrayList<>();
  private long bytes;

  public RowPage(ScanBounds bounds) {
    this.bounds = bounds;
  }

  /** Adds the next row, whose value is empty if keys only are asked for. */
  public void add(Row row) {
    rows.add(row);
    bytes += row.key().length() + row.value().length();
  }

  /** Whether a bound is reached. */
  public boolean isFull() {
    return rows.size() >= bounds.recordsMax() || bytes >= bounds.bytesMax();
  }

  /** How many more rows there may be. */
  public int recordsLeft() {
    return bounds.recordsMax() - rows.size();
  }

  /** How many more bytes there may be; 0 or less if it is full. */
  public long bytesLeft() {
    return bounds.bytesMax() - bytes;
  }

  /** What was gathered, where the interval ended before the bounds did or a bound was reached. */
  public EngineResult.Rows result() {
    return new EngineResult.Rows(List.copyOf(rows), !isFull());
  }
}
