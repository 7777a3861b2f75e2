package org.ecstore.client.copies;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.ToIntFunction;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;

/**
 * Which copy of a range a client asks (rule 10: any copy that covers the position answers the
 * same). Nothing here is needed for safety: a copy that cannot know says so.
 *
 * <p>Candidates are the copies that have not failed of late and have not just said that they are
 * behind the position. Each costs its smoothed round trip, more the more reads it has under way, by
 * its own word or this client's count. Those that cost at most half as much again as the least are
 * equally good: so small differences move no client. Of these, those on nodes whose engines read
 * best are left: made for reading, then in memory, then made for writing (rule 23, MyCassandra
 * §3.2). Of these, two are drawn at random and the one with less to do is taken, so that clients
 * that know the same do not all take the same ("the power of two choices", Mitzenmacher 2001). One
 * choice in sixteen goes to a copy whose round trip was not measured for five seconds, to measure
 * it.
 *
 * <p>So distance and load come before the engine: one that reads well and has much to do costs more
 * than the others, and is passed by. A hot-spot replica is in memory whatever its node's engine is,
 * and there because the copies have much to do: none reads better.
 *
 * <p>A copy that was behind is not asked again above its closed position for a moment, twice as
 * long each time in a row; a secondary is told by its primary every few milliseconds. So what was
 * just written is read from another while the copy that reads best lags behind a burst of writes,
 * and everything older from that one (the Japanese paper on MyCassandra, §4.2, §7). Rejected: to
 * guess from the rate at which closed positions grow when a copy will cover a position, as a guess
 * that is wrong costs a round trip, and one that is right gains little.
 *
 * <p>Safe for use by several threads. Time and chance come from the caller.
 */
public final class CopyChoice {
  private static final double EQUALLY_GOOD = 1.5;
  private static final long EQUALLY_GOOD_NANOS = 200_000L;
  private static final long MEASURE_AFTER_NANOS = 5_000_000_000L;
  private static final double MEASURE_CHANCE = 1.0 / 16;
  private static final long FAILED_NANOS = 1_000_000_000L;
  private static final long BEHIND_NANOS_MIN = 20_000_000L;
  private static final long BEHIND_NANOS_MAX = 1_000_000_000L;
  private static final int REMEMBERED_MAX = 10_000;

  private record CopyId(RangeId range, NodeId node) {}

  /** How far a copy said it was closed, and until when it is taken to be no further. */
  private record Behind(Position closed, long untilNanos, long pauseNanos) {}

  private final ToIntFunction<String> readRank;
  private final Map<String, NodeMeter> meters = new ConcurrentHashMap<>();
  private final Map<CopyId, Behind> behind = new ConcurrentHashMap<>();
  private final KnownHotReplicas hotReplicas = new KnownHotReplicas();
  private final KnownSplitPoints splitPoints = new KnownSplitPoints();

  private record Candidate(NodeId node, String address, CopyRole role, NodeMeter meter) {}

  /**
   * Nothing is known of any node.
   *
   * @param readRank how well the engine of the node at an address reads, as far as that is known:
   *     the least reads best
   */
  public CopyChoice(ToIntFunction<String> readRank) {
    this.readRank = readRank;
  }

  private NodeMeter meter(String address) {
    return meters.computeIfAbsent(address, absent -> new NodeMeter());
  }

  /** What was measured of a node is of no use any more. */
  public void forget(String address) {
    meters.remove(address);
  }

  /**
   * A copy to ask for what was committed at or below a position; absent if none is left.
   *
   * @param span what has to be read, for hot-spot replicas have some keys only
   * @param avoid nodes that were asked already
   * @param random uniform in [0, 1)
   */
  public Optional<Choice> choose(
      Route route,
      KeyRange span,
      Position position,
      Set<NodeId> avoid,
      long nowNanos,
      DoubleSupplier random) {
    List<Candidate> asked = new ArrayList<>();
    List<Candidate> all = copies(route);
    for (KnownHotReplicas.Known hotReplica : hotReplicas.covering(route, span, nowNanos)) {
      all.add(
          new Candidate(
              hotReplica.node(),
              hotReplica.address(),
              CopyRole.HOT_REPLICA,
              meter(hotReplica.address())));
    }
    for (Candidate candidate : all) {
      if (!avoid.contains(candidate.node) && !isBehind(route, candidate, position, nowNanos)) {
        asked.add(candidate);
      }
    }
    List<Candidate> sound = new ArrayList<>(asked);
    sound.removeIf(candidate -> candidate.meter.isFailing(nowNanos));
    return pick(route, sound.isEmpty() ? asked : sound, nowNanos, random);
  }

