package org.ecstore.sim.end;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.KeyMiddle;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AdminRequest;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.steward.decision.Decision;

/**
 * An operator's work on a cluster at rest, where nothing is in its way: ranges are split and
 * merged, and stay where they are moved to; the node that leads is drained, while each range keeps
 * its copies, and another leads then (rules 17, 19).
 */
final class OperatorInTheEnd {
  private static final long SECOND = SwarmSettings.SECOND;
  private static final long LOOK_NANOS = SECOND / 20;
  private static final long TIMEOUT_NANOS = 100 * SECOND;

  /** A range that another change has given another id in the meantime is asked for anew. */
  private static final int TRIES = 3;

  private final World world;
  private final SimCluster cluster;
  private final NodeSettings settings;
  private final LedgerModel model;
  private final SimRandom random;
  private long lastId;

  /** What the last request came to that was not done. */
  private String refusal = "";

  OperatorInTheEnd(World world, SimCluster cluster, NodeSettings settings, LedgerModel model) {
    this.world = world;
    this.cluster = cluster;
    this.settings = settings;
    this.model = model;
    this.random = world.random("operator in the end");
  }

  /** Does it all; each part in some runs. */
  void works() {
    // A steward that balances by itself has reasons of its own to change ranges.
    boolean isOwn = !settings.balance().automatic();
    if (isOwn && random.chance(0.6) && rests()) {
      splitsAndMerges();
    }
    if (isOwn && nodes() > 1 && random.chance(0.6) && rests()) {
      moves();
    }
    if (nodes() > Math.max(1, settings.steward().copies()) && rests()) {
      drains();
    }
  }

  private int nodes() {
    return cluster.hosts().size();
  }

  private boolean isSound() {
    return world.violations().isEmpty();
  }

  private void pass(long nanos) {
    world.runFor(nanos);
    model.catchUp(cluster.ledger().durable());
  }

  private boolean awaits(BooleanSupplier condition) {
    return world.runUntil(world.nowNanos() + TIMEOUT_NANOS, condition) && condition.getAsBoolean();
  }

  /** Whether the map does not change for as long as it takes until ranges go back to nodes. */
  private boolean rests() {
    long until = world.nowNanos() + 2 * TIMEOUT_NANOS;
    while (isSound() && world.nowNanos() < until) {
      model.catchUp(cluster.ledger().durable());
      MapVersion before = model.map().version();
      pass(restNanos());
      if (model.map().version().equals(before)) {
        return isSound();
      }
    }
    return false;
  }

  private long restNanos() {
    return 2 * (settings.steward().settledNanos() + settings.askNanos() + SECOND);
  }

  private Optional<Node> leader() {
    return cluster.hosts().stream()
        .filter(host -> cluster.coordination().leader().equals(Optional.of(host.id())))
        .flatMap(host -> host.machine() instanceof Node node ? Stream.of(node) : Stream.empty())
        .findFirst();
  }

  private boolean isDone(AdminRequest request) {
    return isDone(request, () -> {});
  }

  /** Asks until it is decided, and looks at something meanwhile; whether it was done. */
  private boolean isDone(AdminRequest request, Runnable look) {
    long id = ++lastId;
    long until = world.nowNanos() + TIMEOUT_NANOS;
    refusal = request + ": no steward answers";
    while (isSound() && world.nowNanos() < until) {
      Optional<Decision> now = leader().map(steward -> steward.adminRequest(request, id));
      // Number 0 is the answer of a node that is not the steward yet.
      if (now.isPresent() && now.get().number() > 0) {
        refusal = now.get().toString();
        if (now.get().outcome() == Decision.Outcome.REFUSED) {
          return false;
        }
      }
      pass(LOOK_NANOS);
      look.run();
      if (now.isPresent()
          && now.get().number() > 0
          && now.get().outcome() == Decision.Outcome.DONE) {
        return isSound();
      }
    }
    return false;
  }

  private void notDone() {
    if (isSound()) {
      world.violated(Promises.REQUESTS_DONE, refusal);
    }
  }

  private NodeId anyNode() {
    return random.pick(cluster.hosts()).id();
  }

  private RangeDescriptor anyRange() {
    return random.pick(model.map().ranges());
  }

  private void splitsAndMerges() {
    world.happened("an operator splits and merges in the end");
    for (int i = 0; i < TRIES && isSound(); i++) {
      RangeDescriptor whole = anyRange();
      Optional<Bytes> middle = KeyMiddle.of(whole.keys());
      if (middle.isPresent()
          && isDone(new AdminRequest.Split(whole.id(), middle))
          && isMerged(whole.keys(), middle.get())) {
        return;
      }
      pass(SECOND);
    }
    notDone();
  }

  private boolean isMerged(KeyRange whole, Bytes middle) {
    Optional<RangeDescriptor> left = range(whole.start());
    Optional<RangeDescriptor> right = range(middle);
    return left.isPresent()
        && right.isPresent()
        && isDone(new AdminRequest.Merge(left.get().id(), right.get().id()));
  }

  private Optional<RangeDescriptor> range(Bytes key) {
    return model.map().rangeOf(key);
  }

  /** Two ranges are moved, one after the other; no other range goes anywhere. */
  private void moves() {
    Map<Bytes, NodeId> expected = primaries();
    for (int i = 0; i < 2 && isSound(); i++) {
      RangeDescriptor range = anyRange();
      NodeId to = anyNode();
      // What cannot be, as where a node would lose its last range, is refused with a reason.
      if (!to.equals(range.primary())
          && isDone(new AdminRequest.Move(range.id(), to, Optional.empty()))) {
        world.happened("an operator moves a range in the end");
        expected.put(range.keys().start(), to);
        pass(restNanos());
        Map<Bytes, NodeId> found = primaries();
        if (isSound() && !found.equals(expected)) {
          world.violated(
              Promises.STAYS_PUT,
              "%s was moved to %s: %s, not %s".formatted(range, to, found, expected));
        }
      }
    }
  }

  private Map<Bytes, NodeId> primaries() {
    Map<Bytes, NodeId> primaries = new TreeMap<>();
    model.map().ranges().forEach(range -> primaries.put(range.keys().start(), range.primary()));
    return primaries;
  }

  private void drains() {
    Optional<NodeId> leads = cluster.coordination().leader();
    NodeId drained = random.chance(0.7) && leads.isPresent() ? leads.get() : anyNode();
    if (!isDone(new AdminRequest.Drain(drained), this::copiesStay)) {
      notDone();
      return;
    }
    world.happened("a node is drained in the end");
    BooleanSupplier another =
        () -> cluster.coordination().leader().filter(now -> !now.equals(drained)).isPresent();
    if (!awaits(another) && isSound()) {
      world.violated(Promises.DRAINED_STANDS_BACK, drained + " leads");
    }
    for (SimHost host : cluster.hosts()) {
      if (host.id().equals(drained) && host.machine() instanceof Node node) {
        node.stay();
      }
    }
  }

  private void copiesStay() {
    for (RangeDescriptor range : model.map().ranges()) {
      if (range.secondaries().size() + 1 < settings.steward().copies()) {
        world.violated(Promises.COPIES_STAY, "there are fewer of " + range);
        return;
      }
    }
  }
}
