package org.ecstore.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.ecstore.aggregate.Folding;
import org.ecstore.aggregate.NoMeasureException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.client.session.BytesReads;
import org.ecstore.client.token.Continuation;
import org.ecstore.client.token.PageTokens;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.wire.MalformedMessageException;

/**
 * A scan of a range of a table in key order, or of an index in its own: say how, then take the
 * records as an {@link Iterable}, a stream, a list or a {@link Cursor}. Records are fetched in
 * pages as they are asked for, across all nodes that hold some. One that goes on beyond its first
 * page is cut at the bounds of ranges, and a few pages are fetched ahead, at once, each from the
 * copy of its range that seems best ({@link EcStoreOptions#scanAhead}); a reader that stops is not
 * fetched for. Immutable: each method that changes something gives another scan.
 *
 * <p>In a transaction, the writes made before the scan was started show; later ones do not. What
 * the scan has returned is validated by the commit, up to the last record returned.
 *
 * @param <V> the type of the values
 */
public final class Scan<V> implements Iterable<Entry<V>> {
  /** Groups of one {@link #aggregate}. */
  public static final int GROUPS_MAX = 100_000;

  private static final long GROUPS_BYTES_MAX = 128L << 20;

  private final BytesReads reads;
  private final PageTokens tokens;
  private final ScanSource<V> source;
  private final KeyRange keys;
  private final boolean reverse;
  private final boolean ordered;
  private final long limit;
  private final Optional<String> after;

  private Scan(
      BytesReads reads,
      PageTokens tokens,
      ScanSource<V> source,
      KeyRange keys,
      boolean reverse,
      boolean ordered,
      long limit,
      Optional<String> after) {
    this.reads = reads;
    this.tokens = tokens;
    this.source = source;
    this.keys = keys;
    this.reverse = reverse;
    this.ordered = ordered;
    this.limit = limit;
    this.after = after;
  }

  Scan(BytesReads reads, PageTokens tokens, ScanSource<V> source, KeyRange keys) {
    this(reads, tokens, source, keys, false, true, Long.MAX_VALUE, Optional.empty());
  }

  /** The other way round: from the greatest key to the least; twice is forward again. */
  public Scan<V> reverse() {
    return new Scan<>(reads, tokens, source, keys, !reverse, ordered, limit, after);
  }

  /**
   * At most so many records.
   *
   * @throws WrongArgumentException if negative
   */
  public Scan<V> limit(long records) {
    if (records < 0) {
      throw new WrongArgumentException("the limit is negative", null, "limit", records);
    }
    return new Scan<>(reads, tokens, source, keys, reverse, ordered, records, after);
  }

  /**
   * Goes on where another scan of the same range and direction stopped. The token says where, and
   * cannot lead out of this scan's range. To go on at the same snapshot as well, scan in {@link
   * Session#readAt} with the token; in another snapshot or a transaction the scan goes on behind
   * the same key in what is there now.
   *
   * @param token of {@link Cursor#continuation}, or of a {@link Page}; one to go back is for {@link
   *     #page} only
   * @throws WrongArgumentException when the scan starts, if it is none of such a scan
   */
  public Scan<V> resume(String token) {
    return new Scan<>(reads, tokens, source, keys, reverse, ordered, limit, Optional.of(token));
  }

  /**
   * In any order: records come as nodes answer, so that a slow one holds up no other. It is a
   * leave, not a promise: a scan in a transaction, and a short one, keep the order. There is no
   * {@link Cursor#continuation} and no {@link #page}.
   */
  public Scan<V> unordered() {
    return new Scan<>(reads, tokens, source, keys, reverse, false, limit, after);
  }

  /** Starts the scan. */
  public Cursor<V> cursor() {
    return cursor(limit);
  }

  private Cursor<V> cursor(long records) {
    return new Cursor<>(reads, tokens, source, scope(), ordered, last(), records);
  }

  private Continuation.Scope scope() {
    return new Continuation.Scope(keys, reverse);
  }

  /** To read back what lies before a page. */
  private Continuation.Scope backward() {
    return new Continuation.Scope(keys, !reverse, true);
  }

  /** The key to go on behind, if this resumes. */
  private Optional<Bytes> last() {
    return after.flatMap(token -> Continuation.parse(token, scope(), tokens).last());
  }

  /** As {@link #cursor}. */
  @Override
  public Cursor<V> iterator() {
    return cursor();
  }

  /** The records as a stream, in order unless unordered, fetched as the stream is consumed. */
  public Stream<Entry<V>> stream() {
    return StreamSupport.stream(
        Spliterators.spliteratorUnknownSize(cursor(), characteristics()), false);
  }

  private int characteristics() {
    return (ordered ? Spliterator.ORDERED : 0)
        | (source.isDistinct() ? Spliterator.DISTINCT : 0)
        | Spliterator.NONNULL;
  }

  /** All records. */
  public List<Entry<V>> toList() {
    List<Entry<V>> entries = new ArrayList<>();
    cursor().forEachRemaining(entries::add);
    return entries;
  }

  /**
   * All records, the limit at most, with a token for those behind them if there are any, and one
   * for the page before: for a page of a site. A record behind the limit is looked for, so that no
   * last page is empty; in a transaction it is validated like those of the page.
   *
   * @throws WrongArgumentException if this is unordered
   */
  public Page<V> page() {
    if (!ordered) {
      throw new WrongArgumentException("an unordered scan has no pages", null);
    }
    if (after.isPresent() && Continuation.isOf(after.get(), backward(), tokens)) {
      return pageBefore(Continuation.parse(after.get(), backward(), tokens).last());
    }
    Cursor<V> cursor = cursor(withOneMore());
    Some<V> some = some(cursor);
    Optional<String> next = cursor.hasNext() ? cursor.continuation() : Optional.empty();
    // Where all that was behind the page before is gone, back is from the end.
    Optional<String> previous =
        after.filter(given -> limit > 0).map(given -> token(backward(), some.first()));
    return new Page<>(some.entries(), next, previous);
  }

