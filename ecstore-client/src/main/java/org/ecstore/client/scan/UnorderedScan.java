package org.ecstore.client.scan;

import java.util.Iterator;
import java.util.List;
import org.ecstore.client.read.PageRequest;
import org.ecstore.client.read.SubScans;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.jspecify.annotations.Nullable;

/**
 * A scan of a snapshot that hands over pages as they come, from whichever piece. For one thread.
 */
public final class UnorderedScan implements BytesScan {
  private final SubScans pieces;
  private final ScanPages pages;
  private final Coverage coverage;
  private Iterator<Row> page = List.<Row>of().iterator();
  private int pageRecords = PageRequest.FIRST_PAGE;

  public UnorderedScan(KeyRange interval, SubScans pieces, ScanPages pages) {
    this.pieces = pieces;
    this.pages = pages;
    this.coverage = new Coverage(interval);
  }

  @Override
  public @Nullable Found next(long wanted) {
    while (!page.hasNext()) {
      if (pieces.isOver()) {
        coverage.checkWhole();
        return null;
      }
      int records = PageRequest.records(wanted, pageRecords);
      pageRecords = Math.min(PageRequest.PAGE_MAX, pageRecords * 2);
      ClientReply.Scanned scanned = pages.next(new PageRequest(records, wanted));
      coverage.add(scanned.covered());
      page = scanned.rows().iterator();
    }
    Row row = page.next();
    return new Found(row.key(), row.value());
  }
}
