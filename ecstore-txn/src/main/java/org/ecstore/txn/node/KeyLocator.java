package org.ecstore.txn.node;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.overlay.NodeLinks;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.txn.message.TxnMessage.LocateReply;
import org.ecstore.txn.message.TxnMessage.LocateRequest;
import org.ecstore.txn.steward.Steward;

/**
 * Who owns a key (rules 18, 20): from the map, without a hop; without a map, link by link through
 * the overlay until a node has a copy for the key. A node learns its own links from the cluster
 * state.
 */
final class KeyLocator {
  private static final int HOPS_MAX = 64;
  private static final int SEARCHES_MAX = 5_000;

  /** A client that has been away for long learns so many ranges from one refusal. */
  private static final int ROUTES_MAX = 1_000;

  private record Pending(long untilNanos, BiConsumer<Route, Integer> found, Runnable late) {}

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final CopyTable copies;
  private final boolean cold;
  private final Map<Long, Pending> pending = new HashMap<>();
  private List<Member> members = List.of();
  private final Map<NodeId, Integer> readRanks = new HashMap<>();
  private int worstReadRank;
  private Optional<NodeLinks> links = Optional.empty();
  private Optional<ClusterState> state = Optional.empty();
  private long linksVersion;
  private long lastCall;

  KeyLocator(NodeContext context, LedgerView ledgerView, CopyTable copies, boolean cold) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.copies = copies;
    this.cold = cold;
  }

  void members(List<Member> live) {
    members = List.copyOf(live);
    readRanks.clear();
    worstReadRank = 0;
    for (Member member : members) {
      int rank = member.info().traits().engineTraits().readRank();
      readRanks.put(member.node(), rank);
      worstReadRank = Math.max(worstReadRank, rank);
    }
  }

  /**
   * Rule 23: how well a node's engine reads, the least best; one that is not there counts as the
   * worst of those that are.
   */
  int readRank(NodeId node) {
    return readRanks.getOrDefault(node, worstReadRank);
  }

  List<Member> members() {
    return members;
  }

  /** Reads the cluster state, and again whenever it changes. */
  void watchLinks() {
    context.ports().coordination().watch(Steward.KEY);
    context.coordination(
        token -> context.ports().coordination().get(token, Steward.KEY),
        result -> {
          // Answers may overtake one another, and a read may be stale.
          if (result instanceof CoordinationResult.Stored stored
              && stored.value().isPresent()
              && stored.version() >= linksVersion) {
            linksVersion = stored.version();
            ClusterState read = ClusterStateCodec.decode(stored.value().get());
            state = Optional.of(read);
            links =
                read.tree().contains(context.self())
                    ? Optional.of(read.tree().links(context.self()))
                    : Optional.empty();
          }
        });
  }

  /** Whether this node is in the tree, by the newest cluster state that it has read. */
  boolean hasPlace() {
    return links.isPresent();
  }

  /**
   * Whether this node is not in the tree, by the newest cluster state that it has read. It may be
   * primary of ranges all the same, whose keys belong to another node (rule 20).
   */
  boolean isOutside() {
    return state.isPresent() && links.isEmpty();
  }

  /** What this node knows of an interval, as routes: of the first ranges, if there are many. */
  List<Route> routes(KeyRange keys) {
    return routesOf(ledgerView.map().overlapping(keys, ROUTES_MAX));
  }

  /** Ranges as routes. */
  List<Route> routesOf(List<RangeDescriptor> ranges) {
    return ranges.stream().map(this::route).toList();
  }

  /** What this node knows of some keys, as routes in key order: one for each range. */
  List<Route> routes(Collection<Bytes> keys) {
    NavigableMap<Bytes, Route> found = new TreeMap<>();
    for (Bytes key : keys) {
      Map.Entry<Bytes, Route> before = found.floorEntry(key);
      if (before == null || !before.getValue().keys().contains(key)) {
        route(key).ifPresent(route -> found.put(route.keys().start(), route));
      }
    }
    return List.copyOf(found.values());
  }

  /** Who has ranges beside their primaries, and whom they belong to. */
  List<ClientReply.Holders> holders(List<RangeDescriptor> ranges) {
    return ranges.stream()
        .map(
            range ->
                new ClientReply.Holders(
                    range.id(), state.map(known -> known.homeOf(range)), range.secondaries()))
        .toList();
  }

  /** What to say of a range if no node that has a copy of it is there. */
  Optional<String> allGone(Route route) {
    return ledgerView
        .map()
        .range(route.range())
        .map(range -> Stream.concat(Stream.of(range.primary()), range.secondaries().stream()))
        .map(Stream::toList)
        .filter(holders -> !members.isEmpty() && holders.stream().noneMatch(this::isMember))
        .map(
            holders ->
                "all copies of range %s are away, with %s: its data are nowhere else"
                    .formatted(route.range(), holders));
  }

  private Route route(RangeDescriptor range) {
    return new Route(
        range.id(),
        range.epoch(),
        range.keys(),
        range.primary(),
        address(range.primary()),
        range.secondaries().stream()
            .map(node -> new Route.Secondary(node, address(node)))
            .toList());
  }

  /** Where a live node is reached; empty if that is not known. */
  String address(NodeId node) {
    return members.stream()
        .filter(member -> member.node().equals(node))
        .map(member -> member.info().address())
        .findFirst()
        .orElse("");
  }

  /** What the map says of a key. */
  Optional<Route> route(Bytes key) {
    return ledgerView.map().rangeOf(key).map(this::route);
  }

  /**
   * The link to follow to come nearer to a key.
   *
   * @param from the node whose link led here; absent at the first
   */
  Optional<NodeId> nextHop(Bytes key, Optional<NodeId> from) {
    return links
        .flatMap(own -> from.isPresent() ? own.nextHop(key, from.get()) : own.firstHop(key))
        .map(Place::node);
  }

  /** Finds the owner of a key; if too many are searched for already, {@code late} runs at once. */
  void locate(Bytes key, long untilNanos, BiConsumer<Route, Integer> found, Runnable late) {
    Optional<RangeDescriptor> range = ledgerView.map().rangeOf(key);
    if (range.isPresent() && !cold) {
      found.accept(route(range.get()), 0);
      return;
    }
    if (pending.size() >= SEARCHES_MAX) {
      late.run();
      return;
    }
    long call = (context.incarnation() << 32) + ++lastCall;
    pending.put(call, new Pending(untilNanos, found, late));
    locate(context.self(), new LocateRequest(call, context.self(), context.incarnation(), key, 0));
  }

  /**
   * Answers for its own keys, else hands on to the link that comes nearer, heeding who asked. Where
   * the links end the keys belong: who is there answers by its map who serves them in its stead. So
   * does who would hand on to a node that is gone, and who has no place in the overlay, as its
   * engine holds secondaries only (rule 23).
   */
  void locate(NodeId from, LocateRequest request) {
    Optional<Copy> own =
        copies.all().stream().filter(copy -> owns(copy, request.key())).findFirst();
    if (own.isPresent()) {
      Copy copy = own.get();
      context.send(
          request.asker(),
          new LocateReply(
              request.call(),
              copy.id(),
              copy.epoch(),
              copy.keys(),
              context.self(),
              request.hops()));
      return;
    }
    if (request.hops() >= HOPS_MAX) {
      return;
    }
    Optional<NodeId> next =
        links
            .flatMap(these -> these.nextHop(request.key(), from))
            .map(Place::node)
            .filter(this::isMember);
    if (next.isPresent()) {
      context.send(
          next.get(),
          new LocateRequest(
              request.call(),
              request.asker(),
              request.askerIncarnation(),
              request.key(),
              request.hops() + 1));
    } else {
      ledgerView
          .map()
          .rangeOf(request.key())
          .ifPresent(
              range ->
                  context.send(
                      request.asker(),
                      new LocateReply(
                          request.call(),
                          range.id(),
                          range.epoch(),
                          range.keys(),
                          range.primary(),
                          request.hops())));
    }
  }

  private boolean isMember(NodeId node) {
    return members.stream().anyMatch(member -> member.node().equals(node));
  }

  /** Whether this node is the primary of a key. What waits after a restart may be a secondary. */
  private boolean owns(Copy copy, Bytes key) {
    boolean primary =
        switch (copy.state()) {
          case REPLAYING, SERVING -> true;
          case WAITING ->
              ledgerView
                  .map()
                  .range(copy.id())
                  .filter(range -> range.epoch().equals(copy.epoch()))
                  .filter(range -> range.primary().equals(context.self()))
                  .isPresent();
          case FOLLOWING, BUILDING, BUILT, RETIRED, LOST -> false;
        };
    return primary && copy.keys().contains(key);
  }

  /** The owner has answered. */
  void located(LocateReply reply) {
    Pending waiting = pending.remove(reply.call());
    if (waiting != null) {
      Route route =
          ledgerView
              .map()
              .range(reply.range())
              .filter(range -> range.epoch().equals(reply.epoch()))
              .map(this::route)
              .orElseGet(
                  () ->
                      new Route(
                          reply.range(),
                          reply.epoch(),
                          reply.keys(),
                          reply.primary(),
                          address(reply.primary())));
      waiting.found().accept(route, reply.hops());
    }
  }

  /** Ends searches that take too long. */
  void expire() {
    long now = context.nanos();
    List<Runnable> ended = new ArrayList<>();
    Consumer<Pending> note = one -> ended.add(one.late());
    pending
        .values()
        .removeIf(
            one -> {
              boolean over = one.untilNanos() - now <= 0;
              if (over) {
                note.accept(one);
              }
              return over;
            });
    ended.forEach(Runnable::run);
  }
}
