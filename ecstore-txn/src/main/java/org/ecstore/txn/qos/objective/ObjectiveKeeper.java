package org.ecstore.txn.qos.objective;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.qos.monitor.ServiceHistory;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;
import org.ecstore.wire.MalformedMessageException;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what applications are promised, on the node that leads: one value in coordination, changed
 * by compare-and-set, one change at a time. A change is done when coordination has taken it; where
 * that is not known the value is read again, which says by the request's id whether it has.
 *
 * <p>Who comes to lead reads what there is. A predecessor whose last change comes late makes the
 * next one of this keeper fail, which then reads again: no change is lost, and none is made twice.
 */
public class ObjectiveKeeper {
  /** Where the objectives are kept in coordination. */
  public static final String KEY = "objectives";

  private static final String TAKEN = "it is kept";
  private static final int WAITING_MAX = 64;

  /** How much longer to wait where the value cannot be read, which people have to mend. */
  private static final int UNREADABLE_WAITS = 100;

  /** What is not done by then is put off: who asked may ask again. */
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  /** Of the value: a request for more is refused. Coordination takes four times as much. */
  private static final int BYTES_MAX = 256 << 10;

  private record Waiting(
      AdminRequest.OfObjectives request, long id, long decision, long untilNanos) {}

  /** How long an answer is good for. */
  private static final long ANSWER_NANOS = 1_000_000_000L;

  private record Answered(ObjectiveBook book, long nanos, Objectives answer) {}

  private record Loaded(long version, ObjectiveBook book) {}

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final long retryNanos;
  private final Decisions decisions;
  private final ServiceHistory history;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private Optional<Loaded> loaded = Optional.empty();
  private @Nullable Answered answered;
  private boolean busy;
  private long term;

  /**
   * A keeper of nothing yet.
   *
   * @param leads whether this node leads
   * @param decisions where it says what became of requests
   */
  public ObjectiveKeeper(
      NodeContext context, BooleanSupplier leads, long retryNanos, Decisions decisions) {
    this.context = context;
    this.leads = leads;
    this.retryNanos = retryNanos;
    this.decisions = decisions;
    this.history = new ServiceHistory(context::nanos);
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void start() {
    term++;
    waiting.clear();
    history.clear();
    answered = null;
    loaded = Optional.empty();
    busy = false;
    load();
  }

  /** Coordination says that the value is another. */
  public void changed() {
    if (!busy && leads.getAsBoolean()) {
      load();
    }
  }

  /** The objectives that stand, and their last changes; absent while they are not known here. */
  public Optional<Objectives> objectives() {
    return leads.getAsBoolean() ? loaded.map(known -> answer(known.book())) : Optional.empty();
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
            .toList());
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

  private void load() {
    busy = true;
    loaded = Optional.empty();
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().get(token, KEY),
        result -> {
          if (mine != term || !leads.getAsBoolean()) {
            return;
          }
          busy = false;
          if (result instanceof CoordinationResult.Stored stored) {
            take(stored);
          } else {
            retry(retryNanos);
          }
        });
  }

  private void retry(long afterNanos) {
    busy = true;
    long mine = term;
    context.after(
        afterNanos,
        () -> {
          if (mine == term && leads.getAsBoolean()) {
            load();
          }
        });
    putOffLate();
  }

  private void putOffLate() {
    while (!waiting.isEmpty() && waiting.getFirst().untilNanos() - context.nanos() <= 0) {
      end(
          waiting.removeFirst().decision(),
          Outcome.PUT_OFF,
          "coordination does not take it: see whether ZooKeeper has a majority");
    }
  }

  private void take(CoordinationResult.Stored stored) {
    Optional<Bytes> value = stored.value();
    try {
      ObjectiveBook book = value.map(ObjectiveBookCodec::decode).orElse(ObjectiveBook.EMPTY);
      loaded = Optional.of(new Loaded(stored.version(), book));
      context.ports().coordination().watch(KEY);
      next();
    } catch (MalformedMessageException e) {
      context
          .ports()
          .log()
          .warn("the objectives in coordination cannot be read, and are kept: " + e.getMessage());
      while (!waiting.isEmpty()) {
        end(
            waiting.removeFirst().decision(),
            Outcome.REFUSED,
            "the objectives in coordination cannot be read by this release");
      }
      retry(retryNanos * UNREADABLE_WAITS);
    }
  }

  /** Does what is asked for, in its order, as far as it can be done at once. */
  private void next() {
    while (!busy && loaded.isPresent() && !waiting.isEmpty()) {
      Waiting first = waiting.getFirst();
      ObjectiveBook book = loaded.get().book();
      Optional<String> refusal = book.refusal(first.request());
      if (isDone(book, first.id())) {
        over(Outcome.DONE, TAKEN);
      } else if (refusal.isPresent()) {
        over(Outcome.REFUSED, refusal.get());
      } else if (book.has(first.request())) {
        over(Outcome.DONE, "it is as it was");
      } else {
        swap(loaded.get(), book.after(first.request(), first.id()));
      }
    }
  }

  private void over(Outcome outcome, String detail) {
    end(waiting.removeFirst().decision(), outcome, detail);
  }

  private void swap(Loaded before, ObjectiveBook after) {
    Bytes value = ObjectiveBookCodec.encode(after);
    if (value.length() > BYTES_MAX) {
      over(
          Outcome.REFUSED,
          "objectives and their history would take %d bytes, and may take %d: name fewer tables"
              .formatted(value.length(), BYTES_MAX));
      return;
    }
    busy = true;
    long mine = term;
    context.coordination(
        token -> context.ports().coordination().compareAndSet(token, KEY, before.version(), value),
        result -> {
          if (mine != term || !leads.getAsBoolean()) {
            return;
          }
          busy = false;
          if (isTaken(result)) {
            over(Outcome.DONE, TAKEN);
          }
          if (result instanceof CoordinationResult.Swapped swapped) {
            loaded = Optional.of(new Loaded(swapped.version(), after));
            context.ports().coordination().watch(KEY);
            next();
          } else {
            // Another value is there, or it is not known which one: it says what was done.
            retry(retryNanos);
          }
        });
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
