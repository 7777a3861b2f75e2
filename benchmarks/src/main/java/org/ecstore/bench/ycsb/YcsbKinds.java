package org.ecstore.bench.ycsb;

/** What reports call the operations of YCSB's workloads. */
public final class YcsbKinds {
  public static final String READ = "read";
  public static final String SCAN = "scan";
  public static final String UPDATE = "update";
  public static final String INSERT = "insert";
  public static final String DELETE = "delete";

  private YcsbKinds() {}
}
