package org.ecstore.replication.quorum;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;
import org.ecstore.replication.quorum.QuorumMessage.Held;
import org.ecstore.replication.quorum.QuorumMessage.Probe;
import org.ecstore.replication.quorum.QuorumMessage.Probed;
import org.ecstore.replication.quorum.QuorumMessage.Reach;
import org.ecstore.replication.quorum.QuorumMessage.Reached;
import org.ecstore.replication.view.LedgerView;

/**
 * Coordinates quorum reads (rule 13): asks R of the copies that count, one of them for the value
 * and the others for a digest; asks further ones in place of those that do not answer; takes the
 * newest answer; sees to it that W copies have that version before it is returned, so that no later
 * read returns an older one; and lets copies that were found behind catch up.
 *
 * <p>A version is a commit number and its writes are in the ledger. So to write back is to ask a
 * copy to close at that number: it takes the writes from its stream, or reads the ledger.
 *
 * <p>All answers of one attempt are under one {@code (range, epoch)}. If copies refuse it, or too
 * few answer, the read begins anew by the map as it is then, until its time is over.
 *
 * <p>Copies that have been taken out of the range, and a coordinator that has not heard of it,
 * agree on an epoch that is over. So while the copies are asked, the sequencer is asked which map
 * holds as of a moment after the read began ({@link NewestMap}); the answer waits for its word. If
 * the range has another epoch by that map, the read begins anew. If the word does not come in time,
 * the outcome says that it is not confirmed (decision 0047). Such an outcome is of a position at or
 * above what the client has seen; until the copies have that, the read goes on, and so does the
 * question.
 *
 * <p>Where the copies' engines differ, the value is asked of the one that reads best, and the
 * digests of those that do next: made for reading, in memory, made for writing (rule 23,
 * MyCassandra §3.2). One that was silent, or lacked what had just been written, comes last for a
 * while ({@link PassedOver}). Where none reads better than another, this node's own copy comes
 * first and the others take turns.
 *
 * <p>Those that are asked know of themselves alone what they have, but for the primary, to which
 * the others have said how far they are closed. So where more copies must have a version than are
 * asked, the primary is one of those (decision 0109): without its word each read would have to make
 * sure by asking the others.
 */
public class QuorumReads {
  /**
   * Times in nanoseconds.
   *
   * @param askNanos for one question to a copy
   * @param hedgeNanos after which further copies are asked
   * @param pauseNanos before what failed is tried again
   * @param confirmNanos how long the sequencer may take to say which map holds
   */
  public record Timing(long askNanos, long hedgeNanos, long pauseNanos, long confirmNanos) {}

  /** Brings this node's map up to date. */
  public interface NewestMap {
    /**
     * Runs {@code known} once this node has the map as of a moment after this call, or a later one;
     * or {@code silent} if that cannot be found out at present, or until a time. One of the two
     * runs, once.
     */
    void learn(long untilNanos, Runnable known, Runnable silent);
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final Timing timing;
  private final PassedOver passedOver = new PassedOver();
  private ToIntFunction<NodeId> readRank = _ -> 0;

  public QuorumReads(NodeContext context, LedgerView ledgerView, Timing timing) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.timing = timing;
  }

  /**
   * From now on copies are asked in the order of how well their nodes' engines read, the least
   * first (rule 23).
   */
  public void prefer(ToIntFunction<NodeId> rank) {
    readRank = rank;
  }

  /**
   * Reads a key by a right quorum; {@code then} runs once, at about the deadline at the latest.
   *
   * @param seen what the client has seen already; this node's D covers it
   */
  public void get(
      Bytes key,
      Quorum quorum,
      Position seen,
      NewestMap newestMap,
      long untilNanos,
      Consumer<QuorumOutcome> then) {
    Reading reading = new Reading(key, quorum, seen, newestMap, untilNanos, then);
    // Who calls may have waited until the deadline, or a little longer.
    long left = Math.max(0, untilNanos - context.nanos());
    reading.timeout = Optional.of(context.after(left, reading::tooLate));
    reading.begin();
  }

  /** For tests that plant a bug. */
  @RuleSeam(13)
  protected QuorumTally newTally() {
    return new QuorumTally();
  }

  /** Rule 13: whether a version must be on more copies before it is returned. */
  @RuleSeam(13)
  protected boolean mustWriteBack(Quorum quorum, int holders, int members) {
    return quorum.isStrict() && holders < Math.min(quorum.w(), members);
  }

