package org.ecstore.cluster.bookkeeper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.ecstore.sim.world.World;

/**
 * A way to the ledger, each answer of which is held against the ledger as it is (rule 6): no read
 * hands over a gap, or what is not durable, or names an end above where it begins without handing
 * anything over; what was acknowledged is there after every fence.
 */
final class CheckedLedger implements Ledger {
  private final World world;
  private final String who;
  private final AdaptedLedger truth;
  private final Consumer<Event> sink;
  private final Ledger inner;
  private final int readBytesMax;
  private final Map<Long, Long> begun = new HashMap<>();

  CheckedLedger(
      World world,
      String who,
      AdaptedLedger truth,
      int readBytesMax,
      Function<Consumer<Event>, Ledger> inner,
      Consumer<Event> sink) {
    this.world = world;
    this.who = who;
    this.truth = truth;
    this.sink = sink;
    this.readBytesMax = readBytesMax;
    this.inner = inner.apply(this::on);
  }

  private void on(Event event) {
    if (event instanceof Event.LedgerDone(long token, LedgerResult result)) {
      Long since = begun.remove(token);
      check(result, since == null ? 0 : since);
    }
    sink.accept(event);
  }

  private void check(LedgerResult result, long since) {
    switch (result) {
      case LedgerResult.Entries read -> checkRead(read, Math.max(1, since));
      case LedgerResult.Fenced fenced -> {
        that(
            fenced.last().value() >= since,
            "what was acknowledged is there after a fence",
            "fenced at " + fenced.last() + " where there was " + since);
        that(
            fenced.last().value() <= truth.end() && truth.isEnd(fenced.last()),
            "a fence finds the last record",
            "fenced at " + fenced.last() + " of " + truth.end());
        checkFirst(fenced.first());
      }
      case LedgerResult.Appended done ->
          that(
              done.last().value() <= truth.end(),
              "what is acknowledged is durable",
              done.last() + " of " + truth.end());
      case LedgerResult.Trimmed trimmed -> checkFirst(trimmed.first());
      case LedgerResult.TrimDone trimmed -> checkFirst(trimmed.first());
      case LedgerResult.AppendUnknown _, LedgerResult.Rejected _, LedgerResult.Failed _ -> {}
    }
  }

  private void checkFirst(Position first) {
    that(
        first.value() <= truth.first(),
        "nothing that is kept is called trimmed",
        "said " + first + ", is " + truth.first());
  }

  private void checkRead(LedgerResult.Entries read, long from) {
    long next = from;
    for (LedgerEntry entry : read.entries()) {
      that(
          truth.durableAt(entry.first()).equals(List.of(entry)),
          "what is read is durable",
          "from " + from + ": " + entry.first());
      that(
          truth.isDense(next, entry),
          "a read hands over no gap",
          "from " + from + ": " + entry.first() + " where " + next + " was next");
      next = entry.last().value() + 1;
    }
    that(
        !read.entries().isEmpty() || read.end().value() < from,
        "the end is what the read has seen",
        "nothing from " + from + ", end " + read.end());
  }

  private void that(boolean holds, String rule, String detail) {
    if (!holds) {
      world.violated(rule, who + ": " + detail);
    }
  }

  @Override
  public void fence(long token) {
    begun.put(token, truth.end());
    inner.fence(token);
  }

  @Override
  public void cancel(long token) {
    inner.cancel(token);
  }

  @Override
  public void append(long token, LedgerEntry entry) {
    inner.append(token, entry);
  }

  @Override
  public boolean isLost() {
    return inner.isLost();
  }

  @Override
  public void read(long token, Position from, int bytesMax) {
    begun.put(token, from.value());
    inner.read(token, from, Math.min(bytesMax, readBytesMax));
  }

  @Override
  public void trim(long token, Position below) {
    inner.trim(token, below);
  }
}
