package org.ecstore.replication.copy;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;

/**
 * The stamps of transfers under way: above them no ledger record goes away (rule 7). Versions do,
 * for a transfer goes on without them. A pin ends when nothing is fetched for a while, and there
 * are few at a time, for the number of a transfer is what its receiver says: a node that made
 * numbers up would keep the ledger for ever. Two receivers may use the same number: a transfer is
 * known by both.
 *
 * <p>A receiver gets a pin only while it has fewer than are left: one that takes all it gets has
 * half of them, a second one half of the rest, and so on. As pins end, those that ask have equal
 * shares.
 */
final class TransferPins {
  static final int PINS_MAX = 256;

  /** A transfer, by the node that fetches and the number it gave. */
  private record Transfer(NodeId receiver, long number) {}

  private record Pin(Position stamp, long untilNanos) {}

  private final long pinNanos;
  private final Map<Transfer, Pin> pins = new LinkedHashMap<>();

  TransferPins(long pinNanos) {
    this.pinNanos = pinNanos;
  }

  /**
   * Pins a stamp, or goes on to; false if there are too many transfers, or too many to this one.
   */
  boolean pin(NodeId receiver, long number, Position stamp, long nowNanos) {
    Transfer transfer = new Transfer(receiver, number);
    if (!pins.containsKey(transfer)) {
      expire(nowNanos);
      if (pinsOf(receiver) >= PINS_MAX - pins.size()) {
        return false;
      }
    }
    pins.put(transfer, new Pin(stamp, nowNanos + pinNanos));
    return true;
  }

  private long pinsOf(NodeId receiver) {
    return pins.keySet().stream().filter(transfer -> transfer.receiver().equals(receiver)).count();
  }

  void done(NodeId receiver, long number) {
    pins.remove(new Transfer(receiver, number));
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
