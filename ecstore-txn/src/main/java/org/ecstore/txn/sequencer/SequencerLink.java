package org.ecstore.txn.sequencer;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.ConfirmRequest;
import org.ecstore.txn.message.TxnMessage.OutcomeReply;
import org.ecstore.txn.message.TxnMessage.PositionReply;
import org.ecstore.txn.message.TxnMessage.StrongRequest;
import org.ecstore.txn.message.TxnMessage.Submit;

/**
 * How the rest of a node speaks to the sequencer, wherever it is. Who leads is only a hint (rule
 * 6); no answer in time means that nothing is known (rule 5).
 */
public final class SequencerLink {
  private final NodeContext context;
  private final long timeoutNanos;
  private final Set<Question> open = new LinkedHashSet<>();
  private Optional<NodeId> leader = Optional.empty();

  /** What was asked of the node that was said to lead; answered once, whatever comes first. */
  private static final class Question {
    private final Consumer<Optional<NodeMessage>> then;

    Question(Consumer<Optional<NodeMessage>> then) {
      this.then = then;
    }
  }

  /** A commit to submit. */
  public record Submission(
      TxnId txn,
      ReadPoint point,
      Isolation isolation,
      List<RangeVote> votes,
      List<KeyWrite> writes,
      CatalogStamp catalog) {}

  public SequencerLink(NodeContext context, long timeoutNanos) {
    this.context = context;
    this.timeoutNanos = timeoutNanos;
  }

  /** Who is said to lead. */
  public Optional<NodeId> leader() {
    return leader;
  }

  /**
   * Another node is said to lead, or none. What the one before was asked is not waited for any
   * longer: it may be gone, and to ask the next one again is safe (rule 5).
   */
  public void leader(Optional<NodeId> hinted) {
    if (!leader.equals(hinted)) {
      leader = hinted;
      List.copyOf(open).forEach(question -> answer(question, Optional.empty()));
    }
  }

  private void ask(LongFunction<NodeMessage> request, Consumer<Optional<NodeMessage>> then) {
    if (leader.isEmpty()) {
      context.after(timeoutNanos / 4, () -> then.accept(Optional.empty()));
      return;
    }
    Question question = new Question(then);
    open.add(question);
    context.ask(leader.get(), request, timeoutNanos, reply -> answer(question, reply));
  }

  private void answer(Question question, Optional<NodeMessage> reply) {
    if (open.remove(question)) {
      question.then.accept(reply);
    }
  }

  /** Submits a commit. */
  public void submit(Submission submission, Consumer<Outcome> then) {
    askOutcome(
        call ->
            new Submit(
                call,
                submission.txn(),
                context.self(),
                context.incarnation(),
                submission.point(),
                submission.isolation(),
                submission.votes(),
                submission.writes(),
                submission.catalog()),
        then);
  }

  /** Asks what became of a transaction, aborting it if it has no record. */
  public void ask(TxnId txn, Position snapshot, Asker asker, Consumer<Outcome> then) {
    askOutcome(call -> new Ask(call, txn, snapshot, asker), then);
  }

  private void askOutcome(LongFunction<NodeMessage> request, Consumer<Outcome> then) {
    ask(
        request,
        answer ->
            then.accept(
                answer.isPresent() && answer.get() instanceof OutcomeReply reply
                    ? reply.outcome()
                    : Outcome.NotNow.NO_ANSWER));
  }

  /** The sequencer's pair after an append begun now (rule 9); absent if it does not answer. */
  public void strong(Consumer<Optional<ReadPoint>> then) {
    position(StrongRequest::new, then);
  }

  /** The sequencer's pair if the position is durable. */
  public void confirm(Position position, Consumer<Optional<ReadPoint>> then) {
    position(call -> new ConfirmRequest(call, position), then);
  }

  private void position(LongFunction<NodeMessage> request, Consumer<Optional<ReadPoint>> then) {
    ask(
        request,
        answer ->
            then.accept(
                answer.isPresent() && answer.get() instanceof PositionReply reply && reply.granted()
                    ? Optional.of(reply.point())
                    : Optional.empty()));
  }
}