  /**
   * A copy to ask when none seems to cover the position: the primary if there is one, otherwise the
   * secondary that was furthest by its last word.
   */
  public Choice leastBehind(Route route) {
    Candidate best = null;
    for (Candidate candidate : copies(route)) {
      if (best == null || lastClosed(route, candidate).isAfter(lastClosed(route, best))) {
        best = candidate;
      }
    }
    if (best == null) {
      throw new IllegalArgumentException("no copy of the route has an address: " + route);
    }
    return choice(route, best, Choice.Reason.ONLY_ONE, 1);
  }

  private Position lastClosed(Route route, Candidate copy) {
    Behind known = behind.get(new CopyId(route.range(), copy.node));
    return copy.role == CopyRole.PRIMARY
        ? new Position(Long.MAX_VALUE)
        : known == null ? Position.ZERO : known.closed;
  }

  /** The nodes with copies that can be asked, hot-spot replicas left out. */
  public Set<NodeId> of(Route route) {
    Set<NodeId> nodes = new HashSet<>();
    copies(route).forEach(copy -> nodes.add(copy.node));
    return nodes;
  }

  /** The primary, which update transactions read. */
  public Choice primary(Route route) {
    Candidate primary =
        new Candidate(route.primary(), route.address(), CopyRole.PRIMARY, meter(route.address()));
    return choice(route, primary, Choice.Reason.PRIMARY_WANTED, 1);
  }

  private List<Candidate> copies(Route route) {
    List<Candidate> copies = new ArrayList<>();
    if (!route.address().isEmpty()) {
      copies.add(
          new Candidate(
              route.primary(), route.address(), CopyRole.PRIMARY, meter(route.address())));
    }
    for (Route.Secondary copy : route.secondaries()) {
      if (!copy.address().isEmpty()) {
        copies.add(
            new Candidate(copy.node(), copy.address(), CopyRole.SECONDARY, meter(copy.address())));
      }
    }
    return copies;
  }

  private boolean isBehind(Route route, Candidate copy, Position position, long nowNanos) {
    Behind known =
        copy.role == CopyRole.PRIMARY ? null : behind.get(new CopyId(route.range(), copy.node));
    return known != null && position.isAfter(known.closed) && known.untilNanos - nowNanos > 0;
  }

  private Optional<Choice> pick(
      Route route, List<Candidate> from, long nowNanos, DoubleSupplier random) {
    if (from.isEmpty()) {
      return Optional.empty();
    }
    int count = from.size();
    if (count == 1) {
      return Optional.of(choice(route, from.get(0), Choice.Reason.ONLY_ONE, 1));
    }
    for (Candidate candidate : from) {
      boolean measures =
          candidate.meter.isUnknown()
              || (candidate.meter.isOlderThan(MEASURE_AFTER_NANOS, nowNanos)
                  && random.getAsDouble() < MEASURE_CHANCE);
      if (measures) {
        return Optional.of(choice(route, candidate, Choice.Reason.MEASURED, count));
      }
    }
    List<Candidate> near = nearest(from);
    List<Candidate> best = readingBest(near);
    Candidate one = best.get((int) (random.getAsDouble() * best.size()));
    Candidate other = best.get((int) (random.getAsDouble() * best.size()));
    Candidate less = other.meter.reads() < one.meter.reads() ? other : one;
    Choice.Reason reason =
        best.size() < near.size() ? Choice.Reason.READS_WELL : Choice.Reason.NEAR;
    return Optional.of(choice(route, less, reason, count));
  }

  /** Rule 23: those whose engines read best. */
  private List<Candidate> readingBest(List<Candidate> near) {
    int least = Integer.MAX_VALUE;
    int[] ranks = new int[near.size()];
    for (int i = 0; i < ranks.length; i++) {
      Candidate candidate = near.get(i);
      ranks[i] =
          candidate.role == CopyRole.HOT_REPLICA ? 0 : readRank.applyAsInt(candidate.address);
      least = Math.min(least, ranks[i]);
    }
    List<Candidate> best = new ArrayList<>();
    for (int i = 0; i < ranks.length; i++) {
      if (ranks[i] == least) {
        best.add(near.get(i));
      }
    }
    return best;
  }

