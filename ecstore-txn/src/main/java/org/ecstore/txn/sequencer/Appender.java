package org.ecstore.txn.sequencer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.metrics.Instrument;
import org.ecstore.core.metrics.MetricSeries;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * Group commit (rule 7): numbers records as they come, gathers them into entries, keeps a few
 * appends in flight, and says when each record is durable. D moves only over whole logical records,
 * so that no snapshot begins in the middle of a run of parts.
 */
public class Appender {
  /**
   * Bounds of the appender.
   *
   * @param entryBytesMax an entry takes no further record that would make it longer, in bytes
   * @param pendingBytesMax no more is taken while more waits to be appended, in bytes
   * @param inFlightMax entries under way
   * @param recordBytesMax the longest raw record, in bytes: what is longer is split into parts
   */
  public record Bounds(
      int entryBytesMax, int pendingBytesMax, int inFlightMax, int recordBytesMax) {}

  private record Waiter(Runnable durable, Consumer<String> lost) {}

  private final NodeContext context;
  private final Bounds bounds;
  private final Runnable advanced;
  private final Consumer<String> failed;
  private final Instrument appendTime;
  private final Instrument entryRecords;
  private final Deque<Bytes> pending = new ArrayDeque<>();
  private final Deque<Long> ends = new ArrayDeque<>();
  private final TreeMap<Long, List<Waiter>> waiters = new TreeMap<>();

  /** Who waits for an append that has not begun while there is nothing to append. */
  private final List<Waiter> forNext = new ArrayList<>();

  private Consumer<Integer> entryBegun = records -> {};
  private long pendingBytes;
  private long firstPending;
  private long next;
  private long durable;
  private int inFlight;
  private boolean flushAsked;
  private boolean broken;

  /**
   * An appender that goes on after the last position there is. {@code advanced} runs when D has
   * grown, before those who wait; {@code failed} when an append came back as anything but durable:
   * nothing more is appended then.
   */
  public Appender(
      NodeContext context,
      Bounds bounds,
      Position last,
      Runnable advanced,
      Consumer<String> failed) {
    this.context = context;
    this.bounds = bounds;
    this.advanced = advanced;
    this.failed = failed;
    this.appendTime = context.metrics().of(new MetricSeries(NodeMetrics.LEDGER_APPEND));
    this.entryRecords = context.metrics().of(new MetricSeries(NodeMetrics.LEDGER_ENTRY));
    this.durable = last.value();
    this.next = last.value() + 1;
    this.firstPending = next;
  }

  /** Tells of each entry handed to the ledger, by its number of records. */
  void onEntry(Consumer<Integer> listener) {
    entryBegun = listener;
  }

  /** D: the end of the last logical record that is durable. */
  public Position durable() {
    return new Position(durable);
  }

  /** The position that the next record begins at. */
  public Position next() {
    return new Position(next);
  }

  /** Whether more would be too much. */
  public boolean isFull() {
    return pendingBytes > bounds.pendingBytesMax();
  }

  /** Numbers a record and hands it to the next append; its position is that of its last part. */
  public Position append(LedgerRecord record) {
    for (Bytes part : RecordParts.split(record, next, bounds.recordBytesMax())) {
      pending.add(part);
      pendingBytes += part.length();
      next++;
    }
    ends.add(next - 1);
    if (!forNext.isEmpty()) {
      waiters.computeIfAbsent(next - 1, _ -> new ArrayList<>(forNext.size())).addAll(forNext);
      forNext.clear();
    }
    askFlush();
    return new Position(next - 1);
  }

  /**
   * Runs {@code durably} once the position is durable, or {@code lost} if that is not to be known.
   */
  public void whenDurable(Position position, Runnable durably, Consumer<String> lost) {
    if (acknowledged(position)) {
      durably.run();
    } else {
      waiters
          .computeIfAbsent(position.value(), _ -> new ArrayList<>(1))
          .add(new Waiter(durably, lost));
    }
  }

