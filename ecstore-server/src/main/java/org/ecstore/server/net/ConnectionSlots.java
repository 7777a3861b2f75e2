package org.ecstore.server.net;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.ecstore.key.Bytes;

/**
 * Who may stay on a node's port when there is not room for all. Connections that have not greeted,
 * clients, clients on trial, and nodes and operators are counted apart, so that none of them takes
 * the room of the next:
 *
 * <ul>
 *   <li>one that has not greeted is always let in; beyond the bound another one that has not has to
 *       go, the oldest of the address that has most of them;
 *   <li>a client is seated while there are seats; beyond them, in place of the newest of the
 *       address that has most, if its own address has less than an equal share. The share counts
 *       only then;
 *   <li>one for which there is no seat is on trial: it may look, and show that it is an operator.
 *       It gets a seat when it asks for something else and one is free;
 *   <li>nodes that have proven themselves, and operators, have room of their own.
 * </ul>
 *
 * <p>Of IPv6, 64 bits are an address: so much belongs to one machine. Any thread may call.
 */
final class ConnectionSlots {
  /** Connections of nodes and operators each: more than any cluster has. */
  static final int KEPT_MAX = 512;

  /** Clients on trial. */
  static final int TRIAL_MAX = 32;

  private static final int UNGREETED_MIN = 16;
  private static final int UNGREETED_PART = 4;
  private static final int NETWORK_BYTES = 8;

  private final int clientsMax;
  private final Map<Standing, Group> groups = new EnumMap<>(Standing.class);

  /** What a connection is. */
  enum Standing {
    UNGREETED,
    TRIAL,
    CLIENT,
    OPERATOR,
    NODE,
    GONE
  }

  /** Connections of one standing, by address and in the order they came. */
  private static final class Group {
    private final Map<Bytes, Set<Slot>> byAddress = new HashMap<>();
    private int size;

    void add(Slot slot) {
      byAddress.computeIfAbsent(slot.address, _ -> new LinkedHashSet<>()).add(slot);
      size++;
    }

    void remove(Slot slot) {
      Set<Slot> same = byAddress.get(slot.address);
      if (same != null && same.remove(slot)) {
        size--;
        if (same.isEmpty()) {
          byAddress.remove(slot.address);
        }
      }
    }

    int of(Bytes address) {
      Set<Slot> same = byAddress.get(address);
      return same == null ? 0 : same.size();
    }

    int addressesWith(Bytes address) {
      return byAddress.size() + (byAddress.containsKey(address) ? 0 : 1);
    }

    Optional<Set<Slot>> most() {
      return byAddress.values().stream().max(Comparator.comparingInt(Set::size));
    }
  }

  /** The place of one connection. */
  final class Slot {
    private final Bytes address;
    private final Consumer<String> cut;

    /** Guarded by the seats. */
    private Standing standing = Standing.GONE;

    private Slot(Bytes address, Consumer<String> cut) {
      this.address = address;
      this.cut = cut;
    }

    /** It greets as a client, or asks again for a seat; false if it is on trial. */
    boolean sit() {
      return ConnectionSlots.this.sit(this);
    }

    /** It has proven that it is a node; false if there is no room. */
    boolean isNode() {
      return keep(this, Standing.NODE);
    }

    /** It has proven that it is an operator. */
    void isOperator() {
      keep(this, Standing.OPERATOR);
    }

    /** The connection has ended. */
    void leave() {
      move(this, Standing.GONE);
    }
  }

  ConnectionSlots(int clientsMax) {
    this.clientsMax = clientsMax;
    for (Standing standing : Standing.values()) {
      groups.put(standing, new Group());
    }
  }

  private Group group(Standing standing) {
    return Objects.requireNonNull(groups.get(standing));
  }

  /**
   * A connection has come.
   *
   * @param cut ends it, and is told why; may be called on any thread
   */
  Slot arrive(InetAddress from, Consumer<String> cut) {
    Slot slot = new Slot(network(from), cut);
    Optional<Slot> goes = Optional.empty();
    synchronized (this) {
      if (group(Standing.UNGREETED).size >= ungreetedMax()) {
        goes = oldestOfMost(Standing.UNGREETED);
      }
      goes.ifPresent(other -> move(other, Standing.GONE));
      move(slot, Standing.UNGREETED);
    }
    goes.ifPresent(other -> other.cut.accept("it has not greeted, and others wait to"));
    return slot;
  }

  private int ungreetedMax() {
    return Math.max(UNGREETED_MIN, clientsMax / UNGREETED_PART);
  }

  private static Bytes network(InetAddress address) {
    byte[] all = address.getAddress();
    return Bytes.wrap(address instanceof Inet6Address ? Arrays.copyOf(all, NETWORK_BYTES) : all);
  }

  private boolean sit(Slot slot) {
    Optional<Slot> goes = Optional.empty();
    synchronized (this) {
      if (slot.standing != Standing.UNGREETED && slot.standing != Standing.TRIAL) {
        return slot.standing != Standing.GONE;
      }
      Group clients = group(Standing.CLIENT);
      if (clients.size < clientsMax) {
        move(slot, Standing.CLIENT);
      } else if (clients.of(slot.address) < clientsMax / clients.addressesWith(slot.address)) {
        goes = newestOfMost();
        goes.ifPresent(other -> move(other, Standing.GONE));
        move(slot, Standing.CLIENT);
      } else if (slot.standing == Standing.UNGREETED) {
        if (group(Standing.TRIAL).size >= TRIAL_MAX) {
          goes = oldestOfMost(Standing.TRIAL);
          goes.ifPresent(other -> move(other, Standing.GONE));
        }
        move(slot, Standing.TRIAL);
      }
    }
    goes.ifPresent(other -> other.cut.accept("there is no room, and its address has most of it"));
    return isClient(slot);
  }

  private synchronized boolean isClient(Slot slot) {
    return slot.standing == Standing.CLIENT;
  }

  private synchronized boolean keep(Slot slot, Standing standing) {
    if (slot.standing == Standing.GONE || group(standing).size >= KEPT_MAX) {
      return false;
    }
    move(slot, standing);
    return true;
  }

  private synchronized void move(Slot slot, Standing to) {
    group(slot.standing).remove(slot);
    slot.standing = to;
    if (to != Standing.GONE) {
      group(to).add(slot);
    }
  }

  private Optional<Slot> oldestOfMost(Standing standing) {
    return group(standing).most().flatMap(same -> same.stream().findFirst());
  }

  private Optional<Slot> newestOfMost() {
    return group(Standing.CLIENT).most().flatMap(same -> same.stream().reduce((_, last) -> last));
  }

  /** How many there are of a standing, to be looked at. */
  synchronized int count(Standing standing) {
    return group(standing).size;
  }
}
