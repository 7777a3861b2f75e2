package org.ecstore.txn.qos.objective;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.qos.book.BookRequests;
import org.ecstore.txn.qos.book.BookStep;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.monitor.ServiceHistory;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Answer;
import org.ecstore.txn.steward.decision.Decisions;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what applications are promised, on the node that leads: a {@link KeptBook}, one change at a
 * time. Where it is not known whether a change is done, the book says so by the request's id.
 */
public class ObjectiveKeeper {
  /** Where the objectives are kept in coordination. */
  public static final String KEY = "objectives";

  private static final String UNREADABLE = "the objectives in coordination cannot be read";
  private static final int WAITING_MAX = 64;

  /** How long an answer is good for. */
  private static final long ANSWER_NANOS = 1_000_000_000L;

  /** Says whether what is asked for can be given. */
  public interface Acceptance {
    /** Whether it can. */
    Answer answer(AdminRequest.OfObjectives request);

    /** Whether something can be given. */
    enum Verdict {
      YES,
      NO,
      /** That cannot be said yet. */
      NOT_YET
    }

    /**
     * What is said of it.
     *
     * @param why it cannot be given, with what would fit; or by what it was found that it can,
     *     empty where that was not asked; or what is not known yet
     */
    record Answer(Verdict verdict, String why) {
      /** Nothing speaks against it. */
      public static final Answer ACCEPTED = new Answer(true, "");

      /** As above, where it can be said. */
      public Answer(boolean isAccepted, String why) {
        this(isAccepted ? Verdict.YES : Verdict.NO, why);
      }

      /** Whether it can be given for certain. */
      public boolean isAccepted() {
        return verdict == Verdict.YES;
      }
    }
  }

  private record Answered(ObjectiveBook book, long nanos, Objectives answer) {}

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final BookRequests<AdminRequest.OfObjectives, ObjectiveBook> requests;
  private final KeptBook<ObjectiveBook> kept;
  private final ServiceHistory history;
  private Acceptance acceptance = _ -> Answer.ACCEPTED;
  private Supplier<List<QuotaLine>> quotas = List::of;
  private Supplier<List<NodeHistoryLine>> nodes = List::of;
  private @Nullable Answered answered;

  /** As they were known last: which reports have room does not hang on coordination. */
  private List<Objective> standing = List.of();

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
    this.requests =
        new BookRequests<>(
            context,
            KEY,
            ObjectiveBookCodec.FORM_OF_BOOK,
            leads,
            retryNanos,
            decisions,
            WAITING_MAX,
            new BookRequests.Damage(UNREADABLE + ", and are kept", UNREADABLE + " by this release"),
            new Requested());
    this.kept = requests.book();
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

  /** Who knows what nodes had to do. */
  public void nodes(Supplier<List<NodeHistoryLine>> lines) {
    nodes = lines;
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void start() {
    requests.clear();
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
        quotas.get(),
        nodes.get());
  }

  /** A node says what clients had of the cluster. */
  public void served(List<ApplicationSample> samples) {
    if (leads.getAsBoolean()) {
      kept.book()
          .ifPresent(book -> standing = book.promises().stream().map(Promise::objective).toList());
      history.take(samples, standing);
    }
  }

  /** Takes a request, with an id or 0; the number of the decision about it. */
  public long add(AdminRequest.OfObjectives request, long id) {
    return requests.add(request, id, ObjectiveText.of(request), Optional.empty());
  }

  private BookStep<ObjectiveBook> step(
      ObjectiveBook book, AdminRequest.OfObjectives request, long id) {
    if (book.has(request)) {
      return BookStep.asItWas();
    }
    Answer answer =
        book.refusal(request)
            .map(why -> new Answer(false, why))
            .orElseGet(
                () -> book.asksNoMore(request) ? Answer.ACCEPTED : acceptance.answer(request));
    switch (answer.verdict()) {
      case NOT_YET -> {
        return new BookStep.NotYet<>(answer.why());
      }
      case NO -> {
        return BookStep.refused(answer.why());
      }
      case YES -> {}
    }
    ObjectiveBook after = book.after(request, id);
    if (!kept.fits(after)) {
      return BookStep.refused(
          "objectives and their history would take more than %d bytes: name fewer tables"
              .formatted(KeptBook.BYTES_MAX));
    }
    return answer.why().isEmpty()
        ? BookStep.kept(after)
        : BookStep.kept(after, BookStep.TAKEN + ": " + answer.why());
  }

  private final class Requested
      implements BookRequests.Keeper<AdminRequest.OfObjectives, ObjectiveBook> {
    @Override
    public boolean isDone(ObjectiveBook book, long id) {
      return ObjectiveKeeper.this.isDone(book, id);
    }

    @Override
    public BookStep<ObjectiveBook> step(
        ObjectiveBook book, AdminRequest.OfObjectives request, long id) {
      return ObjectiveKeeper.this.step(book, request, id);
    }

    @Override
    public boolean isTaken(CoordinationResult result) {
      return ObjectiveKeeper.this.isTaken(result);
    }
  }

  /** Looks again for what could not be said yet; called at intervals. */
  public void tick() {
    requests.lookAgain();
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
