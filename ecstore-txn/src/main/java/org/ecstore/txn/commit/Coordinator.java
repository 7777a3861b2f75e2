package org.ecstore.txn.commit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.ecstore.core.ledger.LedgerRecord.RangeVote;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.metrics.CommitStage;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest.Commit;
import org.ecstore.protocol.RequestWeight;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.Outcome;
import org.ecstore.txn.message.TxnMessage.Decided;
import org.ecstore.txn.message.TxnMessage.Release;
import org.ecstore.txn.message.TxnMessage.VoteReply;
import org.ecstore.txn.message.TxnMessage.VoteRequest;
import org.ecstore.txn.sequencer.SequencerLink;
import org.ecstore.wire.Limits;

/**
 * Runs commits for clients (ecStore B.5, Algorithm 2; rules 1, 2, 5): asks every participant to
 * vote, submits to the sequencer, and tells client and participants what the durable record says.
 * Before it submits it may give up and let go of the intents; from the submission on only a record
 * decides.
 */
public class Coordinator {
  /**
   * Timing and bounds; times in nanoseconds.
   *
   * @param runningMin commits that may run whatever happens
   * @param runningMax commits that may run at most; in between, as many as records decided within a
   *     second; while none did, at most
   */
  public record Bounds(
      long voteTimeoutNanos, long submitAgainNanos, int runningMin, int runningMax) {}

  /** Pauses after refusals for want of room double so often at most. */
  private static final int REFUSALS_MAX = 2;

  private static final int REMEMBERED_MAX = 65_536;

  /** When what finds no room may try again. */
  private static final int AGAIN_MILLIS = 100;

  private enum Phase {
    /** Votes are out; nothing was submitted. */
    VOTING,
    /** Submitted: only a durable record decides. */
    SUBMITTED,
    /** The client has its answer. */
    DONE
  }

  private static final class Part {
    final RangeDescriptor range;
    final List<KeyRange> intervals = new ArrayList<>();
    List<Bytes> reads = List.of();
    List<KeyWrite> writes = List.of();
    boolean voted;
    boolean refused;

    Part(RangeDescriptor range) {
      this.range = range;
    }

    /** Keys written by operations, which do not regard what they were (rule 28), or by others. */
    List<Bytes> keys(boolean byOperations) {
      return writes.stream()
          .filter(write -> write.mutation().isOperation() == byOperations)
          .map(KeyWrite::key)
          .toList();
    }

    /** What it takes of the participant's memory until its writes are in the engine. */
    long weight() {
      long bytes = RequestWeight.ofWrites(writes);
      for (Bytes key : reads) {
        bytes += key.length() + Limits.ITEM_HEAP_BYTES;
      }
      return bytes + (long) intervals.size() * Limits.ITEM_HEAP_BYTES;
    }
  }

  private static final class Running {
    final Commit commit;
    final long untilNanos;
    final Consumer<ClientReply> reply;
    final Map<RangeId, Part> parts = new TreeMap<>();
    final long begunNanos;
    long submittedNanos;
    Phase phase = Phase.VOTING;
    int votes;

    /** How often the sequencer has said that it has no room. */
    int refusals;

    Running(Commit commit, long begunNanos, long untilNanos, Consumer<ClientReply> reply) {
      this.commit = commit;
      this.begunNanos = begunNanos;
      this.untilNanos = untilNanos;
      this.reply = reply;
    }

    TxnId txn() {
      return commit.txn();
    }
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final SequencerLink sequencer;
  private final Bounds bounds;
  private final CommitSlots admission;
  private final CommitMetrics metrics;
  private final Map<TxnId, Running> running = new TreeMap<>();
  private final Map<TxnId, Boolean> seen = new LinkedHashMap<>();

  public Coordinator(
      NodeContext context, LedgerView ledgerView, SequencerLink sequencer, Bounds bounds) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.sequencer = sequencer;
    this.bounds = bounds;
    this.admission = new CommitSlots(bounds.runningMin(), bounds.runningMax());
    this.metrics = new CommitMetrics(context.metrics());
  }

  /** Commits in progress. */
  public int running() {
    return running.size();
  }

  /**
   * Runs a commit whose point is at or below D. An id is taken once: a second request under it is
   * answered as unknown, for the first may have been given up without a record. So is one that
   * another coordinator has taken, by what participants and the sequencer say (decision 0118).
   */
  public void commit(Commit commit, long untilNanos, Consumer<ClientReply> reply) {
    begin(
        commit,
        untilNanos,
        answer -> {
          metrics.ended(answer);
          reply.accept(answer);
        });
  }

