package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.sequencer.SequencerLink;

/**
 * Where snapshots begin (rule 9), by level.
 *
 * <p>A bounded snapshot begins where the sequencer's last strong answer to this node was, if that
 * was asked for within the lag; otherwise the sequencer is asked again, once for all who wait. So
 * it holds everything that was acknowledged before the question, not what happened to arrive here
 * since, and being a little old it is more likely to be known to secondaries. The lag is the only
 * thing measured on this node's clock: which commits the snapshot holds, and that it is one moment,
 * does not depend on it.
 */
public class SnapshotBegins {
  private static final int WAITING_MAX = 10_000;

  private static final ClientReply.Refused TOO_MANY =
      new ClientReply.Refused(RefusalCode.UNAVAILABLE, "too many wait for the sequencer");

  private static final ClientReply.Refused SILENT =
      new ClientReply.Refused(RefusalCode.UNAVAILABLE, "the sequencer does not answer");

  /** A node that was just started knows nothing: it would show an empty store. */
  private static final ReadPoint SOME_MAP = new ReadPoint(Position.ZERO, new MapVersion(1));

  private static final long NANOS_PER_MILLI = 1_000_000L;

  /** A position that holds all that was acknowledged before a moment of this node's clock. */
  private record Fresh(long askedNanos, Position position) {}

  private record Waiting(
      ReadPoint token,
      long untilNanos,
      Consumer<ReadPoint> then,
      Consumer<ClientReply.Refused> refused) {}

  /** Who waits for an answer of the sequencer, and what it does with the position. */
  private record Asker(Waiting waiting, Consumer<Position> then) {}

  /** Where local snapshots begin, and by which copies that was found out when. */
  private record Local(long nanos, long copyChanges, Optional<Position> position) {}

  /** One question to the sequencer, and who waits for its answer. */
  private static final class Question {
    final long askedNanos;
    final List<Asker> askers;

    Question(long askedNanos, List<Asker> askers) {
      this.askedNanos = askedNanos;
      this.askers = askers;
    }
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final SequencerLink sequencer;
  private final ReadBarrier positions;
  private final long localNanos;
  private Optional<Local> local = Optional.empty();
  private Optional<Fresh> fresh = Optional.empty();
  private Optional<Question> underWay = Optional.empty();
  private List<Asker> next = new ArrayList<>();

  /**
   * Those of a node.
   *
   * @param localNanos how old a local snapshot's position may be
   */
  public SnapshotBegins(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      SequencerLink sequencer,
      ReadBarrier positions,
      long localNanos) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.sequencer = sequencer;
    this.positions = positions;
    this.localNanos = localNanos;
  }

  /** Fixes a point at a level, for a session that has seen the token, or refuses. */
  void start(
      ReadLevel level,
      ReadPoint token,
      long untilNanos,
      Consumer<ReadPoint> then,
      Consumer<ClientReply.Refused> refused) {
    Waiting asker = new Waiting(token, untilNanos, then, refused);
    switch (level.kind()) {
      case LOCAL ->
          ledgerView.await(
              SOME_MAP,
              untilNanos,
              () -> then.accept(local()),
              () -> refused.accept(ReadBarrier.NOT_REACHED));
      case SESSION -> session(asker);
      case BOUNDED -> bounded(asker, level.lagMillis() * NANOS_PER_MILLI);
      case STRONG -> ask(new Asker(asker, _ -> session(asker)), Optional.empty());
    }
  }

  /**
   * As {@link #start}, for a snapshot that a copy here has to be read at first. What a session is
   * promised is what it has seen; so where the copy has that, it begins where the copy is closed,
   * if that is below D: the copy could not answer at D yet.
   *
   * @param closedHere of that copy; absent for a primary, which answers at D
   */
  void startNear(
      ReadLevel level,
      ReadPoint token,
      Optional<Position> closedHere,
      long untilNanos,
      Consumer<ReadPoint> then,
      Consumer<ClientReply.Refused> refused) {
    ReadPoint known = withSomeMap(seen(token));
    if (level.kind() == ReadLevel.Kind.SESSION
        && closedHere.isPresent()
        && hasSeenNoMore(known, closedHere.get())) {
      then.accept(at(Position.min(closedHere.get(), ledgerView.adopted().position())));
    } else {
      start(level, token, untilNanos, then, refused);
    }
  }

  /** Whether a session that has seen a point may begin where a copy is closed. */
  @RuleSeam(9)
  protected boolean hasSeenNoMore(ReadPoint seen, Position closed) {
    return ledgerView.covers(seen) && seen.position().isAtOrBelow(closed);
  }

