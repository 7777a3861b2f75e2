package org.ecstore.client.kryo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;

/**
 * Kryos of one format that are not in use. One that does not come back to where it began is thrown
 * away.
 */
final class KryoPool {
  private static final int IDLE_MAX = 8;

  private final Supplier<StrictKryo> maker;

  /** Its own lock. */
  private final Deque<StrictKryo> idle = new ArrayDeque<>();

  KryoPool(Supplier<StrictKryo> maker) {
    this.maker = maker;
  }

  /** One for a value to be read from so many bytes, or written. */
  StrictKryo borrow(int bytes) {
    StrictKryo kryo = idleOrNew();
    kryo.begin(bytes);
    return kryo;
  }

  private StrictKryo idleOrNew() {
    synchronized (idle) {
      StrictKryo kryo = idle.poll();
      if (kryo != null) {
        return kryo;
      }
    }
    return maker.get();
  }

  void giveBack(StrictKryo kryo) {
    synchronized (idle) {
      if (kryo.getDepth() == 0 && idle.size() < IDLE_MAX) {
        idle.push(kryo);
      }
    }
  }
}
