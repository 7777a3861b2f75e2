package org.ecstore.client.copies;

/**
 * What a client has measured of one node. The round trip is smoothed as TCP does it: an eighth of
 * each new measurement. The first may have the making of the connection in it, which would be seen
 * for long where there are few measurements: a second one that is shorter takes its place. Safe for
 * use by several threads.
 */
final class NodeMeter {
  private static final double WEIGHT = 1.0 / 8;

  /** So many reads at a time double what a node costs. */
  private static final double READS_THAT_DOUBLE = 8;

  private double smoothedNanos;
  private boolean measured;
  private boolean measuredTwice;
  private long measuredAtNanos;
  private long failedUntilNanos;
  private boolean failing;
  private int underWay;
  private int load;

  synchronized void started() {
    underWay++;
  }

  /** A reply came. */
  synchronized void replied(long roundTripNanos, long nowNanos) {
    underWay = Math.max(0, underWay - 1);
    if (!measured || (!measuredTwice && roundTripNanos < smoothedNanos)) {
      smoothedNanos = roundTripNanos;
    } else {
      smoothedNanos += WEIGHT * (roundTripNanos - smoothedNanos);
    }
    measuredTwice = measured;
    measured = true;
    measuredAtNanos = nowNanos;
    failing = false;
  }

  /** No reply came: others are asked for a while, if there are others. */
  synchronized void failed(long untilNanos) {
    underWay = Math.max(0, underWay - 1);
    failing = true;
    failedUntilNanos = untilNanos;
  }

  /** The node says how many reads it has under way. */
  synchronized void loaded(int reads) {
    load = reads;
  }

  synchronized boolean isFailing(long nowNanos) {
    return failing && failedUntilNanos - nowNanos > 0;
  }

  /** Whether nothing is known of how far the node is, and no answer is on its way that will say. */
  synchronized boolean isUnknown() {
    return !measured && underWay == 0;
  }

  synchronized boolean isOlderThan(long nanos, long nowNanos) {
    return measured && underWay == 0 && nowNanos - measuredAtNanos > nanos;
  }

  /** The smoothed round trip; 0 if there was none. */
  synchronized long roundTripNanos() {
    return (long) smoothedNanos;
  }

  /** Reads under way there: by the node's last word, or of this client alone if those are more. */
  synchronized int reads() {
    return Math.max(underWay, load);
  }

  /** What it takes to have a read answered there, by what is known. */
  synchronized double costNanos() {
    return measured
        ? smoothedNanos * (1 + Math.max(underWay, load) / READS_THAT_DOUBLE)
        : Double.MAX_VALUE;
  }
}
