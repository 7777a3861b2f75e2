package org.ecstore.txn.commit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ecstore.id.Position;

/**
 * Reads that wait for intents in their way. Each knows its intents and each intent its reads, so
 * that an intent that goes is looked up by those alone that wait for it. No intent comes in the way
 * later: one that is placed after a read began at a position turns out above it (rule 10).
 */
final class SettledWaits {
  /** A read that waits until all intents in its way are out of it. */
  static final class Waiting {
    private final IntentTable table;
    private final Set<TransactionIntents> inTheWay;
    private final Position position;
    private final long untilNanos;
    private final Runnable ready;
    private final Runnable late;

    private Waiting(
        IntentTable table,
        Set<TransactionIntents> inTheWay,
        Position position,
        long untilNanos,
        Runnable ready,
        Runnable late) {
      this.table = table;
      this.inTheWay = inTheWay;
      this.position = position;
      this.untilNanos = untilNanos;
      this.ready = ready;
      this.late = late;
    }
  }

  private final int waitingMax;
  private final Set<Waiting> waiting = new LinkedHashSet<>();

  SettledWaits(int waitingMax) {
    this.waitingMax = waitingMax;
  }

  int size() {
    return waiting.size();
  }

  /** Runs {@code ready} once no intent is in the way; {@code late} then, or if too many wait. */
  void add(
      IntentTable table,
      Collection<TransactionIntents> inTheWay,
      Position position,
      long untilNanos,
      Runnable ready,
      Runnable late) {
    if (waiting.size() >= waitingMax) {
      late.run();
      return;
    }
    Waiting one =
        new Waiting(table, new LinkedHashSet<>(inTheWay), position, untilNanos, ready, late);
    waiting.add(one);
    one.inTheWay.forEach(holder -> holder.awaitedBy.add(one));
  }

  /** The number of a transaction is known: reads below it need not wait for it. */
  void numbered(TransactionIntents holder, Position number) {
    outOfTheWay(
        holder, holder.awaitedBy.stream().filter(one -> number.isAfter(one.position)).toList());
  }

  /** The intents of a transaction are gone. */
  void gone(TransactionIntents holder) {
    outOfTheWay(holder, List.copyOf(holder.awaitedBy));
  }

  private void outOfTheWay(TransactionIntents holder, List<Waiting> of) {
    List<Waiting> ready =
        of.stream()
            .filter(one -> holder.awaitedBy.remove(one))
            .filter(one -> one.inTheWay.remove(holder) && one.inTheWay.isEmpty())
            .filter(waiting::remove)
            .toList();
    ready.forEach(one -> one.ready.run());
  }

  /** A table's copy is retired: its reads try elsewhere. */
  void retired(IntentTable table) {
    List<Waiting> ended = waiting.stream().filter(one -> one.table == table).toList();
    ended.forEach(this::forget);
    ended.forEach(one -> one.ready.run());
  }

  /** Ends those that waited too long. */
  void expire(long nowNanos) {
    List<Waiting> ended = waiting.stream().filter(one -> one.untilNanos - nowNanos <= 0).toList();
    ended.forEach(this::forget);
    ended.forEach(one -> one.late.run());
  }

  private void forget(Waiting one) {
    waiting.remove(one);
    one.inTheWay.forEach(holder -> holder.awaitedBy.remove(one));
  }
}
