package org.ecstore.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.token.Continuation;
import org.ecstore.client.token.PageTokens;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * A scan under way. For one thread at a time; usable as long as its snapshot or transaction is.
 *
 * @param <V> the type of the values
 */
public final class Cursor<V> implements Iterator<Entry<V>> {
  private static final int AT_ONCE_FIRST = 8;

  private final ScanSource<V> source;
  private final Continuation.Scope scope;
  private final BytesReads reads;
  private final PageTokens tokens;
  private final @Nullable BytesScan scan;
  private final boolean ordered;
  private final Deque<ScanSource.Row> ahead = new ArrayDeque<>();
  private final List<BytesScan.Found> found = new ArrayList<>();
  private int atOnce;
  private long wanted;
  private boolean exhausted;
  private Optional<Bytes> last;

  Cursor(
      BytesReads reads,
      PageTokens tokens,
      ScanSource<V> source,
      Continuation.Scope scope,
      boolean ordered,
      Optional<Bytes> last,
      long limit) {
    this.source = source;
    this.atOnce = Math.min(source.atOnce(), AT_ONCE_FIRST);
    this.scope = scope;
    this.reads = reads;
    this.tokens = tokens;
    this.ordered = ordered;
    this.last = last;
    this.wanted = limit;
    source.begin();
    Optional<KeyRange> rest = scope.rest(last);
    ScanShape shape = new ScanShape(scope.reverse(), source.needsKeysOnly(), ordered);
    this.scan = rest.isPresent() ? reads.scan(rest.get(), shape) : null;
    this.exhausted = rest.isEmpty();
  }

  /** Whether there is another record; fetches a page if none is at hand. */
  @Override
  public boolean hasNext() {
    while (ahead.isEmpty() && wanted > 0 && scan != null && !(exhausted && found.isEmpty())) {
      fetch(scan);
    }
    return !ahead.isEmpty();
  }

  /** What was found stays until it is of use: who goes on after a failure misses nothing. */
  private void fetch(BytesScan from) {
    long most = Math.min(wanted, atOnce);
    while (found.size() < most && !exhausted) {
      BytesScan.Found next = from.next(wanted - found.size());
      if (next == null) {
        exhausted = true;
      } else {
        found.add(next);
      }
    }
    List<ScanSource.Row> rows = found.isEmpty() ? List.of() : source.rows(reads, found);
    source.requireSound();
    ahead.addAll(rows);
    found.clear();
    atOnce = Math.min(source.atOnce(), 2 * atOnce);
  }

  @Override
  public Entry<V> next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the scan is at its end");
    }
    ScanSource.Row row = ahead.remove();
    wanted--;
    last = Optional.of(row.at());
    return source.entry(row);
  }

  /** Where the last record returned was found; absent before the first, unless this resumes. */
  Optional<Bytes> last() {
    return last;
  }

  /**
   * A token to go on behind the last record returned, in this or another process, at the same
   * snapshot ({@link Session#readAt}) or another: see {@link Scan#resume}. Absent if the range is
   * at its end; after a limit was reached there may or may not be more, which {@link Scan#page}
   * finds out. The token shows no key: it is sealed ({@link EcStoreOptions#tokenKey}).
   *
   * @throws WrongArgumentException if the scan is unordered: what it has not returned is no
   *     interval
   */
  public Optional<String> continuation() {
    if (!ordered) {
      throw new WrongArgumentException("an unordered scan has no continuation", null);
    }
    return exhausted && ahead.isEmpty() && found.isEmpty()
        ? Optional.empty()
        : Optional.of(new Continuation(reads.point(), last).format(scope, tokens));
  }
}
