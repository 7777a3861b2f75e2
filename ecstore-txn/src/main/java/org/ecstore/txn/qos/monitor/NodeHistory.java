package org.ecstore.txn.qos.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.control.NodeSlot;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;

/**
 * What nodes had to do of late, on the node that leads, in the slots of {@link ServiceHistory}. It
 * begins anew with each leader.
 */
public final class NodeHistory {
  /** Nodes that are kept; what more of them say is not. */
  static final int NODES_MAX = 256;

  private static final double MILLI = 1e6;

  /** What a node has said in a slot. */
  private static final class Slot {
    private final long number;
    private long said;
    private long busyMilli;
    private long waitMicros;
    private long lookups;
    private long misses;
    private long foldLag;

    Slot(long number) {
      this.number = number;
    }

    void add(NodeLoad load) {
      said++;
      busyMilli += load.busyMilli();
      waitMicros += load.waitMicros();
      lookups += load.lookups();
      misses += load.misses();
      foldLag = Math.max(foldLag, load.foldLag());
    }

    NodeLoad load() {
      return new NodeLoad(
          Math.round((double) busyMilli / said),
          Math.round((double) waitMicros / said),
          lookups,
          misses,
          foldLag);
    }
  }

  private final LongSupplier clock;
  private final long slotNanos;
  private final Map<NodeId, Deque<Slot>> nodes = new TreeMap<>();

  /** The present slot, by which a clock that has jumped back is known. */
  private long present = Long.MIN_VALUE;

  /**
   * An empty one.
   *
   * @param clock nanoseconds of the node's clock
   * @param slotNanos how long a slot is
   */
  public NodeHistory(LongSupplier clock, long slotNanos) {
    this.clock = clock;
    this.slotNanos = slotNanos;
  }

  /** Another node has led meanwhile: what is known here has gaps. */
  public void clear() {
    nodes.clear();
  }

  /** A node says what it has to do. */
  public void take(NodeId node, NodeLoad load) {
    look();
    Deque<Slot> slots = nodes.get(node);
    if (slots == null) {
      if (nodes.size() >= NODES_MAX) {
        return;
      }
      slots = new ArrayDeque<>();
      nodes.put(node, slots);
    }
    Slot last = slots.peekLast();
    if (last == null || last.number < present) {
      last = new Slot(present);
      slots.addLast(last);
    }
    last.add(load);
  }

  /** Forgets what is too old, and by a clock that has jumped back all of it. */
  private void look() {
    long now = Math.floorDiv(clock.getAsLong(), slotNanos);
    if (now < present) {
      nodes.clear();
    }
    if (now != present) {
      present = now;
      long oldest = present - ServiceHistory.SLOTS;
      nodes.values().forEach(slots -> slots.removeIf(slot -> slot.number <= oldest));
      nodes.values().removeIf(Deque::isEmpty);
    }
  }

  /**
   * What each of some nodes had to do in each slot, the latest last. The one that is being filled
   * is left out, unless it is the first.
   */
  public List<NodeHistoryLine> lines(Collection<NodeId> of) {
    look();
    List<NodeHistoryLine> lines = new ArrayList<>();
    nodes.forEach(
        (node, slots) -> {
          if (of.contains(node)) {
            lines.add(new NodeHistoryLine(node, slots(slots)));
          }
        });
    return lines;
  }

  private List<NodeSlot> slots(Deque<Slot> slots) {
    long now = clock.getAsLong();
    return slots.stream()
        .filter(slot -> slot.number < present || slots.size() == 1)
        .map(
            slot ->
                new NodeSlot(
                    Math.max(0, Math.round((now - (slot.number + 1) * slotNanos) / MILLI)),
                    slot.load()))
        .toList();
  }
}
