package org.ecstore.engines.window;

import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.jspecify.annotations.Nullable;

/**
 * The versions of keys that are above what the store below has: by key, in order, each key's newest
 * first. Any thread may read and change; what one key shows is changed at once.
 */
final class VersionWindow {
  /** About what a version costs beside its value, and a key beside its bytes. */
  private static final int VERSION_BYTES = 64;

  private static final int KEY_BYTES = 160;

  private final ConcurrentNavigableMap<Bytes, WindowKey> keys = new ConcurrentSkipListMap<>();
  private final LongAdder bytes = new LongAdder();
  private final AtomicLong clears = new AtomicLong();
  private final OffHeapValues values;

  VersionWindow(OffHeapValues values) {
    this.values = values;
  }

  /** Takes a version in. The same version twice leaves one. */
  void put(VersionedWrite write) {
    WindowKey.Change change = null;
    while (change == null) {
      // One search also where the key is new: to search is what a put costs.
      WindowKey fresh = new WindowKey(write.key());
      WindowKey there = keys.putIfAbsent(write.key(), fresh);
      if (there == null) {
        there = fresh;
        bytes.add((long) KEY_BYTES + write.key().length());
      }
      change = there.put(write, values);
    }
    count(change);
  }

  private void count(WindowKey.Change change) {
    bytes.add(change.bytes() + (long) change.versions() * VERSION_BYTES);
  }

  /** The versions of a key. */
  @Nullable WindowKey get(Bytes key) {
    return keys.get(key);
  }

  /** The keys of an interval, in order or in its reverse. Keys may come and go beside it. */
  Iterable<WindowKey> in(KeyRange interval, boolean reverse) {
    ConcurrentNavigableMap<Bytes, WindowKey> view =
        interval.end().isPresent()
            ? keys.subMap(interval.start(), true, interval.end().get(), false)
            : keys.tailMap(interval.start(), true);
    return (reverse ? view.descendingMap() : view).values();
  }

  /** A version of a key needs nothing behind it any more, and what is there leaves the window. */
  void settle(WindowKey key, WindowVersion version, Optional<Bytes> value) {
    count(key.settle(version, value));
  }

  /** An interval is about to be emptied: what is read of the store meanwhile tells nothing. */
  void clears() {
    clears.incrementAndGet();
  }

  /** How often that was. */
  long cleared() {
    return clears.get();
  }

  /** Versions of a key at or below a position leave the window. */
  void dropThrough(WindowKey key, long position) {
    count(key.dropThrough(position));
    if (key.isGone() && keys.remove(key.key(), key)) {
      bytes.add(-(long) KEY_BYTES - key.key().length());
    }
  }

  /** About how much memory it takes. */
  long bytes() {
    return bytes.sum();
  }
}