  /**
   * Runs {@code durably} once an append that has not begun yet is durable (rule 9), of whatever it
   * is: of what comes next; of nothing, if nothing has come by the time that no append is under
   * way. So many who ask at about one time cost one append.
   */
  public void whenNextDurable(Runnable durably, Consumer<String> lost) {
    if (broken) {
      lost.accept("nothing is appended any more");
    } else if (!pending.isEmpty()) {
      whenDurable(new Position(next - 1), durably, lost);
    } else {
      forNext.add(new Waiter(durably, lost));
      appendNothing();
    }
  }

  private void appendNothing() {
    if (inFlight == 0 && !forNext.isEmpty()) {
      append(new LedgerRecord.NoOp());
    }
  }

  /** Rule 5: no answer rests on a record that is not durable. */
  @RuleSeam(5)
  protected boolean acknowledged(Position position) {
    return position.value() <= durable;
  }

  private void askFlush() {
    if (!flushAsked) {
      flushAsked = true;
      context.atFlush(
          () -> {
            flushAsked = false;
            flush();
          });
    }
  }

  private void flush() {
    while (!broken && inFlight < bounds.inFlightMax() && !pending.isEmpty()) {
      List<Bytes> records = new ArrayList<>();
      long bytes = 0;
      while (!pending.isEmpty()
          && (records.isEmpty() || bytes + pending.peek().length() <= bounds.entryBytesMax())) {
        Bytes record = pending.remove();
        bytes += record.length();
        records.add(record);
      }
      pendingBytes -= bytes;
      LedgerEntry entry = new LedgerEntry(new Position(firstPending), records);
      firstPending += records.size();
      inFlight++;
      entryBegun.accept(records.size());
      entryRecords.record(records.size());
      long begunNanos = context.nanos();
      context.ledger(
          token -> context.ports().ledger().append(token, entry),
          result -> appended(result, begunNanos));
    }
  }

  private void appended(LedgerResult result, long begunNanos) {
    inFlight--;
    if (broken) {
      return;
    }
    switch (result) {
      case LedgerResult.Appended appended -> {
        appendTime.record(context.nanos() - begunNanos);
        advance(appended.last().value());
      }
      case LedgerResult.AppendUnknown unknown -> end(unknown.detail());
      case LedgerResult.Rejected rejected -> end(rejected.detail());
      case LedgerResult.Failed other -> throw unexpected(other);
      case LedgerResult.Fenced other -> throw unexpected(other);
      case LedgerResult.Entries other -> throw unexpected(other);
      case LedgerResult.Trimmed other -> throw unexpected(other);
      case LedgerResult.TrimDone other -> throw unexpected(other);
    }
  }

  private static IllegalStateException unexpected(LedgerResult result) {
    return new IllegalStateException("not the answer to an append: " + result);
  }

  private void advance(long last) {
    long before = durable;
    while (!ends.isEmpty() && ends.peek() <= last) {
      durable = ends.remove();
    }
    if (durable > before) {
      advanced.run();
      Map<Long, List<Waiter>> done = waiters.headMap(durable, true);
      List<Waiter> ready = new ArrayList<>();
      done.values().forEach(ready::addAll);
      done.clear();
      ready.forEach(waiter -> waiter.durable().run());
    }
    if (!pending.isEmpty()) {
      askFlush();
    } else {
      appendNothing();
    }
  }

  /** Nothing more is appended; who waits learns that nothing is known. */
  public void end(String detail) {
    if (broken) {
      return;
    }
    broken = true;
    List<Waiter> all = new ArrayList<>();
    waiters.values().forEach(all::addAll);
    waiters.clear();
    all.addAll(forNext);
    forNext.clear();
    pending.clear();
    all.forEach(waiter -> waiter.lost().accept(detail));
    failed.accept(detail);
  }
}
