package org.ecstore.tools.settled;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.model.CopyState;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.CopyLine;
import org.ecstore.protocol.ClientReply.Inspected;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds;

/**
 * Whether the copies of all ranges are where they should be, and whole: by what the nodes say of
 * them, and not by the map alone, which names a copy before it has anything. A copy is whole that
 * has all up to where the ledger was in the first look in which all nodes said how far they are: by
 * each look anew it never is under load, and by one in which the nodes that know most are silent it
 * is with nothing. Of one wait; for one thread.
 */
public final class Placement {
  private static final Set<CopyState> WHOLE = EnumSet.of(CopyState.SERVING, CopyState.FOLLOWING);
  private static final Set<CopyState> UNDER_WAY =
      EnumSet.of(
          CopyState.BUILDING,
          CopyState.BUILT,
          CopyState.WAITING,
          CopyState.REPLAYING,
          CopyState.LOST,
          CopyState.REFUSES_WRITES);

  /** A node that is to hold copies: where it is, and on what. */
  public record Site(int node, String host, EngineTraits engine) {}

  private final CopyNeeds needs;
  private List<Site> sites;
  private Optional<Position> through = Optional.empty();

  /**
   * Of a cluster.
   *
   * @param copies that each range is to have, as far as there are hosts
   * @param sites all nodes that are to hold copies
   */
  public Placement(int copies, List<Site> sites) {
    this.needs = CopyNeeds.of(copies);
    this.sites = List.copyOf(sites);
  }

  /** From now on these hold copies: a node may have come or gone while something waits. */
  public void holdOn(List<Site> now) {
    sites = List.copyOf(now);
  }

  /** On how many hosts some sites are. */
  private static int hosts(List<Site> sites) {
    return (int) sites.stream().map(Site::host).distinct().count();
  }

  /**
   * How far the ledger is, by the node that knows most; absent while one of those is silent that
   * are to hold copies.
   */
  private static Optional<Position> newest(List<Site> asked, ClusterLook look) {
    boolean isComplete =
        asked.stream()
            .allMatch(
                site ->
                    look.nodes().stream()
                        .anyMatch(node -> node.node() == site.node() && node.seen().isPresent()));
    return isComplete
        ? look.nodes().stream()
            .flatMap(node -> node.seen().stream())
            .map(seen -> seen.point().position())
            .max(Position::compareTo)
        : Optional.empty();
  }

  /**
   * What is not as it should be, the first of it, for people; empty if all nodes serve, no copy is
   * being made, and each range has as many copies, on such engines, as there can be.
   */
  public Optional<String> lacking(ClusterLook look) {
    through = through.or(() -> newest(sites, look));
    Optional<String> away = unknown(sites, look);
    if (away.isPresent()) {
      return away;
    }
    StatusReport map = look.map().orElseThrow();
    for (Route route : map.ranges()) {
      List<Long> holders = holders(route, map);
      Optional<String> lack = lacking(route, holders, look).or(() -> falling(route, holders));
      if (lack.isPresent()) {
        return lack;
      }
    }
    return Optional.empty();
  }

  /**
   * What keeps a node that is down from losing what it has, for people; empty if the other nodes
   * serve all ranges, with whole copies on all other hosts that there should be, one of which
   * persists if its own does.
   */
  public Optional<String> lackingWithout(int node, ClusterLook look) {
    List<Site> others = sites.stream().filter(site -> site.node() != node).toList();
    through = through.or(() -> newest(others, look));
    Optional<String> away = unknown(others, look);
    if (away.isPresent()) {
      return away;
    }
    StatusReport map = look.map().orElseThrow();
    int wanted = Math.min(needs.copies() - 1, hosts(others));
    for (Route route : map.ranges()) {
      List<Long> holders = holders(route, map);
      List<Long> kept = holders.stream().filter(holder -> holder != node).toList();
      if (route.primary().value() == node) {
        return Optional.of("no other node serves range %s yet".formatted(route.range()));
      }
      Optional<String> lack = lacking(route, kept, look);
      if (lack.isPresent()) {
        return lack;
      }
      if (kept.size() < Math.max(1, wanted)) {
        return Optional.of(
            "range %s has %d other copies, and should have %d"
                .formatted(route.range(), kept.size(), Math.max(1, wanted)));
      }
      boolean isOnlyOnThis =
          persists(node)
              && holders.contains((long) node)
              && kept.stream().noneMatch(this::persists);
      if (isOnlyOnThis) {
        return Optional.of("no other copy of range %s persists".formatted(route.range()));
      }
    }
    return Optional.empty();
  }

  private boolean persists(long node) {
    return sites.stream().anyMatch(site -> site.node() == node && site.engine().persists());
  }

