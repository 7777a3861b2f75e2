package org.ecstore.engines.window;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.key.Bytes;
import org.ecstore.model.Mutation;
import org.jspecify.annotations.Nullable;

/**
 * A key in the window with its versions, newest first. Any thread reads; those that change it hold
 * its monitor.
 */
final class WindowKey {
  private final Bytes key;
  private volatile @Nullable WindowVersion newest;
  private boolean gone;

  WindowKey(Bytes key) {
    this.key = key;
  }

  Bytes key() {
    return key;
  }

  /** The newest version; none once the key has left the window. */
  @Nullable WindowVersion newest() {
    return newest;
  }

  /** The newest version at or below a position. */
  @Nullable WindowVersion atOrBelow(long position) {
    WindowVersion version = newest;
    while (version != null && version.version() > position) {
      version = version.older();
    }
    return version;
  }

  /** What a change did to the window. */
  record Change(int versions, long bytes) {
    static final Change NONE = new Change(0, 0);
  }

  /**
   * Puts a version in its place; null if the key has left the window. One that is there stays, for
   * it is the same; but what an operation made of the key takes its place.
   */
  synchronized @Nullable Change put(VersionedWrite write, OffHeapValues values) {
    if (gone) {
      return null;
    }
    long version = write.version().value();
    WindowVersion first = newest;
    int bytes = WindowVersion.bytes(write.mutation());
    if (first == null || first.version() < version) {
      newest = WindowVersion.of(write, first, values);
      return new Change(1, bytes);
    }
    WindowVersion there = atOrBelow(version);
    if (there == null || there.version() != version) {
      newest = rebuilt(version, WindowVersion.of(write, there, values));
      return new Change(1, bytes);
    }
    if (there.isOperation() && !write.mutation().isOperation()) {
      newest = rebuilt(version, WindowVersion.of(write, there.older(), values));
      return new Change(0, (long) bytes - there.bytes());
    }
    return Change.NONE;
  }

  /** Versions above one, in front of others. */
  private WindowVersion rebuilt(long above, WindowVersion others) {
    Deque<WindowVersion> newer = new ArrayDeque<>();
    for (WindowVersion each = newest; each != null && each.version() > above; each = each.older()) {
      newer.push(each);
    }
    WindowVersion rebuilt = others;
    for (WindowVersion each : newer) {
      rebuilt = each.before(rebuilt);
    }
    return rebuilt;
  }

  /**
   * What a version made of the key is in the window in its place from now on, so that it needs
   * nothing that is behind it.
   */
  synchronized Change settle(WindowVersion version, Optional<Bytes> value) {
    if (atOrBelow(version.version()) != version) {
      return Change.NONE;
    }
    Mutation settled = Mutation.of(value);
    newest = rebuilt(version.version(), WindowVersion.alone(version.version(), settled));
    Change dropped = left(version);
    return new Change(dropped.versions() + 1, dropped.bytes() + WindowVersion.bytes(settled));
  }

  /** Versions at or below a position leave; the key, too, if it has no other. */
  synchronized Change dropThrough(long position) {
    WindowVersion last = null;
    WindowVersion dropped = newest;
    while (dropped != null && dropped.version() > position) {
      last = dropped;
      dropped = dropped.older();
    }
    if (last == null) {
      newest = null;
      gone = true;
    } else if (dropped != null) {
      last.cutOlder();
    }
    return left(dropped);
  }

  /** Versions that are not in the window any more. */
  private static Change left(@Nullable WindowVersion from) {
    int versions = 0;
    long bytes = 0;
    for (WindowVersion version = from; version != null; version = version.older()) {
      versions++;
      bytes += version.bytes();
      version.leave();
    }
    return new Change(-versions, -bytes);
  }

  /** Whether it has left the window: then another of the same key may be there. */
  synchronized boolean isGone() {
    return gone;
  }
}
