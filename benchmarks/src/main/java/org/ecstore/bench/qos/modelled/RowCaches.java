package org.ecstore.bench.qos.modelled;

/**
 * What the row caches of all nodes have, each of which forgets the rows that were asked for longest
 * ago. By the approximation of Che, Tung and Wang (2002): a record is there if it was asked for
 * among the last so many requests, and that number is such that as many records are there as there
 * is room for. Each node has an equal part of records, requests and room, so that one cache of all
 * the room says the same of each.
 */
final class RowCaches {
  /** Records of neighbouring ranks are taken together, more of them the further down. */
  private static final int GROUPS = 64;

  private static final int HALVINGS = 80;

  private final RecordPopularity popularity;

  /** In requests; infinite if all records have room. */
  private final double remembered;

  /**
   * Caches that have been full for long.
   *
   * @param rows that all of them have room for
   */
  RowCaches(RecordPopularity popularity, double rows) {
    this.popularity = popularity;
    this.remembered = rows >= popularity.records() ? Double.POSITIVE_INFINITY : span(rows);
  }

  private double span(double rows) {
    double low = 0;
    double high = 1;
    while (sum(high, false) < rows) {
      high *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (sum(middle, false) < rows) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Of all records that are there, their number, or what share of requests they have. */
  private double sum(double span, boolean byShare) {
    double sum = 0;
    long records = popularity.records();
    for (long from = 0; from < records; ) {
      long to = Math.min(records, from + 1 + from / GROUPS);
      double share = popularity.share((from + to - 1) / 2.0);
      sum += (to - from) * chance(share, span) * (byShare ? share : 1);
      from = to;
    }
    return sum;
  }

  private static double chance(double share, double span) {
    return 1 - StrictMath.exp(-share * span);
  }

  /** How probable it is that a record is there. */
  double chance(long rank) {
    return chance(popularity.share((double) rank), remembered);
  }

  /** How many of all requests find what they ask for. */
  double hitRatio() {
    return sum(remembered, true);
  }
}
