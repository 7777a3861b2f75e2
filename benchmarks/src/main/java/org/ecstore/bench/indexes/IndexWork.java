package org.ecstore.bench.indexes;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** What is measured of tables with indexes. */
public enum IndexWork {
  /** A record is written, of a table without indexes. */
  WRITE_PLAIN("write-plain"),
  /** The same after the record was read in the transaction: what an index does by itself. */
  READ_AND_WRITE_PLAIN("read-and-write-plain"),
  /** A record is written, of a table with a unique index; its value there stays. */
  WRITE_UNIQUE_KEPT("write-unique-kept"),
  /** A record is written that gets another value in an index. */
  WRITE_ONE("write-1-index"),
  /** A record is written that gets other values in two of three indexes, one of two values. */
  WRITE_THREE("write-3-indexes"),
  /** A record is read by its key. */
  READ_BY_KEY("read-by-key"),
  /** A record is read by its value in a unique index. */
  FIND_UNIQUE("find-unique"),
  /** The first 20 records with a value. */
  SCAN_BY_INDEX("scan-20-by-index"),
  /** Of the first 20 records with a value the part that the index keeps. */
  SCAN_COVERING("scan-20-covering");

  private final String title;

  IndexWork(String title) {
    this.title = title;
  }

  /** As users name it. */
  public String title() {
    return title;
  }

  /** One by its title. */
  public static Optional<IndexWork> of(String title) {
    return Arrays.stream(values()).filter(work -> work.title.equals(title)).findFirst();
  }

  /** All titles. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(IndexWork::title).toList();
  }
}
