package org.ecstore.client.scan;

import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.client.commit.ReadSet;
import org.ecstore.client.read.PageRequest;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * A scan of an interval, page by page, with a transaction's own writes merged in: those it had made
 * when the scan began. Writes made while it goes on do not show, so that a loop which writes ahead
 * of its own scan ends.
 *
 * <p>Invariant: {@code rest} is the part of the interval whose stored rows have not been fetched;
 * {@code page} are fetched rows not yet returned, all of them before {@code rest} in scan order;
 * own writes before {@code rest} come out in turn with them, those within it wait. For one thread.
 */
public final class MergedScan implements BytesScan {
  private final KeyRange interval;
  private final boolean reverse;
  private final ScanPages source;
  private final Iterator<Map.Entry<Bytes, Mutation>> own;
  private final ReadSet.@Nullable Interval record;

  private Iterator<Row> page = List.<Row>of().iterator();
  private @Nullable Row stored;
  private Map.@Nullable Entry<Bytes, Mutation> written;
  private Optional<KeyRange> rest;
  private int pageRecords = PageRequest.FIRST_PAGE;

  public MergedScan(
      KeyRange interval,
      boolean reverse,
      NavigableMap<Bytes, Mutation> own,
      ReadSet.@Nullable Interval record,
      ScanPages source) {
    this.interval = interval;
    this.reverse = reverse;
    this.own = (reverse ? own.descendingMap() : own).entrySet().iterator();
    this.record = record;
    this.source = source;
    this.rest = Optional.of(interval);
  }

  /**
   * The next record, or null at the end. What lies before it in scan order is read from now on, or
   * the whole interval at the end: not what was fetched ahead of it.
   */
  @Override
  public @Nullable Found next(long wanted) {
    while (true) {
      if (stored == null && page.hasNext()) {
        stored = page.next();
      }
      if (written == null && own.hasNext()) {
        written = own.next();
      }
      if (stored == null && rest.isPresent() && (written == null || isInRest(written.getKey()))) {
        fetch(wanted);
        continue;
      }
      if (stored == null && written == null) {
        recordAll();
        return null;
      }
      Found found = takeNearer();
      if (found != null) {
        recordUpTo(found.key());
        return found;
      }
    }
  }

  private boolean isInRest(Bytes key) {
    return rest.isPresent() && rest.get().contains(key);
  }

  /**
   * Takes the nearer of the two; an own write hides a stored row, or is made of it; null if it was
   * a delete.
   */
  private @Nullable Found takeNearer() {
    int order = compareHeads();
    if (order < 0) {
      Row row = Objects.requireNonNull(stored);
      stored = null;
      return new Found(row.key(), row.value());
    }
    Map.Entry<Bytes, Mutation> write = Objects.requireNonNull(written);
    written = null;
    Optional<Bytes> below = Optional.empty();
    if (order == 0) {
      below = Optional.ofNullable(stored).map(Row::value);
      stored = null;
    }
    return write
        .getValue()
        .after(below)
        .map(value -> new Found(write.getKey(), value))
        .orElse(null);
  }

  /** Negative if the stored row comes first, zero if both are of one key. */
  private int compareHeads() {
    if (stored == null) {
      return 1;
    }
    if (written == null) {
      return -1;
    }
    int order = stored.key().compareTo(written.getKey());
    return reverse ? -order : order;
  }

  private void fetch(long wanted) {
    KeyRange asked = rest.orElseThrow();
    int records = PageRequest.records(wanted, pageRecords);
    pageRecords = Math.min(PageRequest.PAGE_MAX, pageRecords * 2);
    ClientReply.Scanned scanned = source.next(new PageRequest(records, wanted));
    page = scanned.rows().iterator();
    rest = remainder(asked, scanned.covered());
  }

  private Optional<KeyRange> remainder(KeyRange asked, KeyRange covered) {
    boolean tiles =
        asked.contains(covered)
            && (reverse
                ? asked.end().equals(covered.end())
                : asked.start().equals(covered.start()));
    Check.that(tiles, "the pieces of a scan tile it", asked, covered);
    if (reverse) {
      return covered.start().equals(asked.start())
          ? Optional.empty()
          : Optional.of(KeyRange.of(asked.start(), covered.start()));
    }
    return covered.end().equals(asked.end())
        ? Optional.empty()
        : Optional.of(KeyRange.between(covered.end().orElseThrow(), asked.end()));
  }

  private void recordUpTo(Bytes key) {
    if (record != null) {
      record.extendTo(
          reverse
              ? KeyRange.between(key, interval.end())
              : KeyRange.of(interval.start(), key.successor()));
    }
  }

  private void recordAll() {
    if (record != null) {
      record.extendTo(interval);
    }
  }
}
