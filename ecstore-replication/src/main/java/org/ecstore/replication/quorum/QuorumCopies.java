package org.ecstore.replication.quorum;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.quorum.QuorumMessage.Await;
import org.ecstore.replication.quorum.QuorumMessage.Awaited;
import org.ecstore.replication.quorum.QuorumMessage.Confirm;
import org.ecstore.replication.quorum.QuorumMessage.Confirmed;
import org.ecstore.replication.quorum.QuorumMessage.Held;
import org.ecstore.replication.quorum.QuorumMessage.NotCounted;
import org.ecstore.replication.quorum.QuorumMessage.Probe;
import org.ecstore.replication.quorum.QuorumMessage.Probed;
import org.ecstore.replication.quorum.QuorumMessage.Reach;
import org.ecstore.replication.quorum.QuorumMessage.Reached;
import org.ecstore.replication.view.LedgerView;
import org.jspecify.annotations.Nullable;

/**
 * A node's copies as members of quorums (rule 13): they answer probes, say when they have a write,
 * and know whether they count.
 *
 * <p>A secondary counts only once it is closed through a position that its primary has named, under
 * the epoch, to a question of the node's present incarnation. Whatever was acknowledged by a quorum
 * before the question is at or below that position: the primary has replayed through its own epoch
 * record, below which is everything of earlier epochs, and no secondary is ever closed above it. So
 * neither a copy that was built from an older stamp counts before it has caught up, nor one that
 * lost in a crash what it had acknowledged (decision 0016). The primary itself counts from the
 * moment it serves: it has one incarnation under one epoch.
 */
public class QuorumCopies {
  private static final int WAITING_MAX = 10_000;

  /** Times in nanoseconds: for a question to the primary, and to wait for the stream first. */
  public record Timing(long askNanos, long graceNanos) {}

  /** Whether a secondary's copy counts: the position it must be closed at, once it is known. */
  private static final class Standing {
    final Copy copy;
    boolean asking;
    @Nullable Position through;

    Standing(Copy copy) {
      this.copy = copy;
    }
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final CopyStreams streams;
  private final Timing timing;
  private final Map<RangeId, Standing> standings = new TreeMap<>();
  private final PositionWaits waiting = new PositionWaits(WAITING_MAX);

  public QuorumCopies(
      NodeContext context,
      LedgerView ledgerView,
      CopyTable copies,
      CopyStreams streams,
      Timing timing) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.streams = streams;
    this.timing = timing;
  }

  /** Takes a request of another node's, or of this one's. */
  public void requested(NodeId from, QuorumMessage message) {
    switch (message) {
      case Probe probe -> probe(from, probe);
      case Reach reach -> reach(from, reach);
      case Confirm confirm -> confirm(from, confirm);
      case Await await -> await(from, await);
      case Probed _, NotCounted _, Reached _, Confirmed _, Awaited _ -> {}
    }
  }

  /** Asks primaries about copies that do not count yet, and ends what waited too long. */
  public void tick() {
    standings.values().removeIf(standing -> !copies.isCurrent(standing.copy));
    for (Copy copy : copies.all()) {
      if (copy.following()) {
        Standing standing = standings.get(copy.id());
        if (standing == null || standing.copy != copy) {
          standing = new Standing(copy);
          standings.put(copy.id(), standing);
        }
        askPrimary(standing);
      }
    }
    waiting.expire(context.nanos());
  }

  /** Answers those that wait for a position that is reached by now. After each batch of events. */
  public void flush() {
    waiting.wake();
  }

  /** What waits for a position. */
  public int parked() {
    return waiting.size();
  }

  private void askPrimary(Standing standing) {
    Optional<NodeId> primary =
        ledgerView.map().range(standing.copy.id()).map(RangeDescriptor::primary);
    if (standing.asking || standing.through != null || primary.isEmpty()) {
      return;
    }
    standing.asking = true;
    context.ask(
        primary.get(),
        call -> new Confirm(call, standing.copy.id(), standing.copy.epoch()),
        timing.askNanos(),
        answer -> {
          standing.asking = false;
          if (answer.isPresent() && answer.get() instanceof Confirmed confirmed) {
            standing.through = confirmed.through();
          }
        });
  }

  private void confirm(NodeId from, Confirm confirm) {
    Optional<Copy> copy = serving(confirm.range(), confirm.epoch());
    context.send(
        from,
        copy.isPresent()
            ? new Confirmed(confirm.call(), copies.closed(copy.get()))
            : notCounted(confirm.call()));
  }

  private static NotCounted notCounted(long call) {
    return new NotCounted(call, "no copy that counts under that epoch");
  }

  private Optional<Copy> serving(RangeId range, Epoch epoch) {
    return copies.find(range, epoch).filter(Copy::serving);
  }

  /** Whether a copy may take part in a quorum. */
  @RuleSeam(13)
  protected boolean isCounted(Copy copy) {
    if (copy.following()) {
      Standing standing = standings.get(copy.id());
      return standing != null
          && standing.copy == copy
          && standing.through != null
          && standing.through.isAtOrBelow(copy.closed());
    }
    return copy.serving();
  }

  // --- reading

