package org.ecstore.txn.qos.quota;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.KeyRange;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.txn.limit.ApplicationKeys;
import org.ecstore.txn.limit.QuotaLimits;
import org.ecstore.txn.message.TxnMessage.HeldBytes;
import org.ecstore.txn.message.TxnMessage.QuotaOrder;
import org.ecstore.txn.message.TxnMessage.QuotaReport;
import org.ecstore.txn.message.TxnMessage.RangeHolding;
import org.jspecify.annotations.Nullable;

/**
 * What the ranges that this node serves hold of applications with quotas, told to the steward once
 * a period. The engine is asked for the keys of the application alone, so that a range which has
 * tables of several has its exact part of each. It is asked again when a hundredth of what there
 * was has been written. Nothing is done or sent while no application has a quota.
 */
public final class QuotaMeter {
  /** What has been written less of is asked for so many periods later. */
  private static final int PERIODS_SIZED = 6;

  private static final long WRITTEN_PART = 100;
  private static final int REPORT_MAX = 5_000;

  private static final class Held {
    private final Copy copy;
    private @Nullable Sized sized;
    private boolean sizing;
    private long writes;
    private long written;
    private int periods;

    Held(Copy copy) {
      this.copy = copy;
    }

    boolean wantsSize() {
      Sized last = sized;
      return last == null
          || written * WRITTEN_PART > last.all()
          || writes * WRITTEN_PART > last.records()
          || (writes > 0 && periods >= PERIODS_SIZED);
    }
  }

  /** What was found, by application. */
  private record Sized(Map<String, Long> bytes, long records) {
    long all() {
      return bytes.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private record Part(String application, KeyRange keys) {}

  /** Asks the engine for one part of a range after the other. */
  private final class Sizing {
    private final Held of;
    private final Deque<Part> left;
    private final Map<String, Long> bytes = new TreeMap<>();
    private final long writesThen;
    private final long writtenThen;
    private long records;

    Sizing(Held of) {
      this.of = of;
      this.left = new ArrayDeque<>(parts(of.copy));
      this.writesThen = of.writes;
      this.writtenThen = of.written;
      left.forEach(part -> bytes.put(part.application(), 0L));
    }

    void next() {
      Part part = left.poll();
      if (part == null) {
        of.sized = new Sized(bytes, records);
        of.writes -= writesThen;
        of.written -= writtenThen;
        of.periods = 0;
        end();
        return;
      }
      context.engine(
          token -> context.ports().engine().size(token, part.keys()),
          result -> {
            if (result instanceof EngineResult.Size found && sizing == this) {
              bytes.merge(part.application(), found.bytes(), Long::sum);
              records += found.records();
              next();
            } else {
              end();
            }
          });
    }

    private void end() {
      of.sizing = false;
      if (sizing == this) {
        sizing = null;
        sizeNext();
      }
    }
  }

  private final NodeContext context;
  private final CopyTable copies;
  private final QuotaLimits limits;
  private final long periodNanos;
  private final Supplier<Optional<NodeId>> leader;
  private final Map<RangeId, Held> held = new TreeMap<>();
  private final Queue<Held> toSize = new ArrayDeque<>();

  /** The keys of each application, as they were last ordered. */
  private Map<String, List<KeyRange>> keys = new TreeMap<>();

  private @Nullable Sizing sizing;
  private boolean soon;

  /** Of the copies of a node, for who leads. */
  public QuotaMeter(
      NodeContext context,
      CopyTable copies,
      QuotaLimits limits,
      long periodNanos,
      Supplier<Optional<NodeId>> leader) {
    this.context = context;
    this.copies = copies;
    this.limits = limits;
    this.periodNanos = periodNanos;
    this.leader = leader;
  }

  /** Begins to tell. */
  public void start() {
    context.every(
        periodNanos,
        () -> {
          held.values().forEach(one -> one.periods++);
          look();
        });
  }

  /** The steward has said what applications may hold. */
  public void ordered(long versionBefore) {
    Map<String, List<KeyRange>> next = new TreeMap<>();
    for (QuotaOrder order : limits.orders()) {
      next.put(order.application(), ApplicationKeys.of(order.tables()));
    }
    if (!next.equals(keys)) {
      keys = next;
      held.clear();
      toSize.clear();
      sizing = null;
    }
    if (versionBefore != limits.version()) {
      changed();
    }
  }

  /** The map has changed, or another node leads: what is new is told before the period is over. */
  public void changed() {
    if (!soon && !keys.isEmpty()) {
      soon = true;
      context.after(
          Math.max(1, periodNanos / 10),
          () -> {
            soon = false;
            look();
          });
    }
  }

  /** A commit has written to a copy that is served here. */
  public void updated(Copy copy, List<VersionedWrite> writes) {
    Held one = keys.isEmpty() ? null : held.get(copy.id());
    if (one != null && one.copy == copy) {
      for (VersionedWrite write : writes) {
        one.writes++;
        one.written += write.bytes();
      }
    }
  }

  private List<Part> parts(Copy copy) {
    List<Part> parts = new ArrayList<>();
    keys.forEach(
        (application, intervals) ->
            intervals.forEach(
                interval ->
                    interval
                        .intersection(copy.keys())
                        .ifPresent(part -> parts.add(new Part(application, part)))));
    return parts;
  }

  private void look() {
    if (keys.isEmpty()) {
      return;
    }
    held.values().removeIf(one -> !copies.isCurrent(one.copy) || !one.copy.serving());
    for (Copy copy : copies.all()) {
      if (copy.serving() && !parts(copy).isEmpty()) {
        Held one = of(copy);
        if (!one.sizing && one.wantsSize()) {
          one.sizing = true;
          toSize.add(one);
        }
      }
    }
    if (sizing == null && !toSize.isEmpty()) {
      sizeNext();
    } else {
      tell();
    }
  }

  private Held of(Copy copy) {
    Held one = held.get(copy.id());
    if (one == null || one.copy != copy) {
      one = new Held(copy);
      held.put(copy.id(), one);
    }
    return one;
  }

  /** One at a time: it must not keep the engine from its work. */
  private void sizeNext() {
    Held next = toSize.poll();
    if (next != null) {
      Sizing begun = new Sizing(next);
      sizing = begun;
      begun.next();
    } else {
      tell();
    }
  }

  private void tell() {
    Optional<NodeId> to = leader.get();
    if (to.isEmpty() || keys.isEmpty()) {
      return;
    }
    List<RangeHolding> ranges = new ArrayList<>();
    for (Held one : held.values()) {
      Sized sized = one.sized;
      if (sized != null) {
        List<HeldBytes> bytes = new ArrayList<>();
        sized.bytes().forEach((application, of) -> bytes.add(new HeldBytes(application, of)));
        ranges.add(new RangeHolding(one.copy.id(), one.copy.epoch(), bytes));
      }
    }
    int from = 0;
    do {
      int until = Math.min(ranges.size(), from + REPORT_MAX);
      context.send(
          to.get(),
          new QuotaReport(limits.version(), ranges.subList(from, until), limits.refused()));
      from = until;
    } while (from < ranges.size());
  }
}