  /** The page that ends before a key, or at the end of all. */
  private Page<V> pageBefore(Optional<Bytes> key) {
    Cursor<V> cursor = new Cursor<>(reads, tokens, source, backward(), true, key, withOneMore());
    Some<V> some = some(cursor);
    Optional<String> previous = cursor.hasNext() ? cursor.continuation() : Optional.empty();
    Collections.reverse(some.entries());
    return new Page<>(some.entries(), Optional.of(token(scope(), some.first())), previous);
  }

  /** A token to go on behind a place; from the beginning if there is none. */
  private String token(Continuation.Scope direction, Optional<Bytes> place) {
    return new Continuation(reads.point(), place).format(direction, tokens);
  }

  /**
   * Some records as they were found.
   *
   * @param first where the first of them was found; absent if there are none
   */
  private record Some<V>(List<Entry<V>> entries, Optional<Bytes> first) {}

  private long withOneMore() {
    return limit == Long.MAX_VALUE ? limit : limit + 1;
  }

  private Some<V> some(Cursor<V> cursor) {
    List<Entry<V>> entries = new ArrayList<>();
    Optional<Bytes> first = Optional.empty();
    while (entries.size() < limit && cursor.hasNext()) {
      entries.add(cursor.next());
      first = first.isPresent() ? first : cursor.last();
    }
    return new Some<>(entries, first);
  }

  /** The first record, in order even if this is unordered. */
  public Optional<Entry<V>> first() {
    Cursor<V> cursor =
        new Cursor<>(reads, tokens, source, scope(), true, last(), Math.min(1, limit));
    return cursor.hasNext() ? Optional.of(cursor.next()) : Optional.empty();
  }

  /** How many records there are, the limit at most. Nodes count them. */
  public long count() {
    return aggregate(Aggregation.count()).get(0).count();
  }

  /**
   * What is found of the records, the limit at most, in the place of them: groups in the order of
   * their keys, reversed if this is. Nodes find it where the records are; with a limit, and in a
   * transaction that has written some of the keys, it is found here.
   *
   * <p>In a transaction all that was looked at is validated by the commit.
   *
   * @throws WrongArgumentException if a record has no such sum, as a text has none; it says which
   * @throws TooLargeException if there are more groups than {@link #GROUPS_MAX}, or they take more
   *     than 128 MiB
   */
  public List<Group> aggregate(Aggregation aggregation) {
    if (aggregation.needsValues()) {
      source.requireValues("there are no sums of them");
    }
    Folding folding = new Folding(aggregation.behind(source.prefixBytes(), source.leftOut()));
    source.begin();
    try {
      scope().rest(last()).ifPresent(rest -> fold(rest, folding));
      source.requireSound();
      return groups(folding);
    } catch (NoMeasureException e) {
      throw new WrongArgumentException(
          "the aggregation cannot be made", e, "why", String.valueOf(e.getMessage()));
    } catch (MalformedMessageException e) {
      throw new EcStoreException(
          ErrorCode.PROTOCOL,
          "a node answered an aggregation with what is none",
          e,
          "why",
          String.valueOf(e.getMessage()));
    }
  }

  private void fold(KeyRange rest, Folding folding) {
    if (limit == Long.MAX_VALUE) {
      reads.aggregate(rest, folding, () -> requireRoom(folding));
      return;
    }
    BytesScan scan =
        reads.scan(rest, new ScanShape(reverse, !folding.aggregate().needsValues(), ordered));
    long left = limit;
    BytesScan.Found found = left > 0 ? scan.next(left) : null;
    while (found != null) {
      folding.add(found.key(), found.value());
      requireRoom(folding);
      left--;
      found = left > 0 ? scan.next(left) : null;
    }
  }

  private static void requireRoom(Folding folding) {
    if (folding.groups().size() > GROUPS_MAX || folding.bytes() > GROUPS_BYTES_MAX) {
      throw new TooLargeException(
          "there are more groups than an aggregation may have: scan a part, or group by fewer"
              + " elements",
          null,
          "groups",
          folding.groups().size(),
          "bytes",
          folding.bytes());
    }
  }

  private List<Group> groups(Folding folding) {
    List<Group> groups = new ArrayList<>();
    folding
        .groups()
        .forEach((key, tally) -> groups.add(new Group(key, folding.aggregate(), tally)));
    if (reverse) {
      Collections.reverse(groups);
    }
    return Collections.unmodifiableList(groups);
  }

  /**
   * The keys, in order unless unordered, fetched as the stream is consumed. Values are neither read
   * nor decoded.
   */
  public Stream<Tuple> keys() {
    Optional<KeyRange> rest = scope().rest(last());
    if (rest.isEmpty()) {
      return Stream.empty();
    }
    source.begin();
    BytesScan scan =
        reads.scan(rest.get(), new ScanShape(reverse, !source.needsValueForKey(), ordered));
    Spliterator<Tuple> keys =
        new Spliterators.AbstractSpliterator<>(Long.MAX_VALUE, characteristics()) {
          private long left = limit;

          @Override
          public boolean tryAdvance(Consumer<? super Tuple> action) {
            BytesScan.Found found = left > 0 ? scan.next(left) : null;
            source.requireSound();
            if (found == null) {
              return false;
            }
            left--;
            action.accept(source.key(found));
            return true;
          }
        };
    return StreamSupport.stream(keys, false);
  }
}