  private void probe(NodeId from, Probe probe) {
    Optional<Copy> found = copies.find(probe.range(), probe.epoch()).filter(this::isCounted);
    if (found.isEmpty() || !found.get().keys().contains(probe.key())) {
      context.send(from, notCounted(probe.call()));
      return;
    }
    Copy copy = found.get();
    Position at = copies.closed(copy);
    List<Held> others = acknowledged(copy);
    context.engine(
        token -> context.ports().engine().read(token, List.of(probe.key()), at),
        result -> {
          if (!(result instanceof EngineResult.Found rows) || isGone(copy, at)) {
            context.send(from, notCounted(probe.call()));
          } else if (rows.rows().getFirst().isPresent()) {
            var row = rows.rows().getFirst().get();
            CopyAnswer answer =
                CopyAnswer.present(at, copy.base(), row.version(), row.value(), probe.whole());
            context.send(from, new Probed(probe.call(), answer, others));
          } else {
            absent(from, probe, copy, at, others);
          }
        });
  }

  /** Who has what, by the primary's knowledge; of a secondary nothing. */
  private List<Held> acknowledged(Copy copy) {
    return streams.acknowledged(copy).stream()
        .map(each -> new Held(each.node(), each.closed()))
        .toList();
  }

  private boolean isGone(Copy copy, Position at) {
    return !copies.isCurrent(copy) || !isCounted(copy) || copy.base().isAfter(at);
  }

  /**
   * Since when is it absent? Since its tombstone, if that is still there; else since the base at
   * the latest, for tombstones are kept above it.
   */
  private void absent(NodeId from, Probe probe, Copy copy, Position at, List<Held> others) {
    List<Bytes> key = List.of(probe.key());
    context.engine(
        token -> context.ports().engine().newest(token, key, List.of(), copy.base()),
        result -> {
          if (!(result instanceof EngineResult.Newer newer) || isGone(copy, at)) {
            context.send(from, notCounted(probe.call()));
            return;
          }
          Position changed =
              Position.min(at, newer.first().map(found -> found.version()).orElse(copy.base()));
          context.send(
              from, new Probed(probe.call(), CopyAnswer.absent(at, copy.base(), changed), others));
        });
  }

  // --- write-back

  private void reach(NodeId from, Reach reach) {
    Optional<Copy> found = copies.find(reach.range(), reach.epoch());
    if (found.isEmpty()) {
      context.send(from, notCounted(reach.call()));
      return;
    }
    Copy copy = found.get();
    BooleanSupplier isThere =
        () -> isCounted(copy) && reach.position().isAtOrBelow(copies.closed(copy));
    long until = context.nanos() + timing.askNanos();
    when(
        new PositionWaits.Queue(reach.range(), reach.epoch(), 0),
        reach.position(),
        () -> !copies.isCurrent(copy) || isThere.getAsBoolean(),
        until,
        () ->
            context.send(
                from,
                copies.isCurrent(copy) && isThere.getAsBoolean()
                    ? new Reached(reach.call(), copies.closed(copy))
                    : notCounted(reach.call())));
    if (!isThere.getAsBoolean()) {
      context.after(timing.graceNanos(), () -> repair(copy, reach.position()));
    }
  }

  /** What the stream has not brought the ledger has (decision 0011). */
  private void repair(Copy copy, Position position) {
    boolean lags = copies.isCurrent(copy) && copy.following() && position.isAfter(copy.closed());
    if (lags && position.isAtOrBelow(ledgerView.adopted().position())) {
      copies.catchUp(copy, position, () -> {});
    }
  }

  private void when(
      PositionWaits.Queue queue,
      Position position,
      BooleanSupplier over,
      long untilNanos,
      Runnable then) {
    if (over.getAsBoolean()) {
      then.run();
    } else {
      waiting.add(queue, position, over, untilNanos, then);
    }
  }

  // --- writing

  private void await(NodeId from, Await await) {
    Optional<Copy> found = serving(await.range(), await.epoch());
    Optional<RangeDescriptor> range =
        ledgerView.map().range(await.range()).filter(one -> one.epoch().equals(await.epoch()));
    if (found.isEmpty() || range.isEmpty()) {
      context.send(from, notCounted(await.call()));
      return;
    }
    Copy copy = found.get();
    List<NodeId> members = members(range.get());
    when(
        new PositionWaits.Queue(await.range(), await.epoch(), await.w()),
        await.number(),
        () -> !copies.isCurrent(copy) || holders(copy, members, await.number()) >= await.w(),
        context.nanos() + await.waitNanos(),
        () ->
            context.send(
                from,
                copies.isCurrent(copy)
                    ? new Awaited(await.call(), holders(copy, members, await.number()))
                    : notCounted(await.call())));
    streams.heartbeat(copy);
  }

  /** Who has a copy of a range: the primary is the first. */
  static List<NodeId> members(RangeDescriptor range) {
    List<NodeId> all = new ArrayList<>();
    all.add(range.primary());
    all.addAll(range.secondaries());
    return List.copyOf(all);
  }

  /** How many of them have every commit through a number. */
  @RuleSeam(13)
  protected int holders(Copy copy, List<NodeId> members, Position number) {
    int count = number.isAtOrBelow(copies.closed(copy)) ? 1 : 0;
    for (Held held : acknowledged(copy)) {
      if (members.contains(held.node()) && number.isAtOrBelow(held.closed())) {
        count++;
      }
    }
    return count;
  }
}
