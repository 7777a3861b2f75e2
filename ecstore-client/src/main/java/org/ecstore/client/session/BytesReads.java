package org.ecstore.client.session;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.read.ScanShape;
import org.ecstore.client.scan.BytesScan;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** What can be read at one snapshot, in bytes. */
public interface BytesReads {
  /** The snapshot. */
  ReadPoint point();

  /** The copy that answered the last read; absent before the first. */
  Optional<AnsweredBy> lastRead();

  /** The values of the keys that are there, in the order asked. */
  Map<Bytes, Bytes> get(Collection<Bytes> keys);

  /**
   * The records of an interval, lazily; with long intervals, from several copies at once. A
   * transaction keeps the order, asked or not: what it validates is what it has seen from one end.
   */
  BytesScan scan(KeyRange interval, ScanShape shape);
}
