package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.Line;
import org.ecstore.verify.history.MicroOp;

/**
 * The versions of registers. A value is written once, so each read names its writer; the order of
 * the writers is that of their commit numbers. A writer of unknown outcome that was seen has its
 * place after the newest version at or below the first position at which it was seen. Says what a
 * value shows by itself: one that no attempt wrote, of an aborted transaction (G1a), one that its
 * writer replaced (G1b), one that was already replaced (a lost write).
 */
final class RegisterVersions {
  private final List<Attempt> attempts;
  private final Findings findings;
  private final Versions versions = new Versions();
  private final Map<Long, KeyState> keys = new TreeMap<>();

  /** A read of a value that is not the reader's own; empty if there was none. */
  private record Seen(int reader, long position, Optional<Long> value) {}

  /** What is known of one key. */
  private static final class KeyState {
    final Map<Long, Integer> writerOf = new HashMap<>();

    /** Each writer's last value. */
    final Map<Integer, Long> lastOf = new HashMap<>();

    final List<Seen> reads = new ArrayList<>();

    /** For a writer of unknown outcome, the least position at which its value was read. */
    final Map<Integer, Long> seenAt = new HashMap<>();
  }

  private RegisterVersions(History history, Findings findings) {
    this.attempts = history.attempts();
    this.findings = findings;
  }

  static Versions of(History history, Findings findings) {
    RegisterVersions registers = new RegisterVersions(history, findings);
    registers.findWriters();
    registers.findReads();
    registers.keys.forEach(registers::findVersions);
    registers.checkUnknown();
    return registers.versions;
  }

  private KeyState key(long key) {
    return keys.computeIfAbsent(key, _ -> new KeyState());
  }

  private void findWriters() {
    for (int i = 0; i < attempts.size(); i++) {
      for (MicroOp op : attempts.get(i).value()) {
        if (op instanceof MicroOp.Write(long key, long value)) {
          KeyState state = key(key);
          Integer other = state.writerOf.putIfAbsent(value, i);
          if (other != null) {
            findings.undecided(
                "value "
                    + value
                    + " of key "
                    + key
                    + " is not unique: "
                    + attempts.get(other)
                    + " and "
                    + attempts.get(i));
          }
          state.lastOf.put(i, value);
        }
      }
    }
  }

  private void findReads() {
    for (int i = 0; i < attempts.size(); i++) {
      Attempt attempt = attempts.get(i);
      if (!attempt.isOk()) {
        continue;
      }
      Map<Long, Long> own = new HashMap<>();
      Map<Long, Optional<Long>> before = new HashMap<>();
      for (MicroOp op : attempt.value()) {
        if (op instanceof MicroOp.Write(long key, long value)) {
          own.put(key, value);
        } else if (op instanceof MicroOp.ReadValue(long key, var seen)) {
          Optional<Long> value = Optional.ofNullable(seen);
          Optional<Long> expected =
              own.containsKey(key) ? Optional.ofNullable(own.get(key)) : before.get(key);
          if (expected != null && !expected.equals(value)) {
            findings.found(
                "internal",
                "it reads key " + key + " not as it wrote or read it before: " + attempt);
          } else if (expected == null) {
            before.put(key, value);
            external(i, key, value);
          }
        }
      }
    }
  }

  private void external(int reader, long key, Optional<Long> value) {
    Attempt attempt = attempts.get(reader);
    KeyState state = key(key);
    if (value.isPresent()) {
      Integer writer = state.writerOf.get(value.get());
      if (writer == null) {
        findings.found(
            "garbage-read",
            "key " + key + " is " + value.get() + ", which no attempt wrote: " + attempt);
        return;
      }
      Attempt by = attempts.get(writer);
      if (by.outcome() == Line.Type.FAIL) {
        findings.found("G1a", attempt + " reads key " + key + " of the aborted " + by);
        return;
      }
      if (!value.get().equals(state.lastOf.get(writer)) && writer != reader) {
        findings.found("G1b", attempt + " reads key " + key + " in the middle of " + by);
        return;
      }
      if (by.outcome() == Line.Type.INFO && attempt.snapshot().isPresent()) {
        state.seenAt.merge(writer, attempt.snapshot().getAsLong(), Math::min);
      }
    }
    if (attempt.snapshot().isPresent()) {
      state.reads.add(new Seen(reader, attempt.snapshot().getAsLong(), value));
    }
  }

  /** A version and the position by which it is ordered; an unknown one comes after a known. */
  private record Placed(int writer, long position, boolean known) {}

