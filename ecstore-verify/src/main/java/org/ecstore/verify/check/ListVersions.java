package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.Line;
import org.ecstore.verify.history.MicroOp;
import org.jspecify.annotations.Nullable;

/**
 * The versions of lists: each list read shows the order of all elements before its end, so every
 * list read must begin with every shorter one. Says what a list shows by itself: elements twice,
 * lost, of aborted transactions (G1a), half a transaction (G1b), two orders.
 */
final class ListVersions {
  private final List<Attempt> attempts;
  private final Findings findings;
  private final Versions versions = new Versions();
  private final Map<Long, KeyState> keys = new TreeMap<>();

  /** The least position at which an attempt of unknown outcome was seen to have committed. */
  private final Map<Integer, Long> seenAt = new HashMap<>();

  /** What is known of one key. */
  private static final class KeyState {
    final Map<Long, Integer> writerOf = new HashMap<>();

    /** Each writer's last element. */
    final Map<Integer, Long> lastOf = new HashMap<>();

    Elements longest = Elements.NONE;
    int longestBy = -1;

    /** Which version each element of the longest list belongs to. */
    int[] versionOf = new int[0];

    /** Positions of reads, and how long the lists were. */
    final List<long[]> lengths = new ArrayList<>();
  }

  private ListVersions(History history, Findings findings) {
    this.attempts = history.attempts();
    this.findings = findings;
  }

  static Versions of(History history, Findings findings) {
    ListVersions lists = new ListVersions(history, findings);
    lists.findWriters();
    lists.findLongest();
    lists.keys.forEach(lists::findVersions);
    lists.findReads();
    lists.findLost();
    return lists.versions;
  }

  private KeyState key(long key) {
    return keys.computeIfAbsent(key, _ -> new KeyState());
  }

  private void findWriters() {
    for (int i = 0; i < attempts.size(); i++) {
      for (MicroOp op : attempts.get(i).value()) {
        if (op instanceof MicroOp.Append(long key, long element)) {
          KeyState state = key(key);
          Integer other = state.writerOf.putIfAbsent(element, i);
          if (other != null) {
            findings.undecided(
                "element "
                    + element
                    + " of key "
                    + key
                    + " is not unique: "
                    + attempts.get(other)
                    + " and "
                    + attempts.get(i));
          }
          state.lastOf.put(i, element);
        }
      }
    }
  }

  private void findLongest() {
    for (int i = 0; i < attempts.size(); i++) {
      if (!attempts.get(i).isOk()) {
        continue;
      }
      for (MicroOp op : attempts.get(i).value()) {
        if (op instanceof MicroOp.ReadList(long key, var seen) && seen != null) {
          KeyState state = key(key);
          if (seen.size() > state.longest.size()) {
            state.longest = seen;
            state.longestBy = i;
          }
        }
      }
    }
  }

  /** Runs of elements of one writer are versions. */
  private void findVersions(long key, KeyState state) {
    Elements list = state.longest;
    state.versionOf = new int[list.size()];
    int[] writers = new int[list.size()];
    int count = 0;
    Set<Long> met = new HashSet<>();
    Set<Integer> metWriters = new HashSet<>();
    for (int i = 0; i < list.size(); i++) {
      long element = list.at(i);
      Integer writer = state.writerOf.get(element);
      if (!met.add(element)) {
        findings.found(
            "duplicate-element",
            "key " + key + " holds " + element + " twice, by " + writer(writer) + ": " + list);
      } else if (writer == null) {
        findings.found(
            "garbage-read",
            "key "
                + key
                + " holds "
                + element
                + ", which no attempt appended: "
                + attempts.get(state.longestBy));
      } else if (attempts.get(writer).outcome() == Line.Type.FAIL) {
        findings.found(
            "G1a",
            "an aborted append is read: "
                + element
                + " of "
                + attempts.get(writer)
                + " in key "
                + key
                + " by "
                + attempts.get(state.longestBy));
      }
      if (writer == null) {
        continue;
      }
      if (count == 0 || writers[count - 1] != writer) {
        if (!metWriters.add(writer)) {
          findings.found(
              "G0",
              "the appends of "
                  + attempts.get(writer)
                  + " to key "
                  + key
                  + " are interleaved with those of others: "
                  + list);
        }
        writers[count++] = writer;
      }
      state.versionOf[i] = count;
    }
    versions.order(key, Arrays.copyOf(writers, count));
  }

  private String writer(@Nullable Integer writer) {
    return writer == null ? "no attempt" : attempts.get(writer).toString();
  }

  private void findReads() {
    for (int i = 0; i < attempts.size(); i++) {
      if (attempts.get(i).isOk()) {
        findReads(i, attempts.get(i));
      }
    }
  }

