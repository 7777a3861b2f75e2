package org.ecstore.core.overlay;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.ecstore.check.Check;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/**
 * Grows and shrinks a tree by random joins and leaves and measures what it costs and how far routes
 * are. The tree grows to N nodes, is measured, goes on to half as many again, shrinks back to N and
 * is measured again; while it grows one change in eight is a leave, while it shrinks one in eight a
 * join. The same seed gives the same report.
 *
 * <p>A newcomer asks a random node; who leaves is random too. Routes start at every node equally
 * often and lead to the first key of a random node's interval, so that narrow intervals count as
 * much as wide ones (random keys would mostly be owned near the root). Small trees are measured
 * completely: from every node to every node.
 */
public final class OverlayExperiment {
  /** Routes measured each time where a tree is too large to measure all of them. */
  private static final int ROUTES_MIN = 200_000;

  private final int nodes;
  private final Random random;
  private final Progress progress;

  private final List<NodeId> members = new ArrayList<>();
  private BatonTree tree;
  private long nextNode;
  private long joins;
  private long joinMessages;
  private long leaves;
  private long leaveMessages;
  private long routes;
  private long hops;
  private int hopsMax;

  /** Told of work done, in units of which {@link #steps} are the whole. */
  @FunctionalInterface
  public interface Progress {
    void done(long steps);
  }

  /** An experiment with at least one node. */
  public OverlayExperiment(int nodes, long seed, Progress progress) {
    if (nodes < 1) {
      throw new IllegalArgumentException("a tree has at least one node: " + nodes);
    }
    this.nodes = nodes;
    this.random = new Random(seed);
    this.progress = progress;
    NodeId first = new NodeId(nextNode++);
    this.tree = BatonTree.single(first);
    members.add(first);
  }

  /** About how many steps {@link #run} reports. */
  public static long steps(int nodes) {
    return 3L * nodes + 2L * nodes;
  }

  /** Runs the experiment; once. */
  public OverlayReport run() {
    grow(nodes);
    measure();
    grow(Math.max(nodes + 1, nodes + nodes / 2));
    shrink();
    measure();
    return new OverlayReport(
        nodes,
        tree.height(),
        hopsMax,
        (double) hops / routes,
        bound(nodes),
        (double) joinMessages / joins,
        (double) leaveMessages / leaves);
  }

  /** The most hops a route may take: 1.44 log2 N + 2. */
  public static double bound(int nodes) {
    return 1.44 * Math.log(nodes) / Math.log(2) + 2;
  }

  private void grow(int target) {
    while (tree.size() < target) {
      if (tree.size() > 1 && random.nextInt(8) == 0) {
        leave();
      } else {
        join();
      }
      progress.done(1);
    }
  }

  private void shrink() {
    while (tree.size() > nodes) {
      if (random.nextInt(8) == 0) {
        join();
      } else {
        leave();
      }
      progress.done(1);
    }
  }

  private void join() {
    NodeId newcomer = new NodeId(nextNode++);
    JoinPlan plan = tree.whereToJoin(newcomer, members.get(random.nextInt(members.size())));
    Bytes splitKey = KeyMiddle.of(tree.place(plan.parent()).keys()).orElseThrow();
    TreeChange change = tree.join(plan, splitKey);
    tree = change.tree();
    members.add(newcomer);
    joins++;
    joinMessages += change.messages();
  }

  private void leave() {
    int index = random.nextInt(members.size());
    Collections.swap(members, index, members.size() - 1);
    TreeChange change = tree.leave(members.removeLast());
    tree = change.tree();
    leaves++;
    leaveMessages += change.messages();
  }

  private void measure() {
    List<Place> places = tree.inOrder();
    Map<NodeId, NodeLinks> links = new HashMap<>();
    places.forEach(place -> links.put(place.node(), tree.links(place.node())));
    boolean all = (long) places.size() * places.size() <= ROUTES_MIN;
    int each = all ? places.size() : Math.ceilDiv(ROUTES_MIN, places.size());
    for (Place from : places) {
      for (int i = 0; i < each; i++) {
        Place to = places.get(all ? i : random.nextInt(places.size()));
        follow(links, from, to);
      }
      progress.done(1);
    }
  }

  private void follow(Map<NodeId, NodeLinks> links, Place from, Place to) {
    Bytes key = to.keys().start();
    Place at = from;
    Optional<Place> next = linksOf(links, at).firstHop(key);
    int taken = 0;
    while (next.isPresent()) {
      Place sender = at;
      at = next.get();
      next = linksOf(links, at).nextHop(key, sender.node());
      taken++;
      Check.that(taken <= links.size(), "a route ends", from, to);
    }
    Check.that(at.equals(to), "a route ends at the owner", at, to);
    routes++;
    hops += taken;
    hopsMax = Math.max(hopsMax, taken);
  }

  private static NodeLinks linksOf(Map<NodeId, NodeLinks> links, Place place) {
    return Objects.requireNonNull(links.get(place.node()));
  }
}
