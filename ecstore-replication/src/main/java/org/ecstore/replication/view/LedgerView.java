package org.ecstore.replication.view;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.ParkedCalls;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.message.ReplicationMessage.MapRequest;

/**
 * What this node knows of the ledger: the durable position D, the map version M at it, and the map
 * (rule 8). D is adopted only together with every map change at or below it; a pair whose changes
 * are missing waits, and the changes are asked for. So a replaced primary cannot learn that the
 * ledger went on past its replacement without learning of the replacement.
 *
 * <p>Pairs come from nodes only, never from clients; a D far beyond what the ledger has said here
 * waits until the ledger says more: see {@link LedgerEvidence}.
 */
public class LedgerView {
  private static final int CHANGES_KEPT = 64;
  private static final int WAITING_MAX = 10_000;

  private final NodeContext context;
  private final long askAgainNanos;
  private final LedgerEvidence evidence;
  private final Deque<MapChange> recent = new ArrayDeque<>();
  private final ParkedCalls<ReadPoint> waiting = new ParkedCalls<>(WAITING_MAX);
  private final List<Runnable> mapListeners = new ArrayList<>();
  private final List<Runnable> positionListeners = new ArrayList<>();
  private ReadPoint adopted = ReadPoint.ZERO;
  private Position lastUnderMapBefore = Position.ZERO;
  private RangeMap map = RangeMap.EMPTY;
  private ReadPoint pending = ReadPoint.ZERO;
  private Optional<NodeId> pendingFrom = Optional.empty();
  private boolean asking;
  private long doubted;

  /**
   * Knows nothing yet.
   *
   * @param unprovenMax how many positions D may be ahead of what the ledger has said here
   */
  public LedgerView(NodeContext context, long askAgainNanos, long unprovenMax) {
    this.context = context;
    this.askAgainNanos = askAgainNanos;
    this.evidence = new LedgerEvidence(context, unprovenMax, askAgainNanos);
  }

  /** (D, M). */
  public ReadPoint adopted() {
    return adopted;
  }

  /**
   * The last D that was adopted under the map before this one. What this node served by that map it
   * knows up to there; between there and D the keys may have been another's, several changes of the
   * map ago.
   */
  public Position lastUnderMapBefore() {
    return lastUnderMapBefore;
  }

  /** The map at M. */
  public RangeMap map() {
    return map;
  }

  /** Runs after every change of the map. */
  public void onMapChange(Runnable listener) {
    mapListeners.add(listener);
  }

  /** Runs after every growth of D. */
  public void onAdvance(Runnable listener) {
    positionListeners.add(listener);
  }

  /** A pair came from a node: adopt it, or keep it until the map changes below it are known. */
  public void offer(NodeId from, ReadPoint pair) {
    if (!isBelievable(from, pair)) {
      doubt(from, pair);
    } else if (mayAdopt(pair)) {
      adopt(pair);
    } else {
      pending = ReadPoint.max(pending, pair);
      pendingFrom = Optional.of(from);
      askForChanges();
    }
  }

  /**
   * Whether the ledger may go so far, by what it has said here. What this node says to itself comes
   * from its own appends and replays.
   */
  @RuleSeam(8)
  protected boolean isBelievable(NodeId from, ReadPoint pair) {
    if (from.equals(context.self())) {
      evidence.proven(pair.position());
    }
    return evidence.allows(pair.position());
  }

  private void doubt(NodeId from, ReadPoint pair) {
    doubted++;
    evidence.ask(pair.position(), () -> offerAgain(from, pair));
  }

  /**
   * The ledger goes further than was known here: as far as was said, or not. That it has come near
   * is not enough, or one who says what is far beyond would be believed once it has grown.
   */
  private void offerAgain(NodeId from, ReadPoint pair) {
    if (evidence.has(pair.position())) {
      offer(from, pair);
    }
  }

  /** Pairs that were not believed when they came. */
  public long doubted() {
    return doubted;
  }