  private static List<Candidate> nearest(List<Candidate> from) {
    double least = Double.MAX_VALUE;
    double[] costs = new double[from.size()];
    for (int i = 0; i < costs.length; i++) {
      costs[i] = from.get(i).meter.costNanos();
      least = Math.min(least, costs[i]);
    }
    List<Candidate> near = new ArrayList<>();
    for (int i = 0; i < costs.length; i++) {
      if (costs[i] <= least * EQUALLY_GOOD + EQUALLY_GOOD_NANOS) {
        near.add(from.get(i));
      }
    }
    return near;
  }

  private static Choice choice(Route route, Candidate copy, Choice.Reason reason, int candidates) {
    return new Choice(
        route, copy.node, copy.address, copy.role, reason, candidates, copy.meter.roundTripNanos());
  }

  /** A request to the copy has left. */
  public void started(Choice choice) {
    meter(choice.address()).started();
  }

  /** The node has replied, whatever it said. */
  public void replied(Choice choice, long roundTripNanos, long nowNanos) {
    meter(choice.address()).replied(roundTripNanos, nowNanos);
  }

  /** The node has not replied. */
  public void failed(Choice choice, long nowNanos) {
    meter(choice.address()).failed(nowNanos + FAILED_NANOS);
  }

  /** The copy has answered: what it says of itself is remembered. */
  public void answered(Choice choice, ReadSource source) {
    meter(choice.address()).loaded(source.load());
    behind.remove(new CopyId(choice.route().range(), choice.node()));
  }

  /** The copy is behind: it is not asked again above its closed position for a while. */
  public void behind(Choice choice, ReadSource source, long nowNanos) {
    meter(choice.address()).loaded(source.load());
    if (behind.size() >= REMEMBERED_MAX) {
      behind.clear();
    }
    behind.compute(
        new CopyId(choice.route().range(), choice.node()),
        (id, before) -> {
          long pause =
              before == null ? BEHIND_NANOS_MIN : Math.min(BEHIND_NANOS_MAX, 2 * before.pauseNanos);
          return new Behind(source.closed(), nowNanos + pause, pause);
        });
  }

  /**
   * A copy has answered with another node that has what was asked (rule 26). That node has to be
   * asked next, whatever was measured of it: the copy knows better which of the two is busy, and
   * the client would otherwise come back to the busy one each time. Absent if it has no address.
   */
  public Optional<Choice> redirected(Choice choice, ClientReply.Redirect redirect, long nowNanos) {
    if (redirect.address().isEmpty()) {
      return Optional.empty();
    }
    Route route = choice.route();
    hotReplicas.learn(route, redirect, nowNanos);
    Candidate hotReplica =
        new Candidate(
            redirect.node(), redirect.address(), CopyRole.HOT_REPLICA, meter(redirect.address()));
    return Optional.of(choice(route, hotReplica, Choice.Reason.SENT_ON, choice.candidates() + 1));
  }

  /** A copy has said where long scans of its range may be cut. */
  public void cutAt(Route route, List<Bytes> keys, long nowNanos) {
    splitPoints.learn(route, keys, nowNanos);
  }

  /**
   * Keys within a range at which to cut what is read of it, so that parts can be read from
   * different copies: the bounds of the buckets that nodes have said they have hot-spot replicas of
   * and, if there is more than one copy, those between equal parts of the data that copies have
   * named.
   */
  public NavigableSet<Bytes> bounds(Route route, long nowNanos) {
    NavigableSet<Bytes> bounds = hotReplicas.bounds(route, nowNanos);
    if (copies(route).size() > 1) {
      bounds.addAll(splitPoints.splitPoints(route, nowNanos));
    }
    return bounds;
  }

  /** A hot-spot replica did not answer, whatever the reason: it is asked no more. */
  public void useless(Choice choice) {
    hotReplicas.forget(choice.route(), choice.node());
  }

  /** Addresses, the nearest first; those that were never measured last, in the order given. */
  public List<String> byDistance(List<String> addresses) {
    List<String> sorted = new ArrayList<>(addresses);
    sorted.sort(Comparator.comparingDouble(address -> meter(address).costNanos()));
    return sorted;
  }
}
