package org.ecstore.txn.commit;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.Position;
import org.ecstore.model.KeyWrite;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.sequencer.SequencerLink;

/**
 * Intents whose transactions have not been settled here in time: the sequencer is asked what became
 * of them, and the ledger what they wrote (rules 5, 7).
 */
final class IntentDoubts {
  private static final int ASKING_MAX = 1_000;

  /** Of the intents on all copies in one tick: where there are 100,000 that is one in 20. */
  private static final int LOOKED_AT_MAX = 5_000;

  /**
   * How often one is asked about while the sequencer does not answer, and each of those about which
   * it says that it cannot say.
   */
  private static final long PROBE_NANOS = 250_000_000L;

  /** The intents on a copy, and what has to be done with one whose outcome is known. */
  interface Intents {
    IntentTable table();

    void committed(TransactionIntents holder, Position number, List<KeyWrite> writes);

    void aborted(TransactionIntents holder);
  }

  private final NodeContext context;
  private final SequencerLink sequencer;
  private final CommittedWrites committedWrites;
  private final long settleNanos;
  private int asking;

  /** The copy that the next look begins with. */
  private int next;

  /** Whether the last question reached no sequencer, and when that was known. */
  private boolean unreached;

  private long unreachedNanos;

  /**
   * None yet.
   *
   * @param settleNanos after which it is asked again
   */
  IntentDoubts(
      NodeContext context,
      SequencerLink sequencer,
      CommittedWrites committedWrites,
      long settleNanos) {
    this.context = context;
    this.sequencer = sequencer;
    this.committedWrites = committedWrites;
    this.settleNanos = settleNanos;
  }

  /**
   * Asks about those that it is time for, as long as more may be asked. Only so many are looked at:
   * where there are more the next look goes on with those that follow. Called each tick.
   */
  void look(List<? extends Intents> copies) {
    long now = context.nanos();
    int left = LOOKED_AT_MAX;
    int begun = next;
    for (int i = 0; i < copies.size(); i++) {
      int index = (begun + i) % copies.size();
      if (left == 0 || asking >= ASKING_MAX) {
        next = index;
        return;
      }
      left -= look(copies.get(index), left, now);
    }
    next = 0;
  }

  /** Looks at so many of a copy at most; how many it was. */
  private int look(Intents of, int most, long now) {
    IntentTable table = of.table();
    int looked = 0;
    for (TransactionIntents holder : table.next(most)) {
      if (asking >= ASKING_MAX) {
        return looked;
      }
      table.lookedAt(holder);
      looked++;
      if (isOpen(holder) && isDue(holder, now)) {
        ask(of, holder);
      }
    }
    if (looked < most) {
      table.lookedAtAll();
    }
    return looked;
  }

  /**
   * What was asked in vain is asked again soon after the sequencer has answered something: keys
   * must not stay closed for longer than it was away. Not at once: it may answer others, and say of
   * this one again that it cannot say (decision 0062).
   */
  private boolean isDue(TransactionIntents holder, long now) {
    boolean isProbeDue = asking == 0 && now - unreachedNanos >= PROBE_NANOS;
    boolean isRested = now - holder.answeredNanos >= PROBE_NANOS;
    return holder.askAtNanos - now <= 0
        || (holder.unanswered && isRested && (!unreached || isProbeDue));
  }

  private static boolean isOpen(TransactionIntents holder) {
    return !holder.asking
        && holder.phase != TransactionIntents.Phase.APPLYING
        && holder.phase != TransactionIntents.Phase.DROPPING_INTENTS;
  }

  private void ask(Intents of, TransactionIntents holder) {
    holder.asking = true;
    asking++;
    sequencer.ask(
        holder.txn,
        holder.point.position(),
        Asker.PARTICIPANT,
        outcome -> {
          holder.asking = false;
          asking--;
          holder.unanswered = outcome instanceof Outcome.NotNow;
          holder.answeredNanos = context.nanos();
          unreached = outcome instanceof Outcome.NotNow notNow && !notNow.isOfSequencer();
          unreachedNanos = context.nanos();
          holder.askAtNanos = context.nanos() + settleNanos;
          if (of.table().find(holder.txn).orElse(null) == holder) {
            settle(of, holder, outcome);
          }
        });
  }

  private void settle(Intents of, TransactionIntents holder, Outcome outcome) {
    switch (outcome) {
      case Outcome.Committed committed -> fetchWrites(of, holder, committed.number());
      case Outcome.Aborted _, Outcome.CatalogChanged _ -> of.aborted(holder);
      // A number would be above the noted D, hence at or above F, whose outcomes are kept: the
      // transaction is in no record and will be in none (rule 7).
      case Outcome.Expired expired -> {
        if (holder.writes.isEmpty() || expired.floor().isAtOrBelow(holder.noted.next())) {
          of.aborted(holder);
        } else {
          context.ports().log().warn("outcome of " + holder.txn + " expired while marked");
        }
      }
      case Outcome.NotNow notNow -> {}
    }
  }

  /** The ledger is the database: what the coordinator did not send is read from there. */
  private void fetchWrites(Intents of, TransactionIntents holder, Position number) {
    // A request to vote that came again, late: the decision was known here when it did.
    boolean wasDecided = number.isAtOrBelow(holder.noted);
    if (holder.writes.isEmpty() || wasDecided) {
      of.aborted(holder);
      return;
    }
    holder.asking = true;
    committedWrites.fetch(
        holder.noted.next(),
        number,
        commit -> {
          holder.asking = false;
          if (commit.isPresent() && of.table().find(holder.txn).orElse(null) == holder) {
            take(of, holder, number, commit.get());
          }
        });
  }

  /** What another coordinator has committed under the id has intents of its own (decision 0118). */
  private static void take(
      Intents of, TransactionIntents holder, Position number, LedgerRecord.Commit commit) {
    if (commit.by().equals(holder.by())) {
      of.committed(holder, number, commit.writes());
    } else {
      of.aborted(holder);
    }
  }
}
