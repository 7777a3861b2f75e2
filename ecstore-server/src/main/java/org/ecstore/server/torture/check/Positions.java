package org.ecstore.server.torture.check;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.server.torture.history.Attempt;
import org.ecstore.server.torture.history.History;

/**
 * Holds a history to the positions that clients were told: commit numbers are unique, above the
 * snapshot, and in the order of the versions they made; a snapshot shows each commit at or below it
 * and none above; and it is no older than was promised (rules 1, 3, 9).
 */
final class Positions {
  private final List<Attempt> attempts;
  private final Promise promise;
  private final Findings findings;

  private Positions(History history, Promise promise, Findings findings) {
    this.attempts = history.attempts();
    this.promise = promise;
    this.findings = findings;
  }

  /** What is wrong whatever the transactions are about. */
  static void checkNumbers(History history, Promise promise, Findings findings) {
    Positions positions = new Positions(history, promise, findings);
    positions.checkNumbers();
    positions.checkStarts(history.moments());
  }

  /** What is wrong with who read what. */
  static void checkVersions(
      History history, Promise promise, Versions versions, Findings findings) {
    Positions positions = new Positions(history, promise, findings);
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
    Known max(long other, int by) {
      return other > position ? new Known(other, by) : this;
    }
  }

  private void checkStarts(List<History.Moment> moments) {
    Known everybody = new Known(-1, -1);
    Map<Long, Known> own = new HashMap<>();
    Known[] required = new Known[attempts.size()];
    for (History.Moment moment : moments) {
      int at = moment.attempt();
      Attempt attempt = attempts.get(at);
      if (moment.begins()) {
        required[at] =
            promise.strong() ? everybody : own.getOrDefault(attempt.process(), new Known(-1, -1));
        continue;
      }
      if (attempt.snapshot().isPresent() && attempt.isOk()) {
        checkStart(attempt, attempt.snapshot().getAsLong(), required[at]);
        Known session = own.getOrDefault(attempt.process(), new Known(-1, -1));
        everybody = everybody.max(attempt.snapshot().getAsLong(), at);
        session = session.max(attempt.snapshot().getAsLong(), at);
        if (attempt.number().isPresent()) {
          everybody = everybody.max(attempt.number().getAsLong(), at);
          session = session.max(attempt.number().getAsLong(), at);
        }
        own.put(attempt.process(), session);
      }
    }
  }

  private void checkStart(Attempt attempt, long snapshot, Known required) {
    if (snapshot < required.position()) {
      findings.found(
          promise.strong() ? "stale-strong-start" : "stale-session-start",
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
