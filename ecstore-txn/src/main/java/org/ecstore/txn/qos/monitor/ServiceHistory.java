package org.ecstore.txn.qos.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;

/**
 * What clients have had of late, on the node that leads: in slots of half a minute where nothing
 * else is said, of the last twenty minutes then. It begins anew with each leader.
 */
public final class ServiceHistory {
  /** The length of a slot where nothing else is said. */
  public static final long SLOT_NANOS = 30_000_000_000L;

  static final int SLOTS = 40;

  /** What the figures of the present are about: so many slots, the one that is being filled too. */
  static final int RECENT_SLOTS = 10;

  private static final int LATEST_SLOTS = 2;
  private static final double MILLI = 1e6;
  private static final double MICRO = 1e3;
  private static final double P95 = 0.95;
  private static final double P99 = 0.99;

  private static final class Slot {
    private final long fromNanos;
    private final Map<ApplicationTable, ServiceSample> samples = new HashMap<>();

    Slot(long fromNanos) {
      this.fromNanos = fromNanos;
    }
  }

  private record ApplicationTable(String application, String table) {}

  private final LongSupplier clock;
  private final long slotNanos;
  private final Deque<Slot> slots = new ArrayDeque<>();

  /**
   * An empty one.
   *
   * @param clock nanoseconds of the node's clock
   * @param slotNanos how long a slot is
   */
  public ServiceHistory(LongSupplier clock, long slotNanos) {
    this.clock = clock;
    this.slotNanos = slotNanos;
  }

  /** Another node has led meanwhile: what is known here has gaps. */
  public void clear() {
    slots.clear();
  }

  /** What a node has gathered of late. */
  public void take(List<ApplicationSample> samples) {
    Slot slot = current();
    for (ApplicationSample one : samples) {
      ApplicationTable key = new ApplicationTable(one.application(), one.sample().table());
      if (slot.samples.containsKey(key) || slot.samples.size() < ServiceReports.KEYS_MAX) {
        slot.samples.merge(key, one.sample(), ServiceSample::plus);
      }
    }
  }

  /**
   * A clock that jumps back begins a slot, as one that goes on does. Slots follow each other
   * without gaps of parts of one: samples come after what they are about, and who began a slot with
   * each first one would count too much in too short a time.
   */
  private Slot current() {
    long now = clock.getAsLong();
    Slot last = slots.peekLast();
    long since = last == null ? 0 : now - last.fromNanos;
    if (last == null || since >= slotNanos || since < 0) {
      last = new Slot(last == null || since < 0 ? now : now - since % slotNanos);
      slots.addLast(last);
      if (slots.size() > SLOTS) {
        slots.removeFirst();
      }
    }
    return last;
  }

  /** What the operations of an objective took lately; absent if there were none. */
  public Optional<ServiceFigures> recent(Objective objective) {
    return last(objective, RECENT_SLOTS);
  }

  /** The same of the last slot, and of what has come since. */
  public Optional<ServiceFigures> latest(Objective objective) {
    return last(objective, LATEST_SLOTS);
  }

  /** The same of so many slots, the one that is being filled too. */
  public Optional<ServiceFigures> last(Objective objective, int spanSlots) {
    long now = clock.getAsLong();
    List<Slot> recent =
        slots.stream().filter(slot -> now - slot.fromNanos <= spanSlots * slotNanos).toList();
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    List<ServiceSample> samples = recent.stream().flatMap(slot -> of(slot, objective)).toList();
    return figures(samples, recent.getFirst().fromNanos, now);
  }

  /** The same of each slot, the latest last; of those in which there was any. */
  public List<ServiceFigures> slots(Objective objective) {
    long now = clock.getAsLong();
    List<ServiceFigures> all = new ArrayList<>();
    for (Slot slot : slots) {
      long to = Math.min(now, slot.fromNanos + slotNanos);
      figures(of(slot, objective).toList(), slot.fromNanos, to).ifPresent(all::add);
    }
    return all;
  }

  private static Stream<ServiceSample> of(Slot slot, Objective objective) {
    return slot.samples.entrySet().stream()
        .filter(
            one ->
                objective.tables().isEmpty()
                    ? one.getKey().application().equals(objective.application())
                    : objective.tables().contains(one.getKey().table()))
        .map(Map.Entry::getValue);
  }

  private Optional<ServiceFigures> figures(
      List<ServiceSample> samples, long fromNanos, long toNanos) {
    long operations = samples.stream().mapToLong(ServiceSample::operations).sum();
    if (operations == 0) {
      return Optional.empty();
    }
    LatencySketch times =
        samples.stream().map(ServiceSample::times).reduce(LatencySketch.EMPTY, LatencySketch::plus);
    double mean =
        samples.stream().mapToDouble(one -> (double) one.meanNanos() * one.operations()).sum()
            / operations;
    return Optional.of(
        new ServiceFigures(
            Math.round((clock.getAsLong() - toNanos) / MILLI),
            Math.max(1, Math.round((toNanos - fromNanos) / MILLI)),
            operations,
            samples.stream().mapToLong(ServiceSample::reads).sum(),
            samples.stream().mapToLong(ServiceSample::failures).sum(),
            Math.round(mean / MICRO),
            Math.round(times.percentile(P95) / MICRO),
            Math.round(times.percentile(P99) / MICRO)));
  }
}
