package org.ecstore.replication.copy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.check.Check;
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
  private static final long WRITE_OVERHEAD_BYTES = 32;

  /** So that a commit that has written nothing here takes room, too. */
  private static final long COMMIT_OVERHEAD_BYTES = 64;

  /**
   * What several of them take together. Only they count here, in the same step in which they count
   * what they take themselves, and nothing that is counted can be changed from outside: so the sum
   * is right as long as each that is given up is ended.
   */
  public static final class Together {
    private long bytes;

    public long bytes() {
      return bytes;
    }

    /**
     * Where most is kept half of it is forgotten, until all take no more than so much.
     *
     * @param all those that are counted here
     */
    public void forgetUntil(long bytesMax, Collection<KeptWrites> all) {
      while (bytes > bytesMax) {
        long before = bytes;
        all.stream()
            .max(Comparator.comparingLong(KeptWrites::bytes))
            .ifPresent(most -> most.forgetUntil(most.bytes() / 2));
        // Or else this would go on for ever, without room for anything.
        Check.that(bytes < before, "what is kept is counted right", bytes, bytesMax);
      }
    }
  }

  private record Kept(List<VersionedWrite> writes, long bytes) {
    static Kept of(List<VersionedWrite> writes) {
      List<VersionedWrite> own = List.copyOf(writes);
      long bytes = COMMIT_OVERHEAD_BYTES;
      for (VersionedWrite write : own) {
        bytes += write.bytes() + WRITE_OVERHEAD_BYTES;
      }
      return new Kept(own, bytes);
    }
  }

  private final TreeMap<Position, Kept> commits = new TreeMap<>();
  private final Together together;
  private Position from;
  private long bytes;
  private boolean ended;

  /** None so far of the commits above a position. */
  public KeptWrites(Position from) {
    this(from, new Together());
  }

  /** The same, counted together with others until it is ended. */
  public KeptWrites(Position from, Together together) {
    this.from = from;
    this.together = together;
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
    if (ended || !number.isAfter(from)) {
      return false;
    }
    Kept fresh = Kept.of(writes);
    Kept before = commits.put(number, fresh);
    count(fresh.bytes() - (before == null ? 0 : before.bytes()));
    return true;
  }

  private void count(long change) {
    bytes += change;
    together.bytes += change;
  }

  /** No copy follows any more: what is here is forgotten, and nothing is kept from now on. */
  public void end() {
    ended = true;
    commits.clear();
    count(-bytes);
  }

  /** Forgets the oldest ones until the others take no more than so much. */
  public void forgetUntil(long bytesMax) {
    while (bytes > bytesMax) {
      forgetFirst();
    }
  }

  /** Forgets the commits at or below a position, which no copy needs any more. */
  public void forgetThrough(Position position) {
    while (!commits.isEmpty() && commits.firstKey().isAtOrBelow(position)) {
      forgetFirst();
    }
  }

  private void forgetFirst() {
    Map.Entry<Position, Kept> first = commits.pollFirstEntry();
    count(-first.getValue().bytes());
    from = first.getKey();
  }

  /** Some commits in order, and the position through which they are all of them. */
  public record Part(Position through, List<VersionedWrite> writes) {}

  /**
   * The commits above a position through another, or as many of the first ones as go into a message
   * of so many bytes, one of them at least.
   */
  public Part between(Position above, Position closed, long partBytes) {
    List<VersionedWrite> writes = new ArrayList<>();
    long size = 0;
    for (Map.Entry<Position, Kept> commit : commits.subMap(above, false, closed, true).entrySet()) {
      writes.addAll(commit.getValue().writes());
      size += commit.getValue().bytes();
      if (size >= partBytes) {
        return new Part(commit.getKey(), writes);
      }
    }
    return new Part(closed, writes);
  }
}
