package org.ecstore.bench.mycassandra;

import org.ecstore.bench.ycsb.YcsbKinds;

/** The mixes of the paper's Table 2. */
public enum Mix {
  WRITE_ONLY("write-only", 0),
  WRITE_HEAVY("write-heavy", 50),
  READ_HEAVY("read-heavy", 95),
  READ_ONLY("read-only", 100);

  private final String workload;
  private final int readsPercent;

  Mix(String workload, int readsPercent) {
    this.workload = workload;
    this.readsPercent = readsPercent;
  }

  /** As {@code bench ycsb} names it. */
  public String workload() {
    return workload;
  }

  /** How many of a hundred operations read; the others update. */
  public int readsPercent() {
    return readsPercent;
  }

  /** Whether all its operations are of one kind ({@link YcsbKinds}). */
  boolean isOnly(String kind) {
    return readsPercent == (kind.equals(YcsbKinds.READ) ? 100 : 0);
  }
}
