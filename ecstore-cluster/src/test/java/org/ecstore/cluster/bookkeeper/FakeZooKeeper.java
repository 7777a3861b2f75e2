package org.ecstore.cluster.bookkeeper;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.ecstore.sim.world.SimRandom;

/**
 * ZooKeeper as its sessions see it: each from a server of its own, that may be behind. A session
 * never goes back; a {@code sync} and its own writes bring it up to date; a new session may be
 * further behind than the last one was.
 */
final class FakeZooKeeper {
  private final Map<String, NavigableMap<Long, Optional<Node>>> history = new TreeMap<>();
  private long changes;

  /** What stands at a path. */
  record Node(Object value, int version) {}

  /** The path has not the version that was expected. */
  static final class BadVersion extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** What is there, with nothing between. */
  Optional<Node> now(String path) {
    return at(path, changes);
  }

  private Optional<Node> at(String path, long change) {
    var versions = history.get(path);
    var seen = versions == null ? null : versions.floorEntry(change);
    return seen == null ? Optional.empty() : seen.getValue();
  }

  private void put(String path, Optional<Node> node) {
    history.computeIfAbsent(path, _ -> new TreeMap<>()).put(++changes, node);
  }

  /** A session. */
  final class Session {
    private final SimRandom random;
    private final FakeFaults faults;
    private final BooleanSupplier faulty;
    private long seen = changes;
    private boolean behind;

    Session(SimRandom random, FakeFaults faults, BooleanSupplier faulty) {
      this.random = random;
      this.faults = faults;
      this.faulty = faulty;
    }

    /** From now on its server hears of nothing new, until the session makes it. */
    void behind() {
      seen = changes;
      behind = true;
    }

    Optional<Node> read(String path) {
      if (faulty.getAsBoolean() && random.chance(faults.renewed())) {
        seen = random.between(Math.max(0, changes - 8), changes);
      } else if (!behind && !(faulty.getAsBoolean() && random.chance(faults.stale()))) {
        seen = changes;
      }
      return at(path, seen);
    }

    /** What is there now: a sync, and a read behind it in the same session. */
    Optional<Node> readSynced(String path) {
      sync();
      return at(path, seen);
    }

    /** Everything there is, seen as by {@link #read}. */
    Map<String, Node> all(String prefix) {
      Map<String, Node> found = new TreeMap<>();
      Optional<Node> _ = read(prefix);
      for (String path : history.keySet()) {
        if (path.startsWith(prefix)) {
          at(path, seen).ifPresent(node -> found.put(path, node));
        }
      }
      return found;
    }

    void sync() {
      seen = changes;
    }

    Node create(String path, Object value) {
      Node node = new Node(value, 0);
      put(path, Optional.of(node));
      sync();
      return node;
    }

    Node write(String path, Object value, int version) throws BadVersion {
      sync();
      Node before = now(path).orElseThrow(BadVersion::new);
      if (before.version() != version) {
        throw new BadVersion();
      }
      Node node = new Node(value, version + 1);
      put(path, Optional.of(node));
      sync();
      return node;
    }

    void delete(String path) {
      put(path, Optional.empty());
      sync();
    }
  }
}
