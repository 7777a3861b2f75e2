package org.ecstore.client;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.ecstore.client.access.MergedScan;
import org.ecstore.client.access.RawReads;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A scan under way. For one thread at a time; usable as long as its snapshot or transaction is.
 *
 * @param <V> the type of the values
 */
public final class Cursor<V> implements Iterator<Entry<V>> {
  private final Table<V> table;
  private final Continuation.Scope scope;
  private final ReadPoint point;
  private final @Nullable MergedScan scan;
  private long wanted;
  private MergedScan.@Nullable Found ahead;
  private boolean exhausted;
  private Optional<Bytes> last;

  Cursor(
      RawReads reads, Table<V> table, Continuation.Scope scope, Optional<Bytes> last, long limit) {
    this.table = table;
    this.scope = scope;
    this.point = reads.point();
    this.last = last;
    this.wanted = limit;
    Optional<KeyRange> rest = new Continuation(point, last).rest(scope);
    this.scan = rest.isPresent() ? reads.scan(rest.get(), scope.reverse(), false) : null;
    this.exhausted = rest.isEmpty();
  }

  /** Whether there is another record; fetches a page if none is at hand. */
  @Override
  public boolean hasNext() {
    if (ahead == null && wanted > 0 && !exhausted && scan != null) {
      ahead = scan.next(wanted);
      exhausted = ahead == null;
    }
    return ahead != null;
  }

  @Override
  public Entry<V> next() {
    if (!hasNext() || ahead == null) {
      throw new NoSuchElementException("the scan is at its end");
    }
    MergedScan.Found found = ahead;
    ahead = null;
    wanted--;
    last = Optional.of(found.key());
    return new Entry<>(table.tuple(found.key()), table.codec().decode(found.value()));
  }

  /**
   * A token to go on behind the last record returned, in this or another process, at the same
   * snapshot ({@link Session#readAt}) or another: see {@link Scan#resume}. Absent if the range is
   * at its end; after a limit was reached there may or may not be more.
   */
  public Optional<String> continuation() {
    return exhausted ? Optional.empty() : Optional.of(new Continuation(point, last).format(scope));
  }
}
