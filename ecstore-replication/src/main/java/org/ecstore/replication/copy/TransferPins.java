package org.ecstore.replication.copy;

import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.id.Position;

/**
 * The stamps of transfers under way: above them neither versions nor ledger records go away. A pin
 * ends when nothing is fetched for a while, and there are few at a time, for the id of a transfer
 * is what its receiver says: a node that made ids up would keep the ledger for ever.
 */
final class TransferPins {
  static final int PINS_MAX = 256;

  private record Pin(Position stamp, long untilNanos) {}

  private final long pinNanos;
  private final TreeMap<Long, Pin> pins = new TreeMap<>();

  TransferPins(long pinNanos) {
    this.pinNanos = pinNanos;
  }

  /** Pins a stamp, or goes on to; false if there are too many transfers. */
  boolean pin(long transfer, Position stamp, long nowNanos) {
    if (pins.size() >= PINS_MAX && !pins.containsKey(transfer)) {
      expire(nowNanos);
      if (pins.size() >= PINS_MAX) {
        return false;
      }
    }
    pins.put(transfer, new Pin(stamp, nowNanos + pinNanos));
    return true;
  }

  void done(long transfer) {
    pins.remove(transfer);
  }

  /** The lowest stamp that is pinned. */
  Optional<Position> least(long nowNanos) {
    expire(nowNanos);
    return pins.values().stream().map(Pin::stamp).min(Position::compareTo);
  }

  private void expire(long nowNanos) {
    pins.values().removeIf(pin -> pin.untilNanos() - nowNanos <= 0);
  }
}