  /** The first node that does not serve, or makes a copy; or that it is not known what there is. */
  private Optional<String> unknown(List<Site> asked, ClusterLook look) {
    Optional<String> away = away(asked, look);
    if (away.isPresent()) {
      return away;
    }
    if (through.isEmpty()) {
      return Optional.of("not all nodes have said how far the ledger is");
    }
    if (look.map().isEmpty()) {
      return Optional.of("no node that answers knows all ranges");
    }
    return look.map().get().ranges().isEmpty()
        ? Optional.of("there is no range yet")
        : Optional.empty();
  }

  /** The first node that does not serve, or makes a copy. */
  private static Optional<String> away(List<Site> sites, ClusterLook look) {
    for (Site site : sites) {
      Optional<NodeStatus> found =
          look.nodes().stream().filter(node -> node.node() == site.node()).findFirst();
      if (found.isEmpty() || found.get().state() != NodeStatus.State.SERVING) {
        return Optional.of("node %d %s".formatted(site.node(), words(found)));
      }
      Optional<CopyLine> made =
          found.get().seen().map(Inspected::copies).orElse(List.of()).stream()
              .filter(copy -> UNDER_WAY.contains(copy.state()))
              .findFirst();
      if (made.isPresent()) {
        return Optional.of(
            "the copy of range %s on node %d: %s"
                .formatted(made.get().range(), site.node(), made.get().state().word()));
      }
    }
    return Optional.empty();
  }

  private static String words(Optional<NodeStatus> status) {
    return switch (status.map(NodeStatus::state).orElse(NodeStatus.State.DOWN)) {
      case DOWN -> "is down";
      case RESTARTING -> "is being started again";
      case SILENT -> "does not answer";
      case PAUSED -> "is paused";
      case DRAINED -> "has been drained";
      case STARTING, SERVING ->
          "waits: "
              + status
                  .flatMap(NodeStatus::seen)
                  .map(Inspected::waitsFor)
                  .filter(why -> !why.isEmpty())
                  .orElse("it does not serve yet");
    };
  }

  /** The primary first. */
  private static List<Long> holders(Route route, StatusReport map) {
    List<Long> holders = new ArrayList<>(List.of(route.primary().value()));
    map.holders().stream()
        .filter(beside -> beside.range().equals(route.range()))
        .flatMap(beside -> beside.secondaries().stream())
        .map(NodeId::value)
        .forEach(holders::add);
    return holders;
  }

  private Optional<String> lacking(Route route, List<Long> holders, ClusterLook look) {
    return holders.stream()
        .filter(holder -> !isWhole(route, holder, look))
        .findFirst()
        .map(
            holder ->
                "the copy of range %s on node %d is not whole yet"
                    .formatted(route.range(), holder));
  }

  private boolean isWhole(Route route, long holder, ClusterLook look) {
    Position needed = through.orElseThrow();
    return look.nodes().stream()
        .filter(node -> node.node() == holder)
        .flatMap(node -> node.seen().stream())
        .flatMap(seen -> seen.copies().stream())
        .anyMatch(
            copy ->
                copy.range().equals(route.range())
                    && copy.epoch().equals(route.epoch())
                    && WHOLE.contains(copy.state())
                    && needed.isAtOrBelow(copy.closed()));
  }

  /** By how much the copies of a range could be better than they are, its primary where it is. */
  private Optional<String> falling(Route route, List<Long> holders) {
    List<Candidate> all = sites.stream().map(Placement::candidate).toList();
    List<Candidate> present = new ArrayList<>();
    for (long holder : holders) {
      all.stream().filter(one -> one.node().value() == holder).forEach(present::add);
    }
    boolean fixed = !present.isEmpty() && present.getFirst().node().equals(route.primary());
    Set<String> kinds =
        all.stream().map(one -> one.engine().kind()).collect(Collectors.toCollection(TreeSet::new));
    CopyNeeds.Shortfall now =
        needs.shortfall(present.stream().map(Candidate::engine).toList(), kinds);
    CopyNeeds.Shortfall least = CopyChange.of(needs, present, fixed, all).shortfall();
    long hosts = present.stream().map(Candidate::host).distinct().count();
    if (now.compareTo(least) > 0) {
      return Optional.of("range %s lacks copies: %s".formatted(route.range(), now));
    }
    return hosts < present.size() || present.size() < holders.size()
        ? Optional.of("a copy of range %s is one too many".formatted(route.range()))
        : Optional.empty();
  }

  private static Candidate candidate(Site site) {
    return new Candidate(new NodeId(site.node()), site.host(), site.engine());
  }
}
