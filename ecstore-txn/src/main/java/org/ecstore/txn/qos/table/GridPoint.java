package org.ecstore.txn.qos.table;

import java.util.Comparator;

/**
 * A place of a performance table: so many clients that each wait for an answer before they ask
 * again, and so many servers.
 */
public record GridPoint(int clients, int servers) implements Comparable<GridPoint> {
  private static final Comparator<GridPoint> ORDER =
      Comparator.comparingInt(GridPoint::clients).thenComparingInt(GridPoint::servers);

  @Override
  public int compareTo(GridPoint other) {
    return ORDER.compare(this, other);
  }
}
