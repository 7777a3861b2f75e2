package org.ecstore.bench.cost;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How long a node is busy with things, and how long messages travel. All in nanoseconds.
 *
 * @param read one key in the engine
 * @param write one key in the engine, without a sync
 * @param scan what a scan costs however short it is
 * @param scanRecord what each record of a scan adds
 * @param message a message with one record: to take it in and decode it, or to encode and send it
 * @param messageRecord what each further record in a message adds
 * @param network from one node to another; assumed, as one machine has none to measure
 * @param logAppend from an append to the commit ledger to its acknowledgement, on a disk
 * @param logRecord what a record adds to an append of several
 */
public record CostModel(
    long read,
    long write,
    long scan,
    long scanRecord,
    long message,
    long messageRecord,
    long network,
    long logAppend,
    long logRecord) {
  /** What a calibration gave once, in round figures: for tests, which must not depend on one. */
  public static final CostModel TYPICAL =
      new CostModel(10_000, 15_000, 12_000, 1_000, 4_000, 100, 50_000, 200_000, 10_000);

  /** By their names, in the order of the components. */
  public Map<String, Long> byName() {
    Map<String, Long> all = new LinkedHashMap<>();
    all.put("read", read);
    all.put("write", write);
    all.put("scan", scan);
    all.put("scanRecord", scanRecord);
    all.put("message", message);
    all.put("messageRecord", messageRecord);
    all.put("network", network);
    all.put("logAppend", logAppend);
    all.put("logRecord", logRecord);
    return all;
  }

  /**
   * The other way round.
   *
   * @throws IllegalArgumentException if one is missing or negative
   */
  public static CostModel of(Map<String, Long> costs) {
    return new CostModel(
        cost(costs, "read"),
        cost(costs, "write"),
        cost(costs, "scan"),
        cost(costs, "scanRecord"),
        cost(costs, "message"),
        cost(costs, "messageRecord"),
        cost(costs, "network"),
        cost(costs, "logAppend"),
        cost(costs, "logRecord"));
  }

  private static long cost(Map<String, Long> costs, String name) {
    Long cost = costs.get(name);
    if (cost == null || cost < 0) {
      throw new IllegalArgumentException("no cost " + name);
    }
    return cost;
  }

  /** So many records read by one query, in the engine alone. */
  public long query(int records) {
    return records == 1 ? read : scan + records * scanRecord;
  }

  /** A message that carries so many records; at least one. */
  public long message(int records) {
    return message + (Math.max(1, records) - 1) * messageRecord;
  }
}
