package org.ecstore.core.map;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * All range descriptors at one map version: an immutable value. Either empty (version 0) or tiling
 * all keys, each key owned once. A version shares with the one before it what did not change, so
 * that a change costs by what it touches and not by how many ranges there are.
 */
public final class RangeMap {
  /** Before the first change. */
  public static final RangeMap EMPTY =
      new RangeMap(MapVersion.ZERO, TreePMap.empty(), TreePMap.empty());

  private final MapVersion version;
  private final TreePMap<Bytes, RangeDescriptor> byStart;
  private final TreePMap<RangeId, RangeDescriptor> byId;

  private RangeMap(
      MapVersion version,
      TreePMap<Bytes, RangeDescriptor> byStart,
      TreePMap<RangeId, RangeDescriptor> byId) {
    this.version = version;
    this.byStart = byStart;
    this.byId = byId;
  }

  /** A map from its descriptors, which must tile all keys. */
  public static RangeMap of(MapVersion version, Collection<RangeDescriptor> descriptors) {
    TreePMap<Bytes, RangeDescriptor> byStart = TreePMap.empty();
    TreePMap<RangeId, RangeDescriptor> byId = TreePMap.empty();
    for (RangeDescriptor descriptor : descriptors) {
      byStart = byStart.plus(descriptor.keys().start(), descriptor);
      byId = byId.plus(descriptor.id(), descriptor);
    }
    RangeMap map = new RangeMap(version, byStart, byId);
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
    return overlapping(interval, Integer.MAX_VALUE);
  }

  /** The first of them, so many at most. */
  public List<RangeDescriptor> overlapping(KeyRange interval, int most) {
    List<RangeDescriptor> found = new ArrayList<>();
    Bytes from = byStart.floorKey(interval.start());
    if (from == null) {
      return found;
    }
    for (RangeDescriptor descriptor : byStart.tailMap(from, true).values()) {
      if (found.size() == most || !interval.isBelowEnd(descriptor.keys().start())) {
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
    TreePMap<Bytes, RangeDescriptor> nextByStart = byStart;
    TreePMap<RangeId, RangeDescriptor> nextById = byId;
    List<Bytes> touched = new ArrayList<>();
    for (RangeId id : change.retired()) {
      RangeDescriptor old = byId.get(id);
      Check.that(old != null, "a retired range is in the map", id, version);
      if (old != null) {
        nextByStart = nextByStart.minus(old.keys().start());
        nextById = nextById.minus(id);
        touched.add(old.keys().start());
      }
    }
    for (RangeDescriptor descriptor : change.placed()) {
      boolean isFree = !nextByStart.containsKey(descriptor.keys().start());
      Check.that(isFree, "a placed range replaces only retired ones", descriptor, change);
      nextByStart = nextByStart.plus(descriptor.keys().start(), descriptor);
      nextById = nextById.plus(descriptor.id(), descriptor);
      touched.add(descriptor.keys().start());
    }
    RangeMap map = new RangeMap(change.version(), nextByStart, nextById);
    touched.forEach(map::checkTiledAt);
    map.checkWhole();
    return map;
  }

  private void checkTiled() {
    byStart.keySet().forEach(this::checkTiledAt);
    checkWhole();
  }

  /** The range that begins at a key or before it, and the one before the key. */
  private void checkTiledAt(Bytes start) {
    Map.Entry<Bytes, RangeDescriptor> here = byStart.floorEntry(start);
    Map.Entry<Bytes, RangeDescriptor> before = byStart.lowerEntry(start);
    checkReachesNext(here);
    checkReachesNext(before);
  }

  private void checkReachesNext(Map.@Nullable Entry<Bytes, RangeDescriptor> entry) {
    if (entry != null) {
      Optional<Bytes> next = Optional.ofNullable(byStart.higherKey(entry.getKey()));
      Check.that(
          entry.getValue().keys().end().equals(next),
          "ranges tile the keys without gap or overlap",
          entry.getValue(),
          next);
    }
  }

  private void checkWhole() {
    Check.that(
        byStart.isEmpty() || byStart.firstKey().equals(Bytes.EMPTY),
        "ranges begin at the first key",
        version,
        "");
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
