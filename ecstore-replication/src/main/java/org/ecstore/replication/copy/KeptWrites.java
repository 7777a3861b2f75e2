package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Position;

/**
 * Commits that are readable in a copy, kept for those who follow it until they have them (rule 11).
 * Who keeps them bounds them, by forgetting the oldest.
 *
 * <p>Invariant: of every commit above {@link #from} the writes are here, or not readable in the
 * copy yet.
 */
public final class KeptWrites {
  private static final long PART_BYTES_MAX = 1 << 20;
  private static final long WRITE_OVERHEAD_BYTES = 32;

  private final TreeMap<Position, List<VersionedWrite>> commits = new TreeMap<>();
  private Position from;
  private long bytes;

  /** None so far of the commits above a position. */
  public KeptWrites(Position from) {
    this.from = from;
  }

  /** Below and at this, commits may have been forgotten. */
  public Position from() {
    return from;
  }

  /** What they take in memory, about. */
  public long bytes() {
    return bytes;
  }

  public boolean isEmpty() {
    return commits.isEmpty();
  }

  /** Keeps a commit, if it is above {@link #from}; whether it is. */
  public boolean add(Position number, List<VersionedWrite> writes) {
    if (!number.isAfter(from)) {
      return false;
    }
    List<VersionedWrite> before = commits.put(number, writes);
    bytes += bytes(writes) - (before == null ? 0 : bytes(before));
    return true;
  }

  /** Forgets the oldest ones until the others take no more than so much. */
  public void forgetUntil(long bytesMax) {
    while (bytes > bytesMax) {
      forgetFirst();
    }
  }

  /** Forgets the commits at or below a position, which nobody needs any more. */
  public void forgetThrough(Position position) {
    while (!commits.isEmpty() && commits.firstKey().isAtOrBelow(position)) {
      forgetFirst();
    }
  }

  private void forgetFirst() {
    Map.Entry<Position, List<VersionedWrite>> first = commits.pollFirstEntry();
    bytes -= bytes(first.getValue());
    from = first.getKey();
  }

  /** Some commits in order, and the position through which they are all of them. */
  public record Part(Position through, List<VersionedWrite> writes) {}

  /**
   * The commits above a position through another, or as many of the first ones as go into a
   * message.
   */
  public Part between(Position above, Position closed) {
    List<VersionedWrite> writes = new ArrayList<>();
    long size = 0;
    for (Map.Entry<Position, List<VersionedWrite>> commit :
        commits.subMap(above, false, closed, true).entrySet()) {
      writes.addAll(commit.getValue());
      size += bytes(commit.getValue());
      if (size >= PART_BYTES_MAX) {
        return new Part(commit.getKey(), writes);
      }
    }
    return new Part(closed, writes);
  }

  private static long bytes(List<VersionedWrite> writes) {
    long bytes = 0;
    for (VersionedWrite write : writes) {
      bytes += write.key().length() + WRITE_OVERHEAD_BYTES;
      bytes += write.value().map(value -> (long) value.length()).orElse(0L);
    }
    return bytes;
  }
}
