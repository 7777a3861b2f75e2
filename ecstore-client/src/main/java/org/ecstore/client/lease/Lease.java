package org.ecstore.client.lease;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.id.ReadPoint;
import org.ecstore.protocol.ClientReply;

/**
 * A snapshot that is open: young and not leased, or leased, so that a node keeps its versions until
 * the lease ends (rule 14). The point never changes; the node that keeps it may. Safe for use by
 * several threads.
 */
public final class Lease {
  private final ReadPoint point;
  private final ReentrantLock lock = new ReentrantLock();
  private String address;
  private long id;
  private long renewAtNanos;

  /** How often the connection that keeps the lease had broken before it was asked for. */
  private long losses;

  private boolean renewing;
  private boolean closed;

  Lease(String address, ClientReply.Begun begun, long losses, long nowNanos) {
    this.point = begun.point();
    this.address = address;
    this.id = begun.lease();
    this.losses = losses;
    this.renewAtNanos = renewAt(begun, nowNanos);
  }

  /** Renewed after a third of its time, so that two tries may fail. */
  private static long renewAt(ClientReply.Begun begun, long nowNanos) {
    return nowNanos + Duration.ofMillis(begun.leaseMillis()).toNanos() / 3;
  }

  /** Where to read. */
  public ReadPoint point() {
    return point;
  }

  /**
   * Which node keeps the lease, and under which number.
   *
   * @param losses how often the connection to the node had broken before it was asked for
   */
  record Holder(String address, long id, long losses) {
    /** Whether it keeps one; otherwise it is only the node where the snapshot began. */
    boolean isLeased() {
      return id != 0;
    }
  }

  Holder holder() {
    lock.lock();
    try {
      return new Holder(address, id, losses);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether it is time to renew; if so the caller is to do it and say how it went.
   *
   * @param seen who keeps it, as the caller knows it: of one that was renewed since it knows too
   *     little
   * @param isLost whether that one has ended it, as the connection broke: then it is time at once
   */
  boolean beginRenewal(Holder seen, boolean isLost, long nowNanos) {
    lock.lock();
    try {
      boolean isDue = isLost || nowNanos - renewAtNanos >= 0;
      if (closed || renewing || !isDue || !seen.equals(new Holder(address, id, losses))) {
        return false;
      }
      renewing = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * It was renewed. Returns false if the lease has been closed meanwhile: the new one must end.
   *
   * @param lossesBefore how often the connection had broken before the node was asked
   */
  boolean renewed(String byAddress, ClientReply.Begun begun, long lossesBefore, long nowNanos) {
    lock.lock();
    try {
      renewing = false;
      if (!closed) {
        address = byAddress;
        id = begun.lease();
        losses = lossesBefore;
        renewAtNanos = renewAt(begun, nowNanos);
      }
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /** It could not be renewed: another time. */
  void notRenewed() {
    lock.lock();
    try {
      renewing = false;
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether this call closed it. */
  boolean close() {
    lock.lock();
    try {
      boolean first = !closed;
      closed = true;
      return first;
    } finally {
      lock.unlock();
    }
  }
}
