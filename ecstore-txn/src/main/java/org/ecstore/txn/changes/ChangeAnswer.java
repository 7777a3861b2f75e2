package org.ecstore.txn.changes;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.ClientReply;

/**
 * The answer to a request for changes as it is put together: what commits wrote to the intervals,
 * until there is as much as was asked for. One write at least fits.
 */
final class ChangeAnswer {
  /** Of a write beside its key and value, and of a commit beside its writes. */
  private static final int OVERHEAD = 16;

  private final List<KeyRange> intervals;
  private final long bytesMax;
  private final List<ClientReply.CommitChanges> commits = new ArrayList<>();
  private ChangeMark mark;
  private long bytes;
  private boolean full;

  ChangeAnswer(ChangeMark mark, List<KeyRange> intervals, long bytesMax) {
    this.mark = mark;
    this.intervals = intervals;
    this.bytesMax = bytesMax;
  }

  /** How far it goes. */
  ChangeMark mark() {
    return mark;
  }

  boolean isEmpty() {
    return commits.isEmpty();
  }

  /** Whether no more fits. */
  boolean isFull() {
    return full;
  }

  /** Takes the next commit above the mark. */
  void add(ReadCommits.Kept commit) {
    Optional<Bytes> through =
        mark.within()
            .filter(part -> part.number().equals(commit.number()))
            .map(ChangeMark.Part::through);
    List<KeyWrite> writes = new ArrayList<>();
    for (KeyRange interval : intervals) {
      take(commit, interval, through, writes);
      if (full) {
        break;
      }
    }
    if (!writes.isEmpty()) {
      commits.add(new ClientReply.CommitChanges(commit.number(), writes));
    }
    mark = full ? within(commit, writes, through) : ChangeMark.after(commit.number());
  }

  private void take(
      ReadCommits.Kept commit, KeyRange interval, Optional<Bytes> through, List<KeyWrite> taken) {
    List<KeyWrite> writes = commit.writes();
    Bytes from =
        through.filter(key -> interval.start().compareTo(key) <= 0).orElse(interval.start());
    for (int i = firstAtOrAbove(writes, from); i < writes.size(); i++) {
      KeyWrite write = writes.get(i);
      if (!interval.isBelowEnd(write.key())) {
        return;
      }
      if (through.isPresent() && write.key().compareTo(through.get()) <= 0) {
        continue;
      }
      long more = (long) OVERHEAD + write.key().length() + write.mutation().length();
      if (bytes > 0 && bytes + more > bytesMax) {
        full = true;
        return;
      }
      bytes += more;
      taken.add(write);
    }
  }

  private static int firstAtOrAbove(List<KeyWrite> writes, Bytes key) {
    int low = 0;
    int high = writes.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (writes.get(middle).key().compareTo(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private static ChangeMark within(
      ReadCommits.Kept commit, List<KeyWrite> taken, Optional<Bytes> through) {
    Optional<Bytes> last = taken.isEmpty() ? through : Optional.of(taken.getLast().key());
    return new ChangeMark(
        commit.before(), last.map(key -> new ChangeMark.Part(commit.number(), key)));
  }

  /** No commit up to a position, which is not amid a record, is missing. */
  void through(Position position) {
    if (!full && position.isAfter(mark.after())) {
      boolean isPassed =
          mark.within().isEmpty() || mark.within().get().number().isAtOrBelow(position);
      mark = isPassed ? ChangeMark.after(position) : new ChangeMark(position, mark.within());
    }
  }

  ClientReply.ChangesRead reply(boolean current) {
    return new ClientReply.ChangesRead(List.copyOf(commits), mark, current);
  }
}
