package org.ecstore.client.session;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.ecstore.aggregate.Folding;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** What can be read at one snapshot, in bytes. */
public interface BytesReads {
  /** The snapshot. */
  ReadPoint point();

  /** Until when an operation that begins now may take. */
  Deadline deadline();

  /** The copy that answered the last read; absent before the first. */
  Optional<AnsweredBy> lastRead();

  /** The values of the keys that are there, in the order asked. */
  Map<Bytes, Bytes> get(Collection<Bytes> keys);

  /**
   * The same of keys of the store's own: beneath a transaction's writes, and not validated by its
   * commit.
   */
  Map<Bytes, Bytes> peek(Collection<Bytes> keys);

  /**
   * Whether the snapshot is at a position or above it for certain; begins nothing. False where that
   * is not known.
   */
  boolean isAtOrAbove(Position position);

  /** The session's next snapshots are at a position or above it. */
  void seen(Position position);

  /**
   * The records of an interval, lazily; with long intervals, from several copies at once. A
   * transaction keeps the order, asked or not: what it validates is what it has seen from one end.
   */
  BytesScan scan(KeyRange interval, ScanShape shape);

  /**
   * Adds the records of an interval to what is found, most of it where they are.
   *
   * @param room looked at from time to time: throws if more is held than may be
   */
  void aggregate(KeyRange interval, Folding folding, Runnable room);
}