  private void findReads(int reader, Attempt attempt) {
    Map<Long, Elements> own = new HashMap<>();
    Map<Long, Elements> before = new HashMap<>();
    for (MicroOp op : attempt.value()) {
      if (op instanceof MicroOp.Append(long key, long element)) {
        own.merge(key, Elements.of(element), (old, news) -> old.with(news.at(0)));
      } else if (op instanceof MicroOp.ReadList(long key, var seen) && seen != null) {
        Elements mine = own.getOrDefault(key, Elements.NONE);
        Elements others = withoutEnd(seen, mine);
        if (others == null) {
          findings.found(
              "internal",
              "it does not read its own appends " + mine + " to key " + key + ": " + attempt);
          continue;
        }
        Elements known = before.putIfAbsent(key, others);
        if (known != null && !known.equals(others)) {
          findings.found("internal", "it reads key " + key + " as two different lists: " + attempt);
        } else if (compatible(reader, key, seen) && known == null) {
          external(reader, key, others);
        }
      }
    }
  }

  /** A list less what it ends with; null if it does not. */
  private static @Nullable Elements withoutEnd(Elements list, Elements end) {
    int left = list.size() - end.size();
    for (int i = 0; i < end.size(); i++) {
      if (left < 0 || list.at(left + i) != end.at(i)) {
        return null;
      }
    }
    return list.first(left);
  }

  private boolean compatible(int reader, long key, Elements seen) {
    KeyState state = key(key);
    if (state.longest.commonWith(seen) == seen.size()) {
      return true;
    }
    findings.found(
        "incompatible-order",
        "key "
            + key
            + " is "
            + seen
            + " for "
            + attempts.get(reader)
            + " but "
            + state.longest
            + " for "
            + attempts.get(state.longestBy));
    return false;
  }

  private void external(int reader, long key, Elements seen) {
    KeyState state = key(key);
    OptionalLong snapshot = attempts.get(reader).snapshot();
    snapshot.ifPresent(position -> state.lengths.add(new long[] {position, seen.size(), reader}));
    if (seen.size() == 0) {
      versions.read(reader, key, 0);
      return;
    }
    long last = seen.at(seen.size() - 1);
    Integer writer = state.writerOf.get(last);
    if (writer == null) {
      return;
    }
    Long lastOfWriter = state.lastOf.get(writer);
    if (lastOfWriter != null && lastOfWriter != last && writer != reader) {
      findings.found(
          "G1b",
          attempts.get(reader)
              + " reads key "
              + key
              + " up to "
              + last
              + ", in the middle of "
              + attempts.get(writer));
      return;
    }
    versions.read(reader, key, state.versionOf[seen.size() - 1]);
    if (snapshot.isPresent()) {
      for (int at : versions.writers(key)) {
        if (attempts.get(at).outcome() == Line.Type.INFO) {
          noteSeen(state, at, seen, snapshot.getAsLong());
        }
      }
    }
  }

  private void noteSeen(KeyState state, int writer, Elements seen, long position) {
    Long last = state.lastOf.get(writer);
    for (int i = 0; last != null && i < seen.size(); i++) {
      if (seen.at(i) == last) {
        seenAt.merge(writer, position, Math::min);
      }
    }
  }

  /**
   * Each append that is known to have committed is in the longest list. If it is not, a list read
   * at or above its number shows that it is lost; without one, no attempt has looked. One of
   * unknown outcome is known to have committed, with all its appends, at the least position at
   * which any of them was seen: each list read there or above holds them.
   */
  private void findLost() {
    Map<Long, Map<Long, Integer>> present = new HashMap<>();
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      Long seen = seenAt.get(i);
      if (!attempt.isOk() && seen == null) {
        continue;
      }
      for (MicroOp op : attempt.value()) {
        if (op instanceof MicroOp.Append(long key, long element)) {
          KeyState state = key(key);
          Integer place = present.computeIfAbsent(key, _ -> places(state.longest)).get(element);
          if (place == null) {
            absent(i, key, element);
          } else if (seen != null) {
            presentFrom(seen, i, key, place);
          }
        }
      }
    }
  }

  private void absent(int writer, long key, long element) {
    Attempt attempt = attempts.get(writer);
    long from = attempt.number().orElse(seenAt.getOrDefault(writer, 0L));
    int reader = readerFrom(key(key), from, writer);
    if (reader < 0) {
      findings.undecided("no attempt read key " + key + " after " + attempt);
    } else {
      findings.found(
          attempt.isOk() ? "lost-append" : "fractured",
          element
              + " of key "
              + key
              + " by "
              + attempt
              + " is not there for "
              + attempts.get(reader));
    }
  }

  /** Every list read at or above a position is long enough to hold the element at a place. */
  private void presentFrom(long position, int writer, long key, int place) {
    for (long[] read : key(key).lengths) {
      if (read[0] >= position && read[1] <= place) {
        findings.found(
            "fractured",
            "what "
                + attempts.get(writer)
                + " did was seen at position "
                + position
                + ", but not on key "
                + key
                + " by "
                + attempts.get((int) read[2]));
        return;
      }
    }
  }

  private static Map<Long, Integer> places(Elements list) {
    Map<Long, Integer> places = new HashMap<>();
    for (int i = 0; i < list.size(); i++) {
      places.putIfAbsent(list.at(i), i);
    }
    return places;
  }

  /** Another attempt that read the key at or above a position; -1 if none did. */
  private static int readerFrom(KeyState state, long position, int writer) {
    for (long[] read : state.lengths) {
      if (read[0] >= position && read[2] != writer) {
        return (int) read[2];
      }
    }
    return -1;
  }
}