  /**
   * Rule 13: whether it must be confirmed that the copies were the range's when the read began. A
   * read that may miss writes anyway, by its own W and R, says so without a question.
   */
  @RuleSeam(13)
  protected boolean mustConfirm(Quorum quorum) {
    return quorum.isStrict();
  }

  /**
   * Rule 13: whether an answer that is not confirmed has what its client has seen. The copies may
   * have been replaced since this node heard of the range last, and W others have what the client
   * was told, or read. As of a position at or above that, they miss nothing of it.
   */
  @RuleSeam(13)
  protected boolean hasSeen(Position seen, Position at) {
    return seen.isAtOrBelow(at);
  }

  /**
   * How many copies are to answer where there are so many. Of a range with more copies than N, as
   * while one is replaced, as many more answer: so that R still meets every W with W + R > N, of
   * every writer, and whatever W the reader itself would write with. To let only the first N count
   * instead would not do: who is first changes with the primary, and one that was replaced and does
   * not know it would still be asked.
   */
  @RuleSeam(13)
  protected int needed(Quorum quorum, int members) {
    return quorum.r() + Math.max(0, members - quorum.n());
  }

  /** What is known of the map that a read goes by. */
  private enum Confirmation {
    /** The sequencer is asked. */
    PENDING,
    /** The map of this node holds as of a moment after the read began; or it need not. */
    GIVEN,
    /** The sequencer has not answered in time. */
    MISSING
  }

  /** One read, over all its attempts. */
  private final class Reading {
    final Bytes key;
    final Quorum quorum;
    final Position seen;
    final NewestMap newestMap;
    final long untilNanos;
    final long confirmedByNanos;
    final Consumer<QuorumOutcome> then;
    Optional<NodeContext.Timer> timeout = Optional.empty();
    Confirmation confirmation;
    int attempts;
    boolean asking;
    boolean done;

    /** Of the attempt that is under way. */
    Optional<RangeDescriptor> asked = Optional.empty();

    /** What the copies have answered; it waits for the confirmation. */
    Optional<QuorumOutcome.Found> answer = Optional.empty();

    /** What it still wants, for people. */
    String lacking;

    Reading(
        Bytes key,
        Quorum quorum,
        Position seen,
        NewestMap newestMap,
        long untilNanos,
        Consumer<QuorumOutcome> then) {
      this.key = key;
      this.quorum = quorum;
      this.seen = seen;
      this.newestMap = newestMap;
      this.untilNanos = untilNanos;
      long confirmUntil = context.nanos() + timing.confirmNanos();
      this.confirmedByNanos = untilNanos - confirmUntil < 0 ? untilNanos : confirmUntil;
      this.then = then;
      this.confirmation = mustConfirm(quorum) ? Confirmation.PENDING : Confirmation.GIVEN;
      this.lacking = "too few copies have answered in time: asked for " + quorum;
    }

    void begin() {
      if (confirmation == Confirmation.PENDING) {
        confirm();
      }
      attempt();
    }

    private void confirm() {
      asking = true;
      long by = confirmation == Confirmation.MISSING ? untilNanos : confirmedByNanos;
      newestMap.learn(by, this::confirmed, this::notConfirmed);
    }

    /** An attempt that began by an older map counts if the range is still what it was. */
    private void confirmed() {
      confirmation = Confirmation.GIVEN;
      if (!done && asked.isPresent() && !isPresent(asked.get())) {
        again("range %s has changed hands".formatted(asked.get().id()));
      } else {
        answer.ifPresent(this::end);
      }
    }

    private boolean isPresent(RangeDescriptor range) {
      return ledgerView
          .map()
          .rangeOf(key)
          .filter(now -> now.id().equals(range.id()) && now.epoch().equals(range.epoch()))
          .isPresent();
    }

    private void notConfirmed() {
      asking = false;
      if (done) {
        return;
      }
      if (context.nanos() + timing.pauseNanos() - confirmedByNanos < 0) {
        context.after(timing.pauseNanos(), this::confirm);
      } else {
        confirmation = Confirmation.MISSING;
        answer.ifPresent(this::unconfirmed);
      }
    }

    private void unconfirmed(QuorumOutcome.Found found) {
      if (hasSeen(seen, found.at())) {
        end(found.unconfirmed());
      } else {
        again(notSeen(found));
        if (!done && !asking) {
          confirm();
        }
      }
    }

    /** Whether that is why the read goes on. */
    boolean isBehind(Position at) {
      return confirmation == Confirmation.MISSING && !hasSeen(seen, at);
    }

