package org.ecstore.verify.check;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.model.ReadLevel;
import org.ecstore.verify.history.Attempt;
import org.ecstore.verify.history.History;

/**
 * Holds a history to the positions that clients were told: commit numbers are unique, above the
 * snapshot, and in the order of the versions they made; a snapshot shows each commit at or below it
 * and none above; and it is no older than its level promises (rules 1, 3, 9).
 */
final class PositionCheck {
  private final List<Attempt> attempts;
  private final Promise promise;
  private final Findings findings;

  private PositionCheck(History history, Promise promise, Findings findings) {
    this.attempts = history.attempts();
    this.promise = promise;
    this.findings = findings;
  }

  /** What is wrong whatever the transactions are about. */
  static void checkNumbers(History history, Promise promise, Findings findings) {
    PositionCheck positions = new PositionCheck(history, promise, findings);
    positions.checkNumbers();
    positions.checkStarts(history.moments());
  }

  /** What is wrong with who read what. */
  static void checkVersions(
      History history, Promise promise, Versions versions, Findings findings) {
    PositionCheck positions = new PositionCheck(history, promise, findings);
    boolean updates = history.kind() == History.Kind.APPEND || !promise.serializable();
    versions.writers().forEach((key, writers) -> positions.checkOrder(key, writers, updates));
    versions.reads().forEach(read -> positions.checkRead(read, versions.writers(read.key())));
  }

  private void checkNumbers() {
    Map<Long, Attempt> byNumber = new HashMap<>();
    long without = 0;
    for (Attempt attempt : attempts) {
      if (!attempt.isOk()) {
        continue;
      }
      boolean writes = attempt.writes();
      if (attempt.snapshot().isEmpty() || (writes && attempt.number().isEmpty())) {
        without++;
        continue;
      }
      if (attempt.number().isEmpty()) {
        continue;
      }
      long number = attempt.number().getAsLong();
      if (number <= attempt.snapshot().getAsLong()) {
        findings.found("number-below-snapshot", "it commits before it reads: " + attempt);
      }
      Attempt other = byNumber.put(number, attempt);
      if (other != null) {
        findings.found("number-twice", other + " and " + attempt + " have one commit number");
      }
    }
    if (without > 0) {
      findings.undecided(without + " committed transactions do not say their positions");
    }
  }

  /** The newest position known at some time, and whose it is. */
  private record Known(long position, int attempt) {
    static final Known NOTHING = new Known(-1, -1);

    Known max(Known other) {
      return other.position > position ? other : this;
    }
  }

  /** What was known to any process, as time went by, and to each one. */
  private static final class Knowledge {
    private final TreeMap<Long, Known> all = new TreeMap<>();
    private final Map<Long, Known> own = new HashMap<>();

    /** The newest position that a level promises, to a process that begins. */
    Known required(ReadLevel level, long process, long time) {
      Known session = own.getOrDefault(process, Known.NOTHING);
      return switch (level.kind()) {
        case LOCAL -> Known.NOTHING;
        case SESSION -> session;
        case BOUNDED ->
            before(time - TimeUnit.MILLISECONDS.toNanos(level.lagMillis())).max(session);
        case STRONG -> before(Long.MAX_VALUE).max(session);
      };
    }

    /** All that was known before a moment. */
    private Known before(long time) {
      Map.Entry<Long, Known> entry = all.lowerEntry(time);
      return entry == null ? Known.NOTHING : entry.getValue();
    }

    void learn(long position, int by, long process, long time) {
      Known news = new Known(position, by);
      all.put(time, before(Long.MAX_VALUE).max(news));
      own.merge(process, news, Known::max);
    }
  }

  private void checkStarts(List<History.Moment> moments) {
    Knowledge known = new Knowledge();
    Known[] required = new Known[attempts.size()];
    for (History.Moment moment : moments) {
      int at = moment.attempt();
      Attempt attempt = attempts.get(at);
      if (moment.begins()) {
        required[at] = known.required(promise.level(attempt), attempt.process(), moment.time());
      } else if (attempt.snapshot().isPresent() && attempt.isOk()) {
        long snapshot = attempt.snapshot().getAsLong();
        checkStart(attempt, snapshot, required[at]);
        long newest = Math.max(snapshot, attempt.number().orElse(snapshot));
        known.learn(newest, at, attempt.process(), moment.time());
      }
    }
  }

  private void checkStart(Attempt attempt, long snapshot, Known required) {
    if (snapshot < required.position()) {
      findings.found(
          "stale-" + promise.level(attempt).kind().name().toLowerCase(Locale.ROOT) + "-start",
          attempt
              + " reads at "
              + snapshot
              + " though "
              + required.position()
              + " was known before it began, from "
              + attempts.get(required.attempt()));
    }
  }

  private void checkOrder(long key, int[] writers, boolean updates) {
    int before = -1;
    for (int writer : writers) {
      Attempt attempt = attempts.get(writer);
      if (attempt.number().isEmpty()) {
        continue;
      }
      if (before >= 0) {
        long number = attempts.get(before).number().orElseThrow();
        if (attempt.number().getAsLong() <= number) {
          findings.found(
              "numbers-out-of-order",
              "key "
                  + key
                  + ": the version of "
                  + attempt
                  + " comes after that of "
                  + attempts.get(before));
        } else if (updates && attempt.snapshot().orElse(number) < number) {
          findings.found(
              "lost-update",
              "key "
                  + key
                  + ": "
                  + attempt
                  + " writes over "
                  + attempts.get(before)
                  + ", which is not in its snapshot");
        }
      }
      before = writer;
    }
  }

  private void checkRead(Versions.Read read, int[] writers) {
    Attempt reader = attempts.get(read.attempt());
    if (reader.snapshot().isEmpty()) {
      return;
    }
    long snapshot = reader.snapshot().getAsLong();
    if (read.version() > 0) {
      Attempt writer = attempts.get(writers[read.version() - 1]);
      if (writer.number().isPresent() && writer.number().getAsLong() > snapshot) {
        findings.found(
            "read-above-snapshot",
            reader + " reads key " + read.key() + " as of the later " + writer);
      }
    }
    for (int i = read.version(); i < writers.length; i++) {
      Attempt next = attempts.get(writers[i]);
      if (next.number().isEmpty() || writers[i] == read.attempt()) {
        continue;
      }
      long number = next.number().getAsLong();
      if (number <= snapshot) {
        findings.found(
            "missed-commit",
            reader + " does not see key " + read.key() + " as of " + next + " below its snapshot");
      } else if (promise.serializable()
          && reader.number().isPresent()
          && number < reader.number().getAsLong()) {
        findings.found(
            "read-not-validated",
            "key "
                + read.key()
                + " was changed by "
                + next
                + " between snapshot and commit of "
                + reader);
      }
      return;
    }
  }
}
