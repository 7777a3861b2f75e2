package org.ecstore.client.scan;

import org.ecstore.aggregate.Folding;
import org.ecstore.client.read.PageRequest;
import org.ecstore.client.read.SubScans;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;

/**
 * What nodes find of the records of an interval, put together as it comes, from whichever piece. A
 * node of an earlier release answers with the records themselves, and so does one that found no
 * such measure of one of them: they are looked at here. For one thread.
 */
public final class AggregateScan {
  /** Records of one page. */
  private static final int RECORDS = 4_096;

  private final SubScans pieces;
  private final ScanPages pages;
  private final Coverage coverage;

  public AggregateScan(KeyRange interval, SubScans pieces, ScanPages pages) {
    this.pieces = pieces;
    this.pages = pages;
    this.coverage = new Coverage(interval);
  }

  /**
   * Adds all of the interval.
   *
   * @param room looked at after each page: throws if more is held than may be
   */
  public void addTo(Folding folding, Runnable room) {
    while (!pieces.isOver()) {
      ClientReply.Scanned scanned = pages.next(new PageRequest(RECORDS, Long.MAX_VALUE));
      coverage.add(scanned.covered());
      for (Row row : scanned.rows()) {
        if (scanned.aggregated()) {
          folding.addRow(row);
        } else {
          folding.add(row.key(), row.value());
        }
      }
      room.run();
    }
    coverage.checkWhole();
  }
}
