package org.ecstore.sim;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.overlay.BatonTree;
import org.ecstore.core.overlay.Handover;
import org.ecstore.core.overlay.JoinPlan;
import org.ecstore.core.overlay.KeyMiddle;
import org.ecstore.core.overlay.NodeLinks;
import org.ecstore.core.overlay.OverlayExperiment;
import org.ecstore.core.overlay.Place;
import org.ecstore.core.overlay.Side;
import org.ecstore.core.overlay.TreeChange;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.World;

/**
 * A tree of more nodes than a run has machines: it grows, shrinks and is restructured step by step;
 * then each node is found from each other one by links alone (rule 20). No time passes.
 */
final class DrawnOverlay {
  private static final int NODES_MAX = 40;

  private final World world;
  private final SimRandom random;
  private BatonTree tree = BatonTree.single(new NodeId(1));
  private long lastNode = 1;

  DrawnOverlay(World world) {
    this.world = world;
    this.random = world.random("drawn overlay");
  }

  /** Draws one. */
  void draw() {
    try {
      int steps = random.between(2, 2 * NODES_MAX);
      int most = random.between(2, NODES_MAX);
      for (int i = 0; i < steps && world.violations().isEmpty(); i++) {
        step(most);
        outOfOrder(tree.inOrder())
            .ifPresent(what -> world.violated(Promises.OVERLAY, what + " in " + tree));
      }
      if (world.violations().isEmpty()) {
        isSearched();
      }
    } catch (RuntimeException e) {
      // The steward that made this change would end by it.
      world.violated(Promises.OVERLAY, "of " + tree + ": " + e);
    }
  }

  /** The tree as it was drawn. */
  BatonTree tree() {
    return tree;
  }

  private void step(int most) {
    int kind = random.between(0, 9);
    if (kind < 6) {
      if (tree.size() < most) {
        join();
      } else {
        leave();
      }
    } else if (kind < 7) {
      leave();
    } else if (kind < 9) {
      rejoin();
    } else {
      leaveToNeighbour();
    }
  }

  private Place any() {
    return random.pick(tree.inOrder());
  }

  private void join() {
    NodeId newcomer = new NodeId(++lastNode);
    JoinPlan plan = tree.whereToJoin(newcomer, any().node());
    KeyMiddle.of(tree.place(plan.parent()).keys())
        .ifPresent(split -> become(tree.join(plan, split)));
  }

  private void leave() {
    if (tree.size() > 1) {
      become(tree.leave(any().node()));
    }
  }

  private void leaveToNeighbour() {
    NodeId node = any().node();
    tree.adjacent(node, random.pick(List.of(Side.LEFT, Side.RIGHT)))
        .ifPresent(heir -> become(tree.leaveTo(node, heir.node())));
  }

  private void rejoin() {
    Place light = any();
    Place loaded = any();
    boolean isNear =
        light.equals(loaded)
            || tree.adjacent(light.node(), Side.LEFT).equals(Optional.of(loaded))
            || tree.adjacent(light.node(), Side.RIGHT).equals(Optional.of(loaded));
    if (!isNear && tree.isLeaf(light.node())) {
      KeyMiddle.of(loaded.keys())
          .ifPresent(split -> become(tree.rejoin(light.node(), loaded.node(), split)));
    }
  }

  /** Who gives keys had them, and who takes them has them then. */
  private void become(TreeChange change) {
    for (Handover given : change.handovers()) {
      if (!tree.place(given.from()).keys().contains(given.keys())
          || !change.tree().place(given.to()).keys().contains(given.keys())) {
        world.violated(Promises.OVERLAY, "%s of %s gives %s".formatted(given, tree, change));
      }
    }
    tree = change.tree();
  }

  /** In the order of the tree the nodes' keys tile all keys; else what is wrong. */
  static Optional<String> outOfOrder(List<Place> inOrder) {
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    double before = 0;
    for (Place place : inOrder) {
      double at = (2.0 * place.position().number() + 1) / (1L << (place.position().level() + 1));
      if (!expected.equals(Optional.of(place.keys().start())) || at <= before) {
        return Optional.of("out of order at " + place);
      }
      expected = place.keys().end();
      before = at;
    }
    return expected.map(end -> "no keys from " + end + " on");
  }

  private void isSearched() {
    Map<NodeId, NodeLinks> links = new TreeMap<>();
    tree.inOrder().forEach(place -> links.put(place.node(), tree.links(place.node())));
    int most = (int) OverlayExperiment.bound(tree.size());
    for (Place from : tree.inOrder()) {
      for (Place to : tree.inOrder()) {
        int hops = hops(links, from.node(), to, most);
        if (hops > most) {
          world.violated(
              Promises.OVERLAY,
              "more than %d hops from %s to %s in %s".formatted(most, from, to, tree));
          return;
        }
      }
    }
  }

  private static int hops(Map<NodeId, NodeLinks> links, NodeId from, Place to, int most) {
    Bytes key = to.keys().start();
    NodeId at = from;
    Optional<Place> next = linksOf(links, at).firstHop(key);
    int hops = 0;
    while (next.isPresent() && hops <= most) {
      NodeId sender = at;
      at = next.get().node();
      next = linksOf(links, at).nextHop(key, sender);
      hops++;
    }
    return at.equals(to.node()) ? hops : most + 1;
  }

  private static NodeLinks linksOf(Map<NodeId, NodeLinks> links, NodeId node) {
    return Objects.requireNonNull(links.get(node));
  }
}
