package org.ecstore.txn.qos.objective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.monitor.ServiceHistory;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Answer;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what applications are promised, on the node that leads: a {@link KeptBook}, one change at a
 * time. Where it is not known whether a change is done, the book says so by the request's id.
 */
public class ObjectiveKeeper {
  /** Where the objectives are kept in coordination. */
  public static final String KEY = "objectives";

  private static final String TAKEN = "it is kept";
  private static final int WAITING_MAX = 64;

  /** What is not done by then is put off: who asked may ask again. */
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  private record Waiting(
      AdminRequest.OfObjectives request, long id, long decision, long untilNanos) {}

  /** How long an answer is good for. */
  private static final long ANSWER_NANOS = 1_000_000_000L;

  /** Says whether what is asked for can be given. */
  public interface Acceptance {
    /** Whether it can. */
    Answer answer(AdminRequest.OfObjectives request);

    /**
     * What is said of it.
     *
     * @param why it cannot be given, with what would fit; or by what it was found that it can,
     *     empty where that was not asked
     */
    record Answer(boolean isAccepted, String why) {
      /** Nothing speaks against it. */
      public static final Answer ACCEPTED = new Answer(true, "");
    }
  }

  private record Answered(ObjectiveBook book, long nanos, Objectives answer) {}

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final KeptBook<ObjectiveBook> kept;
  private final Decisions decisions;
  private final ServiceHistory history;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private Acceptance acceptance = _ -> Answer.ACCEPTED;
  private Supplier<List<QuotaLine>> quotas = List::of;
  private @Nullable Answered answered;

  /**
   * A keeper of nothing yet.
   *
   * @param leads whether this node leads
   * @param slotNanos how long the slots are in which it keeps what clients have had
   * @param decisions where it says what became of requests
   */
  public ObjectiveKeeper(
      NodeContext context,
      BooleanSupplier leads,
      long retryNanos,
      long slotNanos,
      Decisions decisions) {
    this.context = context;
    this.leads = leads;
    this.kept =
        new KeptBook<>(
            context, KEY, ObjectiveBookCodec.FORM_OF_BOOK, leads, retryNanos, new Changes());
    this.decisions = decisions;
    this.history = new ServiceHistory(context::nanos, slotNanos);
  }

  /** From now on requests are held against this. */
  public void acceptance(Acceptance other) {
    acceptance = other;
  }

  /** Who knows what applications with quotas hold. */
  public void quotas(Supplier<List<QuotaLine>> lines) {
    quotas = lines;
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void start() {
    waiting.clear();
    history.clear();
    answered = null;
    kept.start();
  }

  /** Coordination says that the value is another. */
  public void changed() {
    kept.changed();
  }

  /** The objectives that stand, and their last changes; absent while they are not known here. */
  public Optional<Objectives> objectives() {
    return kept.book().map(this::answer);
  }

  /** Any client may ask, at any rate, and figures of many are many to add up. */
  private Objectives answer(ObjectiveBook book) {
    long now = context.nanos();
    Answered last = answered;
    if (last != null && last.book().equals(book) && now - last.nanos() < ANSWER_NANOS) {
      return last.answer();
    }
    Answered fresh = new Answered(book, now, added(book));
    answered = fresh;
    return fresh.answer();
  }

  private Objectives added(ObjectiveBook book) {
    return new Objectives(
        context.self(),
        book.promises().stream()
            .map(
                promise ->
                    new ObjectiveLine(
                        promise.objective(),
                        promise.sinceMillis(),
                        history.recent(promise.objective()),
                        history.slots(promise.objective())))
            .toList(),
        book.changes().stream()
            .map(
                change ->
                    new ObjectiveChangeLine(
                        change.number(), change.atMillis(), change.removed(), change.objective()))
            .toList(),
        quotas.get());
  }

  /** A node says what clients had of the cluster. */
  public void served(List<ApplicationSample> samples) {
    if (leads.getAsBoolean()) {
      history.take(samples);
    }
  }

  /** Takes a request, with an id or 0; the number of the decision about it. */
  public long add(AdminRequest.OfObjectives request, long id) {
    long decision =
        decisions.open(
            context.nanos(), Cause.OPERATOR, List.of(), ObjectiveText.of(request), "", id);
    if (waiting.size() >= WAITING_MAX) {
      end(decision, Outcome.REFUSED, WAITING_MAX + " other requests wait");
    } else {
      waiting.addLast(new Waiting(request, id, decision, context.nanos() + WAIT_NANOS_MAX));
      next();
    }
    return decision;
  }

  private void end(long decision, Outcome outcome, String detail) {
    decisions.end(decision, outcome, MapVersion.ZERO, detail);
  }

  private void putOffLate() {
    while (!waiting.isEmpty() && waiting.getFirst().untilNanos() - context.nanos() <= 0) {
      end(
          waiting.removeFirst().decision(),
          Outcome.PUT_OFF,
          "coordination does not take it: see whether ZooKeeper has a majority");
    }
  }

  private void refuseAll(String why) {
    context
        .ports()
        .log()
        .warn("the objectives in coordination cannot be read, and are kept: " + why);
    while (!waiting.isEmpty()) {
      end(
          waiting.removeFirst().decision(),
          Outcome.REFUSED,
          "the objectives in coordination cannot be read by this release");
    }
  }

  /** Does what is asked for, in its order, as far as it can be done at once. */
  private void next() {
    while (kept.isReady() && !waiting.isEmpty()) {
      Waiting first = waiting.getFirst();
      ObjectiveBook book = kept.book().orElse(ObjectiveBook.EMPTY);
      if (isDone(book, first.id())) {
        over(Outcome.DONE, TAKEN);
        continue;
      }
      if (book.has(first.request())) {
        over(Outcome.DONE, "it is as it was");
        continue;
      }
      Answer answer =
          book.refusal(first.request())
              .map(why -> new Answer(false, why))
              .orElseGet(() -> acceptance.answer(first.request()));
      if (answer.isAccepted()) {
        swap(book.after(first.request(), first.id()), answer.why());
      } else {
        over(Outcome.REFUSED, answer.why());
      }
    }
  }

  private void over(Outcome outcome, String detail) {
    end(waiting.removeFirst().decision(), outcome, detail);
  }

  private void swap(ObjectiveBook after, String why) {
    if (kept.fits(after)) {
      kept.swap(after, () -> over(Outcome.DONE, why.isEmpty() ? TAKEN : TAKEN + ": " + why));
    } else {
      over(
          Outcome.REFUSED,
          "objectives and their history would take more than %d bytes: name fewer tables"
              .formatted(KeptBook.BYTES_MAX));
    }
  }

  private final class Changes implements KeptBook.Listener {
    @Override
    public void ready() {
      next();
    }

    @Override
    public void waits() {
      putOffLate();
    }

    @Override
    public void unreadable(String why) {
      refuseAll(why);
    }

    @Override
    public boolean isTaken(CoordinationResult result) {
      return ObjectiveKeeper.this.isTaken(result);
    }
  }

  /** What applications are promised; absent while that is not known here. */
  public Optional<ObjectiveBook> book() {
    return kept.book();
  }

  /** What their clients have had. */
  public ServiceHistory history() {
    return history;
  }

  /** Whether coordination has a change for certain. */
  @RuleSeam(15)
  protected boolean isTaken(CoordinationResult result) {
    return result instanceof CoordinationResult.Swapped;
  }

  /** Whether a request was done before: by this keeper, which did not hear of it, or another. */
  @RuleSeam(15)
  protected boolean isDone(ObjectiveBook book, long request) {
    return book.ofRequest(request).isPresent();
  }
}
