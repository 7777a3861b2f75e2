package org.ecstore.engines.window;

import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.key.Bytes;
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

  /** Puts a version in its place; null if the key has left the window. */
  synchronized @Nullable Change put(VersionedWrite write) {
    if (gone) {
      return null;
    }
    long version = write.version().value();
    WindowVersion first = newest;
    if (first == null || first.version() < version) {
      newest = WindowVersion.of(write, first);
      return new Change(1, operandBytes(write));
    }
    WindowVersion replaced = atOrBelow(version);
    if (replaced != null && replaced.version() == version) {
      newest = rebuilt(first, version, WindowVersion.of(write, replaced.older()));
      return new Change(0, (long) operandBytes(write) - replaced.operandBytes());
    }
    newest = rebuilt(first, version, WindowVersion.of(write, replaced));
    return new Change(1, operandBytes(write));
  }

  private static int operandBytes(VersionedWrite write) {
    return write.value().map(Bytes::length).orElse(0);
  }

  /** Versions above one, in front of others. */
  private static WindowVersion rebuilt(WindowVersion from, long above, WindowVersion others) {
    WindowVersion older = from.older();
    return from.version() <= above
        ? others
        : from.before(
            older == null || older.version() <= above ? others : rebuilt(older, above, others));
  }

  /** Versions at or below a position leave; the key, too, if it has no other. */
  synchronized Change dropThrough(long position) {
    WindowVersion last = null;
    WindowVersion dropped = newest;
    while (dropped != null && dropped.version() > position) {
      last = dropped;
      dropped = dropped.older();
    }
    Change change = counted(dropped);
    if (last == null) {
      newest = null;
      gone = true;
    } else if (dropped != null) {
      last.cutOlder();
    }
    return change;
  }

  private static Change counted(@Nullable WindowVersion from) {
    int versions = 0;
    long bytes = 0;
    for (WindowVersion version = from; version != null; version = version.older()) {
      versions++;
      bytes += version.operandBytes();
    }
    return new Change(-versions, -bytes);
  }

  /** Whether it has left the window: then another of the same key may be there. */
  synchronized boolean isGone() {
    return gone;
  }
}
