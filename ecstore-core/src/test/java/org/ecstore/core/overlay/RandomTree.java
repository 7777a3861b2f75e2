package org.ecstore.core.overlay;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** A tree that changes at random, step by step, from a seed. */
public final class RandomTree {
  final Random random;
  private BatonTree tree = BatonTree.single(new NodeId(0));
  private long nextNode = 1;

  public RandomTree(long seed) {
    random = new Random(seed);
  }

  /** A tree of a size, grown with some leaves and rejoins in between. */
  public static BatonTree ofSize(int size, long seed) {
    RandomTree tree = new RandomTree(seed);
    while (tree.tree.size() < size) {
      int dice = tree.random.nextInt(10);
      if (dice == 0) {
        tree.leave();
      } else if (dice == 1) {
        tree.rejoin();
      } else {
        tree.join();
      }
    }
    return tree.tree();
  }

  public BatonTree tree() {
    return tree;
  }

  /** Any change that is possible now, joins more often while the tree is small. */
  public Optional<TreeChange> step(int sizeMax) {
    int dice = random.nextInt(12);
    if (dice < 6) {
      return random.nextInt(sizeMax) < tree.size() ? leave() : join();
    }
    if (dice < 8) {
      return random.nextBoolean() ? leave() : leaveTo();
    }
    return dice < 10 ? rejoin() : shift();
  }

  public Optional<TreeChange> join() {
    JoinPlan plan = tree.whereToJoin(new NodeId(nextNode), anyPlace().node());
    Optional<Bytes> split = splitOf(tree.place(plan.parent()).keys());
    if (split.isEmpty()) {
      return Optional.empty();
    }
    nextNode++;
    return become(tree.join(plan, split.get()));
  }

  Optional<TreeChange> leave() {
    return tree.size() == 1 ? Optional.empty() : become(tree.leave(anyPlace().node()));
  }

  Optional<TreeChange> leaveTo() {
    NodeId node = anyPlace().node();
    return tree.adjacent(node, random.nextBoolean() ? Side.LEFT : Side.RIGHT)
        .flatMap(heir -> become(tree.leaveTo(node, heir.node())));
  }

  Optional<TreeChange> rejoin() {
    Place light = anyPlace();
    Place loaded = anyPlace();
    boolean near =
        light.equals(loaded)
            || tree.adjacent(light.node(), Side.LEFT).equals(Optional.of(loaded))
            || tree.adjacent(light.node(), Side.RIGHT).equals(Optional.of(loaded));
    Optional<Bytes> split = splitOf(loaded.keys());
    return near || !tree.isLeaf(light.node()) || split.isEmpty()
        ? Optional.empty()
        : become(tree.rejoin(light.node(), loaded.node(), split.get()));
  }

  Optional<TreeChange> shift() {
    Place left = anyPlace();
    Optional<Place> right = tree.adjacent(left.node(), Side.RIGHT);
    if (right.isEmpty()) {
      return Optional.empty();
    }
    Optional<Bytes> boundary = splitOf(random.nextBoolean() ? left.keys() : right.get().keys());
    if (boundary.isEmpty()) {
      return Optional.empty();
    }
    return become(
        random.nextBoolean()
            ? tree.shiftBoundary(left.node(), right.get().node(), boundary.get())
            : tree.shiftBoundary(right.get().node(), left.node(), boundary.get()));
  }

  public Place anyPlace() {
    List<Place> places = tree.inOrder();
    return places.get(random.nextInt(places.size()));
  }

  private static Optional<Bytes> splitOf(KeyRange keys) {
    return KeyMiddle.of(keys);
  }

  private Optional<TreeChange> become(TreeChange change) {
    tree = change.tree();
    return Optional.of(change);
  }
}
