package org.ecstore.bench.ycsb;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/**
 * The workloads: YCSB's A to F (Cooper and others, SoCC 2010, Table 2), the four of MyCassandra
 * (SYSTOR 2012, Table 2), and scans of a fixed length. Shares are of operations.
 */
public enum YcsbWorkload {
  A("A", "update heavy: half reads, half updates", 0.5, 0.5, 0, 0, 0),
  B("B", "read mostly: 95 % reads, 5 % updates", 0.95, 0.05, 0, 0, 0),
  C("C", "read only", 1, 0, 0, 0, 0),
  D("D", "read latest: 95 % reads of what came last, 5 % inserts", 0.95, 0, 0.05, 0, 0),
  E("E", "short ranges: 95 % scans of 1 to 100 records, 5 % inserts", 0, 0, 0.05, 0.95, 0),
  F("F", "read-modify-write: half reads, half reads with an update", 0.5, 0, 0, 0, 0.5),
  WRITE_ONLY("write-only", "updates only", 0, 1, 0, 0, 0),
  WRITE_HEAVY("write-heavy", "half reads, half updates", 0.5, 0.5, 0, 0, 0),
  READ_HEAVY("read-heavy", "95 % reads, 5 % updates", 0.95, 0.05, 0, 0, 0),
  READ_ONLY("read-only", "reads only", 1, 0, 0, 0, 0),
  SCAN_100("scan-100", "scans of 100 records", 0, 0, 0, 1, 0);

  /** Of a record. */
  public static final int FIELDS = 10;

  /** What a record has where nothing else is said: 100 in each field. */
  public static final int RECORD_BYTES = 1_000;

  private final String title;
  private final String what;
  private final double reads;
  private final double updates;
  private final double inserts;
  private final double scans;
  private final double readModifyWrites;

  YcsbWorkload(
      String title,
      String what,
      double reads,
      double updates,
      double inserts,
      double scans,
      double readModifyWrites) {
    this.title = title;
    this.what = what;
    this.reads = reads;
    this.updates = updates;
    this.inserts = inserts;
    this.scans = scans;
    this.readModifyWrites = readModifyWrites;
  }

  /** As users name it. */
  public String title() {
    return title;
  }

  /** What it does, in words. */
  public String what() {
    return what;
  }

  /** Whether it inserts records. */
  boolean isInserting() {
    return inserts > 0;
  }

  /** The workload of a name, whatever the case of its letters. */
  public static Optional<YcsbWorkload> of(String title) {
    return Arrays.stream(values()).filter(each -> each.title.equalsIgnoreCase(title)).findFirst();
  }

  /** All names. */
  public static List<String> titles() {
    return Arrays.stream(values()).map(YcsbWorkload::title).toList();
  }

  /** The distribution of the keys asked for, if others have the given one: D is of the latest. */
  public String distribution(String given) {
    return this == D ? "latest" : given;
  }

  /**
   * What YCSB's core workload is told: records of 10 fields, all read, all written, keys hashed.
   *
   * @param records that are loaded
   * @param recordBytes of each record, of all fields together
   * @param distribution of the keys asked for: {@code zipfian} or {@code uniform}; D is always of
   *     the latest
   */
  Properties properties(long records, int recordBytes, String distribution) {
    Properties properties = new Properties();
    properties.setProperty("recordcount", Long.toString(records));
    // Keys that may be inserted are drawn too, and again until one is there: with many to come
    // nearly all draws would be in vain. It does not limit how many operations there are.
    properties.setProperty("operationcount", Long.toString(Math.min(records, Integer.MAX_VALUE)));
    properties.setProperty("fieldcount", Integer.toString(FIELDS));
    properties.setProperty("fieldlength", Integer.toString(recordBytes / FIELDS));
    properties.setProperty("readallfields", "true");
    properties.setProperty("writeallfields", "true");
    properties.setProperty("requestdistribution", distribution(distribution));
    properties.setProperty("readproportion", Double.toString(reads));
    properties.setProperty("updateproportion", Double.toString(updates));
    properties.setProperty("insertproportion", Double.toString(inserts));
    properties.setProperty("scanproportion", Double.toString(scans));
    properties.setProperty("readmodifywriteproportion", Double.toString(readModifyWrites));
    properties.setProperty("minscanlength", this == SCAN_100 ? "100" : "1");
    properties.setProperty("maxscanlength", "100");
    properties.setProperty("scanlengthdistribution", "uniform");
    return properties;
  }
}
