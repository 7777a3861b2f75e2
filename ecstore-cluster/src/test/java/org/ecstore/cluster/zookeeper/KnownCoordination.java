package org.ecstore.cluster.zookeeper;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.cluster.zookeeper.FakeEnsemble.Znode;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Event.MembersChanged;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.World;
import org.jspecify.annotations.Nullable;

/** Coordination as it has been since the beginning: what nodes are told is held against it. */
final class KnownCoordination {
  private record Written(String by, Bytes value) {}

  private final World world;
  private final FakeEnsemble ensemble;
  private final Layout layout;

  /** Keys that a node has named. */
  private final Map<String, String> keys = new HashMap<>();

  private final Map<String, List<Written>> values = new TreeMap<>();
  private final Map<NodeId, Long> incarnations = new TreeMap<>();
  private final List<MembersChanged> views = new ArrayList<>();
  private List<String> names = List.of();
  private List<MemberEntry> entries = List.of();
  private long suspicions;

  KnownCoordination(World world, FakeEnsemble ensemble, Layout layout) {
    this.world = world;
    this.ensemble = ensemble;
    this.layout = layout;
    views.add(new MembersChanged(List.of(), List.of()));
  }

  /** Looks who is announced; after each change. */
  void look() {
    List<String> now = ensemble.children(layout.members());
    if (now.equals(names)) {
      return;
    }
    names = now;
    entries =
        now.stream()
            .flatMap(name -> MemberEntry.parse(name).stream())
            .sorted(
                Comparator.comparingInt(MemberEntry::seniority)
                    .thenComparingInt(MemberEntry::number))
            .toList();
    List<NodeId> succession = entries.stream().map(entry -> entry.member().node()).toList();
    List<Member> members =
        entries.stream()
            .map(MemberEntry::member)
            .sorted(Comparator.comparing(Member::node))
            .toList();
    if (succession.stream().distinct().count() < succession.size()) {
      world.violated("at no time two incarnations of a node are announced", members.toString());
    }
    world.trace().mix(members.size());
    world.line("coordination", "announced are " + succession);
    views.add(new MembersChanged(members, succession));
  }

  MembersChanged now() {
    return views.getLast();
  }

  Optional<NodeId> leader() {
    return leader(now());
  }

  private static Optional<NodeId> leader(MembersChanged view) {
    return view.succession().stream().findFirst();
  }

  /** How a node is announced at present. */
  Optional<MemberEntry> entry(NodeId node) {
    return entries.stream().filter(entry -> entry.member().node().equals(node)).findFirst();
  }

  /** How often the members have changed. */
  int changes() {
    return views.size() - 1;
  }

  /** Whether a node was to lead at some time since so many changes. */
  boolean hasLed(Optional<NodeId> node, int since) {
    return views.subList(since, views.size()).stream().anyMatch(view -> leader(view).equals(node));
  }

  /** Whether the members have been these, in that order. */
  boolean hasBeen(MembersChanged view) {
    return views.contains(view);
  }

  /** A node takes an incarnation of another for dead. */
  void suspected(NodeId node, long incarnation) {
    if (entry(node).filter(entry -> entry.isOf(node, incarnation)).isPresent()) {
      suspicions++;
    }
  }

  long suspicions() {
    return suspicions;
  }

  /** What tells whether a server has followed a leader that was none, since. */
  int deposals() {
    return ensemble.isOneDeposed() ? -1 : ensemble.deposals();
  }

  boolean isHonestSince(int deposals) {
    return deposals == ensemble.deposals();
  }

  void named(String key) {
    keys.put(layout.value(key), key);
  }

  /** A znode is written; whether it is a value. */
  boolean written(String by, String path, Znode znode) {
    @Nullable String key = keys.get(path);
    if (key == null) {
      return false;
    }
    List<Written> all = values.computeIfAbsent(key, _ -> new ArrayList<>());
    all.add(new Written(by, znode.data()));
    if (all.size() != znode.version() + 1) {
      world.violated("versions are dense", key + " " + znode.version());
    }
    return true;
  }

  /** The newest version of a key; 0 if it has no value. */
  long version(String key) {
    return values.getOrDefault(key, List.of()).size();
  }

  /** What a version was; absent if it is none. */
  Optional<Bytes> value(String key, long version) {
    return find(key, version).map(Written::value);
  }

  boolean isBy(String key, long version, String life) {
    return find(key, version).filter(written -> written.by().equals(life)).isPresent();
  }

  private Optional<Written> find(String key, long version) {
    return version <= 0 || version > version(key)
        ? Optional.empty()
        : Optional.of(values.getOrDefault(key, List.of()).get((int) version - 1));
  }

  /** The greatest incarnation that a node was told, by whichever of its processes. */
  long incarnation(NodeId node) {
    return incarnations.getOrDefault(node, 0L);
  }

  void joined(NodeId node, long incarnation) {
    incarnations.merge(node, incarnation, Math::max);
  }

  /** How often a node has begun to join. */
  long begun(NodeId node) {
    return Optional.ofNullable(ensemble.latest(layout.incarnation(node)))
        .map(znode -> znode.version() + 1L)
        .orElse(0L);
  }
}