  /** Rule 8: never D without M. */
  @RuleSeam(8)
  protected boolean mayAdopt(ReadPoint pair) {
    return pair.mapVersion().isAtOrBelow(map.version());
  }

  private void adopt(ReadPoint pair) {
    if (!pair.position().isAfter(adopted.position())) {
      return;
    }
    adopted = new ReadPoint(pair.position(), MapVersion.max(map.version(), pair.mapVersion()));
    if (evidence.isOld(pair.position())) {
      evidence.ask(pair.position(), () -> {});
    }
    positionListeners.forEach(Runnable::run);
    wake();
  }

  private void askForChanges() {
    if (asking || pendingFrom.isEmpty() || pendingFrom.get().equals(context.self())) {
      return;
    }
    asking = true;
    context.send(pendingFrom.get(), new MapRequest(map.version()));
    context.after(
        askAgainNanos,
        () -> {
          asking = false;
          if (!mayAdopt(pending)) {
            askForChanges();
          }
        });
  }

  /** The last changes of the map, in order, as far as they came one by one. */
  public List<MapChange> recentChanges() {
    return List.copyOf(recent);
  }

  /** Another node asks for the changes it misses. */
  public MapNews newsSince(MapVersion have) {
    List<MapChange> changes = new ArrayList<>();
    for (MapChange change : recent) {
      if (change.version().isAfter(have)) {
        changes.add(change);
      }
    }
    boolean contiguous =
        have.value() + changes.size() == map.version().value()
            && (changes.isEmpty() || changes.getFirst().version().equals(have.next()));
    if (contiguous || !map.version().isAfter(have)) {
      return new MapNews(contiguous ? changes : List.of(), Optional.empty());
    }
    return new MapNews(List.of(), Optional.of(map));
  }

  /**
   * Recorded map changes came from a node, with the pair that covers them. Changes and pair are
   * taken in one step, so that M never runs ahead of D.
   */
  public void learn(NodeId from, MapNews news, ReadPoint pair) {
    if (!isBelievable(from, pair)) {
      doubt(from, pair);
      return;
    }
    RangeMap before = map;
    if (news.whole().isPresent() && news.whole().get().version().isAfter(map.version())) {
      map = news.whole().get();
      recent.clear();
    }
    for (MapChange change : news.changes()) {
      if (change.version().equals(map.version().next())) {
        map = map.apply(change);
        recent.addLast(change);
        if (recent.size() > CHANGES_KEPT) {
          recent.removeFirst();
        }
      }
    }
    if (map.version().isAfter(before.version())) {
      // What was asked for is here: a change that came meanwhile need not wait.
      asking = false;
      Check.that(
          map.version().isAtOrBelow(pair.mapVersion()), "news is covered by its pair", map, pair);
      lastUnderMapBefore = adopted.position();
      adopted = new ReadPoint(pair.position(), map.version());
      mapListeners.forEach(Runnable::run);
      positionListeners.forEach(Runnable::run);
      wake();
    }
    offer(from, pair);
    if (pending.position().isAfter(adopted.position())) {
      if (mayAdopt(pending)) {
        adopt(pending);
      } else if (map.version().isAfter(before.version())) {
        askForChanges();
      }
    }
  }

  /** Whether a point's position is at or below D, under a map at least as new. */
  public boolean covers(ReadPoint point) {
    return point.position().isAtOrBelow(adopted.position())
        && point.mapVersion().isAtOrBelow(map.version());
  }

  /** Runs {@code ready} once the point is covered, or {@code late} after the deadline. */
  public void await(ReadPoint point, long untilNanos, Runnable ready, Runnable late) {
    if (covers(point)) {
      ready.run();
    } else {
      waiting.park(point, untilNanos, ready, late);
    }
  }

  /** What waits for positions or maps. */
  public int parked() {
    return waiting.size();
  }

  /** Ends what has waited too long. Called from time to time. */
  public void expire() {
    waiting.expire(context.nanos());
  }

  private void wake() {
    waiting.wake(this::covers);
  }
}