    private String notSeen(QuorumOutcome.Found found) {
      return "no sequencer confirms these copies, which are closed at %s: the client has seen %s"
          .formatted(found.at(), seen);
    }

    /** The copies have answered. */
    void found(QuorumOutcome.Found found) {
      switch (confirmation) {
        case PENDING -> answer = Optional.of(found);
        case GIVEN -> end(found);
        case MISSING -> unconfirmed(found);
      }
    }

    void attempt() {
      attempts++;
      Optional<RangeDescriptor> range = ledgerView.map().rangeOf(key);
      if (range.isEmpty()) {
        again("no range is known yet");
        return;
      }
      List<NodeId> members = QuorumCopies.members(range.get());
      int needed = needed(quorum, members.size());
      if (needed > members.size()) {
        again(
            "range %s has %d copies that count, fewer than R = %d"
                .formatted(range.get().id(), members.size(), needed));
      } else {
        asked = range;
        new Attempt(this, attempts, range.get(), members, needed).start();
      }
    }

    void again(String detail) {
      lacking = detail;
      asked = Optional.empty();
      answer = Optional.empty();
      if (context.nanos() + timing.pauseNanos() - untilNanos >= 0) {
        end(new QuorumOutcome.NotNow(detail));
      } else {
        attempts++;
        context.after(timing.pauseNanos(), this::attempt);
      }
    }

    void end(QuorumOutcome outcome) {
      if (!done) {
        done = true;
        attempts++;
        timeout.ifPresent(NodeContext.Timer::cancel);
        then.accept(outcome);
      }
    }

    void tooLate() {
      end(
          answer
              .<QuorumOutcome>map(
                  found ->
                      hasSeen(seen, found.at())
                          ? found.unconfirmed()
                          : new QuorumOutcome.NotNow(notSeen(found)))
              .orElseGet(() -> new QuorumOutcome.NotNow(lacking)));
    }
  }

  /** One attempt, under one epoch. */
  private final class Attempt {
    final Reading reading;
    final int number;
    final RangeDescriptor range;
    final List<NodeId> members;
    final int needed;
    final Deque<NodeId> unasked;
    final QuorumTally tally = newTally();
    final TreeSet<NodeId> reaching = new TreeSet<>();
    final TreeSet<NodeId> silent = new TreeSet<>();
    Position reachingFor = Position.ZERO;
    boolean writtenBack;
    boolean fetching;
    int asked;

    Attempt(Reading reading, int number, RangeDescriptor range, List<NodeId> members, int needed) {
      this.reading = reading;
      this.number = number;
      this.range = range;
      this.members = members;
      this.needed = needed;
      this.unasked = new ArrayDeque<>(withPrimary(inOrder(members)));
    }

    /**
     * Those that read best first; of these this node's own copy, and the others take turns. Where
     * all read alike, one that is silent or lags is first once in a while only.
     */
    private List<NodeId> inOrder(List<NodeId> all) {
      List<NodeId> order = new ArrayList<>(all);
      Collections.rotate(order, context.ports().random().nextInt(order.size()));
      if (order.remove(context.self())) {
        order.addFirst(context.self());
      }
      if (order.stream().mapToInt(readRank).distinct().count() > 1) {
        long now = context.nanos();
        order.sort(
            Comparator.comparing((NodeId node) -> passedOver.has(range.id(), node, now))
                .thenComparingInt(readRank));
      }
      return order;
    }

    /** The last of those that are asked at first, for a digest; the only one for the value. */
    private List<NodeId> withPrimary(List<NodeId> order) {
      NodeId primary = range.primary();
      // Those that answer are that many, and known to have it as far as they have it.
      boolean isEnough = !mustWriteBack(reading.quorum, needed, members.size());
      if (isEnough
          || order.indexOf(primary) < needed
          || passedOver.has(range.id(), primary, context.nanos())) {
        return order;
      }
      List<NodeId> other = new ArrayList<>(order);
      other.remove(primary);
      other.add(needed - 1, primary);
      return other;
    }

    private void passOver(NodeId node) {
      passedOver.add(range.id(), node, context.nanos());
    }

    boolean isOver() {
      return reading.done || reading.attempts != number || reading.answer.isPresent();
    }

    void start() {
      for (int i = 0; i < needed; i++) {
        probeNext(i == 0);
      }
      context.after(timing.hedgeNanos(), this::hedge);
    }

    /** Who does not answer soon is not waited for. */
    private void hedge() {
      if (!isOver()) {
        silent.forEach(this::passOver);
      }
      while (!isOver() && tally.size() < needed && !unasked.isEmpty()) {
        probeNext(false);
      }
    }