  /**
   * The least closed position of the copies here that answer reads, as far as none of them has
   * forgotten it; as of up to {@code localNanos} ago, so that a snapshot does not cost a look at
   * every copy. That is right by the rules: a closed position stays closed (rule 11), so what could
   * be answered then can be answered now (rule 10); whom nothing is promised of what others have
   * committed meanwhile, or it itself, is who asks for LOCAL (rule 9). Only a copy that begins to
   * answer, or forgets, since then may be closed below it, or not reach so far back: then it is
   * looked again.
   */
  private ReadPoint local() {
    long now = context.nanos();
    Local known =
        local
            .filter(one -> one.copyChanges() == copies.changes())
            .filter(one -> now - one.nanos() < localNanos)
            .orElseGet(() -> new Local(now, copies.changes(), readableHere()));
    local = Optional.of(known);
    return at(known.position().orElse(ledgerView.adopted().position()));
  }

  private Optional<Position> readableHere() {
    Optional<Position> closed = Optional.empty();
    Position base = Position.ZERO;
    for (Copy copy : copies.all()) {
      if (copy.serving() || copy.following()) {
        Position here = copies.closed(copy);
        closed = Optional.of(closed.map(least -> Position.min(least, here)).orElse(here));
        base = Position.max(base, copy.base());
      }
    }
    Position greatest = base;
    return closed.map(least -> Position.max(least, greatest));
  }

  /** What the session has seen, to be waited for. */
  @RuleSeam(9)
  protected ReadPoint seen(ReadPoint token) {
    return token;
  }

  /** A position that holds all that was acknowledged longer ago than a lag, if one is at hand. */
  @RuleSeam(9)
  protected Optional<Position> freshWithin(long lagNanos) {
    return fresh
        .filter(answer -> context.nanos() - answer.askedNanos() <= lagNanos)
        .map(Fresh::position);
  }

  private static ReadPoint withSomeMap(ReadPoint point) {
    return new ReadPoint(
        point.position(), MapVersion.max(point.mapVersion(), SOME_MAP.mapVersion()));
  }

  private ReadPoint at(Position position) {
    return new ReadPoint(position, ledgerView.adopted().mapVersion());
  }

  private void session(Waiting asker) {
    positions.reach(
        withSomeMap(seen(asker.token())),
        asker.untilNanos(),
        () -> asker.then().accept(ledgerView.adopted()),
        asker.refused());
  }

  private void bounded(Waiting asker, long lagNanos) {
    Optional<Position> atHand = freshWithin(lagNanos);
    if (atHand.isPresent()) {
      boundedAt(asker, atHand.get());
    } else {
      ask(new Asker(asker, position -> boundedAt(asker, position)), Optional.of(lagNanos));
    }
  }

  /**
   * Asks the sequencer for a position that holds all that was acknowledged before now, or longer
   * ago than a lag. One question is under way at a time. Those that it does not serve go with the
   * next, all together: a sequencer, and its ledger, have the same to do for many as for one.
   */
  private void ask(Asker asker, Optional<Long> lagNanos) {
    if (underWay.isEmpty()) {
      send(new ArrayList<>(List.of(asker)));
      return;
    }
    Question question = underWay.get();
    List<Asker> askers = serves(question.askedNanos, lagNanos) ? question.askers : next;
    if (askers.size() >= WAITING_MAX) {
      asker.waiting().refused().accept(TOO_MANY);
    } else {
      askers.add(asker);
    }
  }

  /**
   * Whether a question that was sent before serves who asks now: who wants all that was
   * acknowledged until now waits for one that is sent later (rule 9).
   */
  @RuleSeam(9)
  protected boolean serves(long askedNanos, Optional<Long> lagNanos) {
    return lagNanos.isPresent() && context.nanos() - askedNanos <= lagNanos.get();
  }

  /** The sequencer appends before it answers, so that one who is deposed cannot (rule 9). */
  private void send(List<Asker> askers) {
    Question question = new Question(context.nanos(), askers);
    underWay = Optional.of(question);
    sequencer.strong(answer -> answered(question, answer));
  }

  private void answered(Question question, Optional<ReadPoint> answer) {
    underWay = Optional.empty();
    if (!next.isEmpty()) {
      List<Asker> askers = next;
      next = new ArrayList<>();
      send(askers);
    }
    for (Asker asker : question.askers) {
      if (answer.isPresent()) {
        reached(asker, answer.get(), question.askedNanos);
      } else {
        asker.waiting().refused().accept(SILENT);
      }
    }
  }

  private void reached(Asker asker, ReadPoint point, long askedNanos) {
    ledgerView.await(
        point,
        asker.waiting().untilNanos(),
        () -> {
          remember(new Fresh(askedNanos, point.position()));
          asker.then().accept(point.position());
        },
        () -> asker.waiting().refused().accept(ReadBarrier.NOT_REACHED));
  }

  private void remember(Fresh news) {
    if (fresh.isEmpty() || news.askedNanos() - fresh.get().askedNanos() > 0) {
      fresh = Optional.of(news);
    }
  }

  private void boundedAt(Waiting asker, Position position) {
    positions.reach(
        asker.token(),
        asker.untilNanos(),
        () -> asker.then().accept(at(Position.max(asker.token().position(), position))),
        asker.refused());
  }
}
