package org.ecstore.txn.commit;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.ecstore.core.runtime.ParkedCalls;
import org.ecstore.core.runtime.ParkedCalls.Parked;
import org.ecstore.id.Position;

/**
 * Reads that wait for intents in their way. Each knows its intents and each intent its reads, so
 * that an intent that goes is looked up by those alone that wait for it. No intent comes in the way
 * later: one that is placed after a read began at a position turns out above it (rule 10).
 */
final class SettledWaits {
  /** What a read waits for: that all intents in its way are out of it. */
  record Waiting(IntentTable table, Set<TransactionIntents> inTheWay, Position position) {}

  private final ParkedCalls<Waiting> waiting;

  SettledWaits(int waitingMax) {
    this.waiting = new ParkedCalls<>(waitingMax);
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
    Waiting cause = new Waiting(table, new LinkedHashSet<>(inTheWay), position);
    waiting
        .park(cause, untilNanos, ready, late)
        .ifPresent(one -> cause.inTheWay().forEach(holder -> holder.awaitedBy.add(one)));
  }

  /** The number of a transaction is known: reads below it need not wait for it. */
  void numbered(TransactionIntents holder, Position number) {
    outOfTheWay(
        holder,
        holder.awaitedBy.stream().filter(one -> number.isAfter(one.cause().position())).toList());
  }

  /** The intents of a transaction are gone. */
  void gone(TransactionIntents holder) {
    outOfTheWay(holder, List.copyOf(holder.awaitedBy));
  }

  private void outOfTheWay(TransactionIntents holder, List<Parked<Waiting>> of) {
    List<Parked<Waiting>> ready =
        of.stream()
            .filter(one -> holder.awaitedBy.remove(one))
            .filter(one -> isLast(holder, one.cause().inTheWay()))
            .filter(waiting::take)
            .toList();
    ready.forEach(Parked::resume);
  }

  private static boolean isLast(TransactionIntents holder, Set<TransactionIntents> inTheWay) {
    return inTheWay.remove(holder) && inTheWay.isEmpty();
  }

  /** A table's copy is retired: its reads try elsewhere. */
  void retired(IntentTable table) {
    List<Parked<Waiting>> ended = waiting.takeIf(one -> one.table() == table);
    ended.forEach(SettledWaits::forget);
    ended.forEach(Parked::resume);
  }

  /** Ends those that waited too long. */
  void expire(long nowNanos) {
    List<Parked<Waiting>> ended = waiting.takeLate(nowNanos);
    ended.forEach(SettledWaits::forget);
    ended.forEach(Parked::timeOut);
  }

  private static void forget(Parked<Waiting> one) {
    one.cause().inTheWay().forEach(holder -> holder.awaitedBy.remove(one));
  }
}
