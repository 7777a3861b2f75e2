package org.ecstore.core.overlay.routing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.key.Bytes;

/**
 * The range descriptors a node happens to know: no two overlap, there may be gaps, and any may be
 * out of date; a node that is asked in vain answers with newer ones (rule 18). Owned by one event
 * loop.
 *
 * <p>An epoch is the version of the map change that made it, so epochs of different ranges compare:
 * of two descriptors that overlap the one with the greater epoch is the newer. The older range is
 * gone as a whole then, since a change retires whole ranges (rule 17).
 */
public final class RangeCache {
  private final TreeMap<Bytes, RangeDescriptor> byStart = new TreeMap<>();

  /** The descriptor whose range holds the key; absent if none is known. */
  public Optional<RangeDescriptor> find(Bytes key) {
    Map.Entry<Bytes, RangeDescriptor> floor = byStart.floorEntry(key);
    return floor != null && floor.getValue().keys().contains(key)
        ? Optional.of(floor.getValue())
        : Optional.empty();
  }

  /**
   * Takes in a descriptor unless one that is known overlaps it and is as new; puts out all older
   * ones it overlaps.
   *
   * @return whether it was taken in
   */
  public boolean learn(RangeDescriptor descriptor) {
    List<RangeDescriptor> overlapped = overlapping(descriptor);
    for (RangeDescriptor known : overlapped) {
      if (!descriptor.epoch().isAfter(known.epoch())) {
        return false;
      }
    }
    overlapped.forEach(known -> byStart.remove(known.keys().start()));
    byStart.put(descriptor.keys().start(), descriptor);
    return true;
  }

  /** As {@link #learn}, for all that a {@code WrongRange} answer or a map brings. */
  public void learnAll(Collection<RangeDescriptor> descriptors) {
    descriptors.forEach(this::learn);
  }

  /** Forgets what is known of a key: its node does not answer. */
  public void forget(Bytes key) {
    find(key).ifPresent(known -> byStart.remove(known.keys().start()));
  }

  /** All known descriptors in key order. */
  public List<RangeDescriptor> ranges() {
    return List.copyOf(byStart.values());
  }

  private List<RangeDescriptor> overlapping(RangeDescriptor descriptor) {
    List<RangeDescriptor> found = new ArrayList<>();
    Bytes start = descriptor.keys().start();
    Bytes floor = byStart.floorKey(start);
    for (RangeDescriptor known : byStart.tailMap(floor == null ? start : floor, true).values()) {
      if (!descriptor.keys().isBelowEnd(known.keys().start())) {
        break;
      }
      if (known.keys().overlaps(descriptor.keys())) {
        found.add(known);
      }
    }
    return found;
  }
}
