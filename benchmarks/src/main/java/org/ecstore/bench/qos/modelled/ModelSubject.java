package org.ecstore.bench.qos.modelled;

import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.txn.qos.table.SubjectNumber;
import org.ecstore.txn.qos.table.SubjectText;
import org.ecstore.txn.qos.table.TableSubject;

/**
 * What a modelled table is of.
 *
 * @param workload of reads alone
 * @param records of {@link TableWorkload#RECORD_BYTES} that there are
 * @param cacheMebibytes the row cache of each node
 * @param isDirect whether clients ask the node that has a record, as those of ecStore do; else each
 *     asks one node, which asks that one, as in the paper
 */
public record ModelSubject(
    TableWorkload workload,
    ModelledClass nodeClass,
    long records,
    int cacheMebibytes,
    boolean isDirect) {
  /** Of the paper: 15 million. */
  public static final long RECORDS = 15_000_000;

  /** Of the paper: 500 MB. */
  public static final int CACHE_MEBIBYTES = 500;

  /**
   * What a modelled table says in the place of a build and of an engine: no node has either, so
   * that no cluster takes it for one of its own (decision 0079).
   */
  public static final String MODEL = "model";

  /** The zipf or uniform one. */
  private static final String ZIPF = "zipfian";

  private static final double MEBI = 1 << 20;

  /** Of the files that have it, without their endings. */
  public String name() {
    return MODEL + "-" + nodeClass.word() + "-" + workload.name();
  }

  boolean isZipf() {
    return workload.distribution().equals(ZIPF);
  }

  /** The paper's table of this class and workload. */
  int paperTable() {
    int ofClass =
        switch (nodeClass) {
          case SMALL -> 2;
          case MEDIUM -> 3;
        };
    return isZipf() ? ofClass : ofClass + 2;
  }

  RecordPopularity popularity() {
    return isZipf() ? RecordPopularity.zipf(records) : RecordPopularity.uniform(records);
  }

  /** How many rows the caches of so many nodes have room for. */
  double rows(int nodes) {
    return nodes * (cacheMebibytes * MEBI / TableWorkload.RECORD_BYTES);
  }

  /** Whether records and caches are those of the paper. */
  boolean isOfPaper() {
    return records == RECORDS && cacheMebibytes == CACHE_MEBIBYTES;
  }

  /** As a table says it; it names no capacity, as no processor was held to one. */
  TableSubject subject() {
    return TableSubject.UNKNOWN
        .with(SubjectText.ENGINE, MODEL)
        .with(SubjectText.NODE_CLASS, nodeClass.word())
        .with(SubjectText.WORKLOAD, workload.name())
        .with(SubjectText.BUILD, MODEL)
        .with(SubjectNumber.READ_PERCENT, workload.readPercent())
        .with(SubjectNumber.RECORD_BYTES, TableWorkload.RECORD_BYTES)
        .with(SubjectNumber.DATA_BYTES, (double) records * TableWorkload.RECORD_BYTES);
  }
}
