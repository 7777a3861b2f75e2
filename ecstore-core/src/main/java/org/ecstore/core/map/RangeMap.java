package org.ecstore.core.map;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.check.Check;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * All range descriptors at one map version: an immutable value. Either empty (version 0) or tiling
 * all keys, each key owned once.
 */
public final class RangeMap {
  /** Before the first change. */
  public static final RangeMap EMPTY = new RangeMap(MapVersion.ZERO, new TreeMap<>());

  private final MapVersion version;
  private final TreeMap<Bytes, RangeDescriptor> byStart;
  private final Map<RangeId, RangeDescriptor> byId = new TreeMap<>();

  private RangeMap(MapVersion version, TreeMap<Bytes, RangeDescriptor> byStart) {
    this.version = version;
    this.byStart = byStart;
    byStart.values().forEach(descriptor -> byId.put(descriptor.id(), descriptor));
  }

  /** A map from its descriptors, which must tile all keys. */
  public static RangeMap of(MapVersion version, Collection<RangeDescriptor> descriptors) {
    TreeMap<Bytes, RangeDescriptor> byStart = new TreeMap<>();
    descriptors.forEach(descriptor -> byStart.put(descriptor.keys().start(), descriptor));
    RangeMap map = new RangeMap(version, byStart);
    map.checkTiled();
    return map;
  }

  /** M. */
  public MapVersion version() {
    return version;
  }

  /** The range that owns a key; absent only in the empty map. */
  public Optional<RangeDescriptor> rangeOf(Bytes key) {
    Map.Entry<Bytes, RangeDescriptor> floor = byStart.floorEntry(key);
    return floor == null ? Optional.empty() : Optional.of(floor.getValue());
  }

  /** A range by its id; absent if it was retired or never was. */
  public Optional<RangeDescriptor> range(RangeId id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** All ranges in key order. */
  public List<RangeDescriptor> ranges() {
    return List.copyOf(byStart.values());
  }

  /** The ranges that overlap an interval, in key order. */
  public List<RangeDescriptor> overlapping(KeyRange interval) {
    List<RangeDescriptor> found = new ArrayList<>();
    Bytes from = byStart.floorKey(interval.start());
    if (from == null) {
      return found;
    }
    for (RangeDescriptor descriptor : byStart.tailMap(from, true).values()) {
      if (!interval.isBelowEnd(descriptor.keys().start())) {
        break;
      }
      found.add(descriptor);
    }
    return found;
  }

  /** The next version of the map. The change must be the next one and must keep all keys tiled. */
  public RangeMap apply(MapChange change) {
    Check.that(
        change.version().equals(version.next()), "map changes apply in order", version, change);
    TreeMap<Bytes, RangeDescriptor> next = new TreeMap<>(byStart);
    for (RangeId id : change.retired()) {
      RangeDescriptor old = byId.get(id);
      Check.that(old != null, "a retired range is in the map", id, version);
      if (old != null) {
        next.remove(old.keys().start());
      }
    }
    for (RangeDescriptor descriptor : change.placed()) {
      RangeDescriptor before = next.put(descriptor.keys().start(), descriptor);
      Check.that(before == null, "a placed range replaces only retired ones", descriptor, change);
    }
    RangeMap map = new RangeMap(change.version(), next);
    map.checkTiled();
    return map;
  }

  private void checkTiled() {
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    for (RangeDescriptor descriptor : byStart.values()) {
      Check.that(
          expected.isPresent() && expected.get().equals(descriptor.keys().start()),
          "ranges tile the keys without gap or overlap",
          expected,
          descriptor);
      expected = descriptor.keys().end();
    }
    Check.that(
        byStart.isEmpty() || expected.isEmpty(), "ranges reach the end of all keys", version, "");
    Check.that(byId.size() == byStart.size(), "range ids are unique", byId.size(), byStart.size());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RangeMap that
        && version.equals(that.version)
        && byStart.equals(that.byStart);
  }

  @Override
  public int hashCode() {
    return version.hashCode() * 31 + byStart.hashCode();
  }

  @Override
  public String toString() {
    return "RangeMap" + version + byStart.values();
  }
}