  private void begin(Commit commit, long untilNanos, Consumer<ClientReply> reply) {
    if (!takeOnce(commit.txn())) {
      reply.accept(new ClientReply.OutcomeUnknown("this transaction id was used before"));
      return;
    }
    if (ledgerView.map().version().equals(MapVersion.ZERO)) {
      reply.accept(aborted(new AbortReason.NotReachable("this node does not know the ranges yet")));
      return;
    }
    if (!admission.admits(running.size(), context.nanos())) {
      String detail = running.size() + " commits run on this node, as many as it ends in time";
      reply.accept(new ClientReply.Refused(RefusalCode.OVERLOADED, detail));
      return;
    }
    Running one = new Running(commit, context.nanos(), untilNanos, reply);
    divide(one, ledgerView.map());
    running.put(one.txn(), one);
    for (Part part : one.parts.values()) {
      askVote(one, part);
    }
    if (one.parts.isEmpty()) {
      finish(one, new ClientReply.Committed(commit.point().position(), commit.point()));
    }
  }

  private boolean takeOnce(TxnId txn) {
    if (seen.putIfAbsent(txn, Boolean.TRUE) != null) {
      return false;
    }
    if (seen.size() > REMEMBERED_MAX) {
      seen.remove(seen.keySet().iterator().next());
    }
    return true;
  }

  /** Keys ascend, so that those of one range are next to each other. */
  private static void divide(Running one, RangeMap map) {
    Commit commit = one.commit;
    divide(one, map, commit.reads(), Function.identity(), (part, keys) -> part.reads = keys);
    divide(one, map, commit.writes(), KeyWrite::key, (part, writes) -> part.writes = writes);
    for (KeyRange interval : commit.intervals()) {
      for (RangeDescriptor range : map.overlapping(interval)) {
        KeyRange piece = range.keys().intersection(interval).orElseThrow();
        part(one, Optional.of(range)).ifPresent(part -> part.intervals.add(piece));
      }
    }
  }

  private static <T> void divide(
      Running one,
      RangeMap map,
      List<T> ascending,
      Function<T, Bytes> keyOf,
      BiConsumer<Part, List<T>> into) {
    int from = 0;
    while (from < ascending.size()) {
      Optional<RangeDescriptor> range = map.rangeOf(keyOf.apply(ascending.get(from)));
      int to = range.isPresent() ? endOf(range.get().keys(), ascending, keyOf, from) : from + 1;
      List<T> there = ascending.subList(from, to);
      part(one, range).ifPresent(part -> into.accept(part, there));
      from = to;
    }
  }

  /** The first that is not in the range any more, by halves. */
  private static <T> int endOf(
      KeyRange keys, List<T> ascending, Function<T, Bytes> keyOf, int from) {
    int within = from;
    int beyond = ascending.size();
    while (beyond - within > 1) {
      int middle = (within + beyond) >>> 1;
      if (keys.isBelowEnd(keyOf.apply(ascending.get(middle)))) {
        within = middle;
      } else {
        beyond = middle;
      }
    }
    return beyond;
  }

  private static Optional<Part> part(Running one, Optional<RangeDescriptor> range) {
    return range.map(found -> one.parts.computeIfAbsent(found.id(), _ -> new Part(found)));
  }

  private void askVote(Running one, Part part) {
    Commit commit = one.commit;
    long timeout = Math.min(bounds.voteTimeoutNanos(), one.untilNanos - context.nanos());
    context.ask(
        part.range.primary(),
        call ->
            new VoteRequest(
                call,
                commit.txn(),
                context.incarnation(),
                commit.point(),
                commit.isolation(),
                part.range.id(),
                part.range.epoch(),
                part.reads,
                part.intervals,
                part.keys(false),
                part.keys(true),
                part.weight()),
        Math.max(1, timeout),
        answer -> voted(one, part, answer));
  }

  private void voted(Running one, Part part, Optional<NodeMessage> answer) {
    if (one.phase != Phase.VOTING) {
      return;
    }
    if (answer.isPresent() && answer.get() instanceof VoteReply vote) {
      if (vote.no().isPresent()) {
        part.refused = true;
        giveUp(one, vote.no().get());
      } else {
        if (!part.voted) {
          part.voted = true;
          one.votes++;
        }
        if (one.votes == one.parts.size()) {
          one.phase = Phase.SUBMITTED;
          one.submittedNanos = context.nanos();
          metrics.took(CommitStage.VOTES, one.submittedNanos - one.begunNanos);
          submit(one);
        }
      }
    } else {
      giveUp(one, new AbortReason.NotReachable("no vote from " + part.range.primary()));
    }
  }

  private void giveUp(Running one, AbortReason reason) {
    release(one);
    if (reason instanceof AbortReason.Conflict conflict
        && conflict.other().filter(one.txn()::equals).isPresent()) {
      // What another coordinator does under this id may be committed: it is not aborted.
      finish(one, inDoubt(Outcome.NotNow.USED_ELSEWHERE.detail()));
      return;
    }
    finish(one, reason instanceof AbortReason.NoRoom noRoom ? refused(noRoom) : aborted(reason));
  }

