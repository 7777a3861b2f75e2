package org.ecstore.cluster.zookeeper;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Znode;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.Violation;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/**
 * Processes that join, replace values, read and watch them, stand still, are cut off and die, all
 * at one coordination and without a cluster around them, in virtual time: what each is told is
 * checked as it comes ({@link CrowdNode}). In the end, when nothing fails any more, all must be
 * told the same, and every watch of a value that has changed must have fired. Then those that lead
 * die one after the other: each time the next of the order leads.
 */
final class CoordinationCrowd {
  static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);
  static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  static final List<String> KEYS = List.of("segments", "steward");
  private static final int NODES = 4;

  final World world;
  final SimRandom random;
  final FakeEnsemble ensemble;
  final Layout layout = Layout.of("crowd");
  final ZooKeeperSettings settings;
  final ProcessCoordination.Parts parts;

  /** Whether every sync does what it says: then no read may be older than its beginning. */
  final boolean syncsAreHonest;

  private final Map<String, List<String>> written = new TreeMap<>();
  private final Set<String> lost = new HashSet<>();
  private final Map<NodeId, Set<Long>> incarnations = new HashMap<>();
  private final List<CrowdNode> lives = new ArrayList<>();
  private boolean rests;

  private CoordinationCrowd(long seed, ProcessCoordination.Parts parts) {
    this.world = new World(seed, new Trace(null));
    this.random = world.random("crowd");
    this.parts = parts;
    this.syncsAreHonest = random.chance(0.5);
    long lagNanosMax = random.skewed(10 * MILLI, 5 * SECOND);
    long delayNanosMax = random.skewed(MILLI, 200 * MILLI);
    long deposedNanosMax = syncsAreHonest ? 0 : random.skewed(10 * MILLI, 3 * SECOND);
    this.ensemble =
        new FakeEnsemble(
            world.scheduler(),
            world.random("ensemble"),
            new FakeEnsemble.Faults(
                lagNanosMax,
                delayNanosMax,
                deposedNanosMax,
                deposedNanosMax,
                random.chance(0.5) ? 0 : random.between(1, 100) / 1000.0),
            world::faulty);
    this.settings =
        ZooKeeperSettings.defaults()
            .withSession(Duration.ofMillis(random.between(300, 3_000)))
            .withCallWithin(Duration.ofMillis(random.between(300, 3_000)));
    layout.permanent().forEach(ensemble::prepare);
    Map<String, String> keys = new LinkedHashMap<>();
    KEYS.forEach(key -> keys.put(layout.value(key), key));
    ensemble.afterCommit(this::checkAnnounced);
    ensemble.onWrite((_, path, znode) -> written(keys.get(path), znode));
  }

  /** What broke the promises of a seed: nothing, or the first violation. */
  static List<Violation> run(long seed, ProcessCoordination.Parts parts) {
    return new CoordinationCrowd(seed, parts).run();
  }

  private List<Violation> run() {
    for (int i = 1; i <= NODES; i++) {
      begin(new NodeId(i));
    }
    until(random.between(2, 20) * SECOND);
    world.heal();
    until(world.nowNanos() + SECOND);
    lives.forEach(CrowdNode::heal);
    until(world.nowNanos() + 10 * SECOND);
    rests = true;
    until(world.nowNanos() + 10 * SECOND);
    if (world.violations().isEmpty()) {
      checkEnd();
      checkSuccession();
    }
    return world.violations();
  }

  private void until(long nanos) {
    boolean more = true;
    while (more && world.violations().isEmpty()) {
      more = world.scheduler().step(nanos);
    }
  }

  boolean rests() {
    return rests;
  }

  /** Each second node is next to lead when it joins. */
  ZooKeeperSettings settingsOf(NodeId node) {
    return settings.withNextToLead(node.value() % 2 == 0);
  }

  /** Starts a process of a node, whether or not another is there. */
  void begin(NodeId node) {
    CrowdNode life = new CrowdNode(this, node, lives.size() + 1);
    lives.add(life);
    life.begin();
  }

  private void written(@Nullable String key, Znode znode) {
    if (key == null) {
      return;
    }
    String value = new String(znode.data().array(), StandardCharsets.UTF_8);
    List<String> all = written.computeIfAbsent(key, _ -> new ArrayList<>());
    all.add(value);
    check(all.size() == znode.version() + 1, "versions are dense", key);
    check(!lost.contains(value), "what was lost is not done", value);
  }

  private void checkAnnounced() {
    List<NodeId> nodes =
        ensemble.children(layout.members()).stream()
            .flatMap(name -> MemberEntry.parse(name).stream())
            .map(entry -> entry.member().node())
            .toList();
    check(
        nodes.stream().distinct().count() == nodes.size(),
        "at no time two incarnations of a node are announced",
        nodes.toString());
  }

  void check(boolean holds, String rule, String detail) {
    if (!holds) {
      world.violated(rule, detail);
    }
  }

  /** The newest version of a key; 0 if it has no value. */
  long version(String key) {
    return written.getOrDefault(key, List.of()).size();
  }

  String value(String key, long version) {
    return written.getOrDefault(key, List.of()).get((int) version - 1);
  }

  /** A replacement was said to be lost: it is not there and never will be. */
  void isLost(String key, String value) {
    lost.add(value);
    check(
        !written.getOrDefault(key, List.of()).contains(value), "what was lost is not done", value);
  }

  void joined(NodeId node, long incarnation) {
    check(
        incarnations.computeIfAbsent(node, _ -> new HashSet<>()).add(incarnation),
        "an incarnation is one life's",
        node + " " + incarnation);
  }

  /** A node whose newest process is dead gets another. */
  boolean isAlone(CrowdNode life) {
    return lives.stream()
        .noneMatch(other -> other != life && other.isAlive() && other.node().equals(life.node()));
  }

  private void checkEnd() {
    List<CrowdNode> alive = alive();
    Map<NodeId, Long> expected = new TreeMap<>();
    for (CrowdNode life : alive) {
      life.checkEnd();
      check(
          expected.put(life.node(), life.incarnation()) == null,
          "an earlier incarnation is displaced",
          life.toString());
    }
    Set<NodeId> leaders = new HashSet<>();
    Set<List<NodeId>> successions = new HashSet<>();
    for (CrowdNode life : alive) {
      Map<NodeId, Long> told = new TreeMap<>();
      for (Member member : life.members()) {
        told.put(member.node(), member.incarnation());
      }
      check(told.equals(expected), "all hear who is there", life + ": " + told + " " + expected);
      life.leader().ifPresent(leaders::add);
      successions.add(life.succession());
    }
    check(
        alive.isEmpty() || (leaders.size() == 1 && expected.keySet().containsAll(leaders)),
        "all hear of one leader",
        leaders.toString());
    check(
        alive.isEmpty()
            || (successions.size() == 1
                && leaders.contains(successions.iterator().next().getFirst())),
        "all hear of one order in which they come to lead",
        successions.toString());
  }

  private List<CrowdNode> alive() {
    return lives.stream().filter(CrowdNode::isAlive).toList();
  }

  private void checkSuccession() {
    while (alive().size() > 1 && world.violations().isEmpty()) {
      List<NodeId> order = alive().getFirst().succession();
      alive().stream().filter(life -> life.node().equals(order.getFirst())).forEach(CrowdNode::end);
      until(world.nowNanos() + 10 * SECOND);
      List<NodeId> left = order.subList(1, order.size());
      for (CrowdNode life : alive()) {
        check(
            life.leader().equals(Optional.of(left.getFirst())) && life.succession().equals(left),
            "the next of the order leads",
            life + ": " + life.leader() + " " + life.succession() + " of " + left);
      }
    }
  }
}