    private void probeNext(boolean whole) {
      probe(unasked.removeFirst(), whole);
    }

    private void probe(NodeId node, boolean whole) {
      asked++;
      silent.add(node);
      context.ask(
          node,
          call -> new Probe(call, range.id(), range.epoch(), reading.key, whole),
          timing.askNanos(),
          answer -> {
            asked--;
            silent.remove(node);
            if (!isOver()) {
              fetching &= !whole;
              probed(node, whole, answer);
            }
          });
    }

    private void probed(NodeId node, boolean whole, Optional<NodeMessage> answer) {
      if (answer.isPresent() && answer.get() instanceof Probed probed) {
        tally.answered(node, probed.answer());
        for (Held held : probed.others()) {
          tally.holds(held.node(), held.closed());
        }
      } else {
        passOver(node);
        if (whole && tally.size() >= needed) {
          reading.again("the copy on %s went away with the newest value".formatted(node));
          return;
        }
      }
      if (tally.size() >= needed) {
        decide();
      } else if (asked + tally.size() < needed && !unasked.isEmpty()) {
        probeNext(false);
      } else {
        giveUpIfStuck();
      }
    }

    private void giveUpIfStuck() {
      if (asked == 0 && reaching.isEmpty()) {
        reading.again(
            tally.size() < needed
                ? "%d of the %d copies that were asked have answered under epoch %s of range %s"
                    .formatted(tally.size(), members.size(), range.epoch(), range.id())
                : notWrittenBack());
      }
    }

    private String notWrittenBack() {
      return "the newest version could not be brought to W = %d copies of range %s in time"
          .formatted(reading.quorum.w(), range.id());
    }

    private void decide() {
      Optional<String> contradiction = tally.contradiction();
      if (contradiction.isPresent()) {
        context.ports().log().warn(contradiction.get());
        reading.end(new QuorumOutcome.NotNow(contradiction.get()));
        return;
      }
      Map.Entry<NodeId, CopyAnswer> newest = tally.newest();
      CopyAnswer answer = newest.getValue();
      if (!writtenBack) {
        answeredWithout(answer.changed()).forEach(this::passOver);
      }
      int holders = tally.holders(members, answer.changed());
      if (mustWriteBack(reading.quorum, holders, members.size())) {
        writeBack(answer.changed());
        return;
      }
      Optional<Bytes> value = tally.valueOf(answer);
      if (answer.version().isPresent() && value.isEmpty()) {
        // Only a digest of it is here. The copy may have gone on since: then that is the newest.
        if (!fetching) {
          fetching = true;
          probe(newest.getKey(), true);
        }
        return;
      }
      Optional<Row> row =
          answer.version().map(version -> new Row(reading.key, version, value.orElseThrow()));
      Position wanted = reading.isBehind(answer.closed()) ? reading.seen : answer.changed();
      List<NodeId> behind = answeredWithout(wanted);
      reading.found(
          new QuorumOutcome.Found(row, answer.closed(), tally.closedBy(), writtenBack, true));
      behind.forEach(node -> reach(node, wanted, _ -> {}));
    }

    /** Those of which it is not known that they are closed at a position by now. */
    private List<NodeId> answeredWithout(Position position) {
      return tally.lacking(List.copyOf(tally.closedBy().keySet()), position);
    }

    private void writeBack(Position position) {
      writtenBack = true;
      reading.lacking = notWrittenBack();
      if (!position.equals(reachingFor)) {
        reachingFor = position;
        reaching.clear();
      }
      for (NodeId node : tally.lacking(members, position)) {
        if (reaching.add(node)) {
          reach(node, position, answer -> reached(node, position, answer));
        }
      }
      giveUpIfStuck();
    }

    private void reach(NodeId node, Position position, Consumer<Optional<NodeMessage>> then) {
      context.ask(
          node,
          call -> new Reach(call, range.id(), range.epoch(), position),
          timing.askNanos(),
          then);
    }

    private void reached(NodeId node, Position position, Optional<NodeMessage> answer) {
      if (isOver()) {
        return;
      }
      if (answer.isPresent() && answer.get() instanceof Reached reached) {
        tally.holds(node, reached.closed());
      }
      if (position.equals(reachingFor)) {
        reaching.remove(node);
        if (tally.lacking(List.of(node), position).isEmpty()) {
          decide();
        } else {
          giveUpIfStuck();
        }
      }
    }
  }
}