  private void release(Running one) {
    for (Part part : one.parts.values()) {
      if (!part.refused) {
        context.send(
            part.range.primary(), new Release(one.txn(), part.range.id(), context.incarnation()));
      }
    }
  }

  /** What has not been submitted is refused as if it had not been begun. */
  private static ClientReply refused(AbortReason.NoRoom noRoom) {
    return noRoom.ever()
        ? new ClientReply.Refused(RefusalCode.OVERLOADED, noRoom.detail(), AGAIN_MILLIS)
        : new ClientReply.Refused(RefusalCode.TOO_LARGE, noRoom.detail());
  }

  private void submit(Running one) {
    List<RangeVote> votes =
        one.parts.values().stream()
            .map(part -> new RangeVote(part.range.id(), part.range.epoch()))
            .toList();
    sequencer.submit(
        new SequencerLink.Submission(
            one.txn(),
            one.commit.point(),
            one.commit.isolation(),
            votes,
            one.commit.writes(),
            one.commit.catalog().orElse(CatalogStamp.at(0))),
        outcome -> settled(one, outcome));
  }

  private void settled(Running one, Outcome outcome) {
    switch (outcome) {
      case Outcome.Committed committed -> {
        long now = context.nanos();
        admission.ended(now);
        metrics.took(CommitStage.LEDGER, now - one.submittedNanos);
        committed(one, committed.number());
      }
      case Outcome.Aborted aborted -> {
        admission.ended(context.nanos());
        tell(one, Optional.empty());
        AbortReason reason =
            aborted
                .changed()
                .<AbortReason>map(AbortReason.RangeChanged::new)
                .orElseGet(AbortReason.SettledByAsker::new);
        finish(one, aborted(reason));
      }
      case Outcome.CatalogChanged changed -> {
        admission.ended(context.nanos());
        tell(one, Optional.empty());
        finish(one, catalogChanged(one.commit, changed.version()));
      }
      case Outcome.Expired expired -> finish(one, new ClientReply.OutcomeExpired(expired.floor()));
      case Outcome.NotNow notNow when notNow.equals(Outcome.NotNow.USED_ELSEWHERE) -> {
        release(one);
        finish(one, inDoubt(notNow.detail()));
      }
      case Outcome.NotNow notNow -> {
        long pause = bounds.submitAgainNanos();
        if (notNow.isOfSequencer()) {
          // It has no room: all that wait for some are not to ask for it all the time.
          pause <<= Math.min(one.refusals++, REFUSALS_MAX);
        } else {
          admission.away();
        }
        if (one.untilNanos - context.nanos() <= pause) {
          finish(one, inDoubt(notNow.detail()));
        } else {
          context.after(pause, () -> submit(one));
        }
      }
    }
  }

  /** A client that names no version cannot learn of the one that it is to name (rule 27). */
  private ClientReply catalogChanged(Commit commit, long version) {
    return commit.catalog().isPresent()
        ? aborted(new AbortReason.CatalogChanged(version))
        : new ClientReply.Refused(
            RefusalCode.BAD_REQUEST,
            "the store has a catalog, and this client is older than catalogs: take one of 0.19 or"
                + " later");
  }

  /** Rule 5: once submitted, no answer in time means that nothing is known. */
  @RuleSeam(5)
  protected ClientReply inDoubt(String detail) {
    return new ClientReply.OutcomeUnknown(detail);
  }

  private void committed(Running one, Position number) {
    tell(one, Optional.of(number));
    ReadPoint needed = new ReadPoint(number, one.commit.point().mapVersion());
    ledgerView.await(
        needed,
        one.untilNanos,
        () -> finish(one, new ClientReply.Committed(number, ledgerView.adopted())),
        () -> finish(one, new ClientReply.OutcomeUnknown("committed, but this node lags behind")));
  }

  /** Participants apply and unmark in the background; what gets lost they ask for themselves. */
  private void tell(Running one, Optional<Position> number) {
    for (Part part : one.parts.values()) {
      context.send(
          part.range.primary(),
          new Decided(
              one.txn(), part.range.id(), number, number.isPresent() ? part.writes : List.of()));
    }
  }

  private void finish(Running one, ClientReply reply) {
    if (one.phase != Phase.DONE) {
      one.phase = Phase.DONE;
      running.remove(one.txn());
      if (reply instanceof ClientReply.Committed) {
        metrics.took(CommitStage.WHOLE, context.nanos() - one.begunNanos);
      }
      one.reply.accept(reply);
    }
  }

  private ClientReply aborted(AbortReason reason) {
    return new ClientReply.Aborted(reason, ledgerView.adopted());
  }
}
