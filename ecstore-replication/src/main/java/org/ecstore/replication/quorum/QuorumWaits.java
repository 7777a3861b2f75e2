package org.ecstore.replication.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.replication.quorum.QuorumMessage.Await;
import org.ecstore.replication.quorum.QuorumMessage.Awaited;
import org.ecstore.replication.view.LedgerView;

/**
 * Waits until W copies of each range that a commit has written have it (rule 13). The record in the
 * ledger has decided long before: this can end with fewer copies than asked for, and never fails.
 *
 * <p>The primary of a range knows by its streams' acknowledgements who has what.
 */
public final class QuorumWaits {
  private final NodeContext context;
  private final LedgerView ledgerView;
  private final long askNanos;
  private final long pauseNanos;

  /**
   * The waits of a node.
   *
   * @param askNanos for one question to a primary
   * @param pauseNanos before the next one
   */
  public QuorumWaits(NodeContext context, LedgerView ledgerView, long askNanos, long pauseNanos) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.askNanos = askNanos;
    this.pauseNanos = pauseNanos;
  }

  /** One commit that is waited for. */
  private static final class Wait {
    final Position number;
    final Quorum quorum;
    final long untilNanos;
    final IntConsumer then;
    int least = Integer.MAX_VALUE;
    int open;

    Wait(Position number, Quorum quorum, long untilNanos, IntConsumer then) {
      this.number = number;
      this.quorum = quorum;
      this.untilNanos = untilNanos;
      this.then = then;
    }
  }

  /**
   * Waits; {@code then} gets the least number of copies, over all the ranges, that are known to
   * have the commit: at least W, or fewer at about the deadline.
   */
  public void reach(
      Position number, List<Bytes> keys, Quorum quorum, long untilNanos, IntConsumer then) {
    Wait wait = new Wait(number, quorum, untilNanos, then);
    wait.open = 1;
    divide(wait, keys, 0);
    ended(wait, Integer.MAX_VALUE);
  }

  /**
   * Asks the primaries of the ranges that hold the keys by now.
   *
   * @param known how many copies had them when last heard of
   */
  private void divide(Wait wait, List<Bytes> keys, int known) {
    Map<RangeId, List<Bytes>> byRange = new TreeMap<>();
    Optional<RangeDescriptor> range = Optional.empty();
    for (Bytes key : keys) {
      if (range.isEmpty() || !range.get().keys().contains(key)) {
        range = ledgerView.map().rangeOf(key);
        if (range.isEmpty()) {
          wait.open++;
          ended(wait, known);
          return;
        }
      }
      byRange.computeIfAbsent(range.get().id(), _ -> new ArrayList<>()).add(key);
    }
    wait.open += byRange.size();
    byRange.forEach((id, some) -> ask(wait, ledgerView.map().range(id).orElseThrow(), some, known));
  }

  private void ask(Wait wait, RangeDescriptor range, List<Bytes> keys, int known) {
    long timeout = Math.min(askNanos, wait.untilNanos - context.nanos());
    if (timeout <= 0) {
      ended(wait, known);
      return;
    }
    context.ask(
        range.primary(),
        call ->
            new Await(
                call,
                range.id(),
                range.epoch(),
                wait.quorum.w(),
                wait.number,
                timeout - timeout / 4),
        timeout,
        answer -> answered(wait, range, keys, known, answer));
  }

  private void answered(
      Wait wait, RangeDescriptor range, List<Bytes> keys, int known, Optional<NodeMessage> answer) {
    int copies =
        answer.isPresent() && answer.get() instanceof Awaited awaited ? awaited.copies() : known;
    if (copies >= wait.quorum.w() || wait.untilNanos - context.nanos() <= pauseNanos) {
      ended(wait, copies);
    } else {
      context.after(pauseNanos, () -> again(wait, range, keys, copies));
    }
  }

  /** The keys are looked up again only if their range has other bounds by now. */
  private void again(Wait wait, RangeDescriptor range, List<Bytes> keys, int known) {
    Optional<RangeDescriptor> now = ledgerView.map().range(range.id());
    if (now.isPresent() && now.get().keys().equals(range.keys())) {
      ask(wait, now.get(), keys, known);
    } else {
      divide(wait, keys, known);
      ended(wait, Integer.MAX_VALUE);
    }
  }

  private void ended(Wait wait, int copies) {
    wait.least = Math.min(wait.least, copies);
    if (--wait.open == 0) {
      wait.then.accept(wait.least == Integer.MAX_VALUE ? 0 : wait.least);
    }
  }
}