  private void findVersions(long key, KeyState state) {
    List<Placed> placed = new ArrayList<>();
    for (int writer : state.lastOf.keySet()) {
      Attempt attempt = attempts.get(writer);
      if (attempt.isOk() && attempt.number().isPresent()) {
        placed.add(new Placed(writer, attempt.number().getAsLong(), true));
      }
    }
    state.seenAt.forEach((writer, position) -> placed.add(new Placed(writer, position, false)));
    placed.sort(Comparator.comparingLong(Placed::position).thenComparing(p -> !p.known()));
    versions.order(key, placed.stream().mapToInt(Placed::writer).toArray());
    Map<Integer, Integer> versionOf = new HashMap<>();
    for (int i = 0; i < placed.size(); i++) {
      versionOf.put(placed.get(i).writer(), i + 1);
    }
    findRead(key, state, versionOf);
    checkSeen(key, state, placed);
  }

  /** Reads at later positions see the same version or a later one. */
  private void findRead(long key, KeyState state, Map<Integer, Integer> versionOf) {
    state.reads.sort(Comparator.comparingLong(Seen::position));
    int newest = 0;
    int newestBy = -1;
    for (Seen seen : state.reads) {
      int version =
          seen.value()
              .map(value -> Objects.requireNonNull(state.writerOf.get(value)))
              .map(writer -> versionOf.getOrDefault(writer, -1))
              .orElse(0);
      if (version < 0) {
        continue;
      }
      versions.read(seen.reader(), key, version);
      if (version < newest) {
        findings.found(
            "versions-go-back",
            "key "
                + key
                + " is older for "
                + attempts.get(seen.reader())
                + " than for "
                + attempts.get(newestBy)
                + " at a lower position");
      } else {
        newest = version;
        newestBy = seen.reader();
      }
    }
  }

  /** The last write of a key must have been looked at. */
  private void checkSeen(long key, KeyState state, List<Placed> placed) {
    long last = placed.isEmpty() ? 0 : placed.getLast().position();
    if (last > 0 && state.reads.stream().noneMatch(seen -> seen.position() >= last)) {
      findings.undecided(
          "no attempt read key " + key + " after " + attempts.get(placed.getLast().writer()));
    }
  }

  /**
   * A writer of unknown outcome that was seen committed at one position, with all its writes:
   * whatever was read of any of its keys must leave such a position.
   */
  private void checkUnknown() {
    Map<Integer, Long> seenAt = new TreeMap<>();
    Map<Integer, List<Long>> keysOf = new TreeMap<>();
    keys.forEach(
        (key, state) -> {
          state.seenAt.forEach((writer, position) -> seenAt.merge(writer, position, Math::min));
          state
              .lastOf
              .keySet()
              .forEach(writer -> keysOf.computeIfAbsent(writer, _ -> new ArrayList<>()).add(key));
        });
    seenAt.forEach(
        (writer, position) -> {
          UnknownCommit commit =
              new UnknownCommit(attempts.get(writer).snapshot().orElse(-1), position);
          for (long key : keysOf.getOrDefault(writer, List.of())) {
            restrict(commit, writer, key(key), seenAt);
            if (key(key).reads.stream().noneMatch(seen -> seen.position() >= position)) {
              findings.undecided("no attempt read key " + key + " after " + attempts.get(writer));
            }
          }
          commit
              .impossible()
              .ifPresent(
                  reader ->
                      findings.found(
                          "fractured",
                          "what "
                              + attempts.get(writer)
                              + " did was seen at position "
                              + position
                              + ", but not all of it: see "
                              + attempts.get(reader)));
        });
  }

  /** What the reads of one key say of where an unknown writer of it can have committed. */
  private void restrict(
      UnknownCommit commit, int writer, KeyState state, Map<Integer, Long> seenAt) {
    for (Seen seen : state.reads) {
      Integer of = seen.value().map(state.writerOf::get).orElse(null);
      if (of != null && of == writer) {
        commit.notAbove(seen.position());
        for (int other : state.lastOf.keySet()) {
          number(other)
              .filter(number -> number <= seen.position())
              .ifPresent(number -> commit.notBelow(number, seen.reader()));
        }
      } else if (of == null) {
        commit.notWithin(0, seen.position(), seen.reader());
      } else {
        number(of)
            .or(() -> Optional.ofNullable(seenAt.get(of)))
            .ifPresent(from -> commit.notWithin(from, seen.position(), seen.reader()));
      }
    }
  }

  /** The commit number of a transaction that is known to have committed. */
  private Optional<Long> number(int attempt) {
    Attempt one = attempts.get(attempt);
    return one.isOk() && one.number().isPresent()
        ? Optional.of(one.number().getAsLong())
        : Optional.empty();
  }
}
