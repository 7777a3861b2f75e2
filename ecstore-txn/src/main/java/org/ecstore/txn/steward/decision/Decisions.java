package org.ecstore.txn.steward.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;

/**
 * What the steward of this node has decided, bounded. What earlier ones have done is taken from the
 * reasons of the map changes that this node has learnt of, and what the controller has done from
 * its book; what else they refused or put off dies with them.
 */
public final class Decisions {
  private static final int KEPT = 1000;

  private final OperatorLog log;
  private final List<Decision> kept = new ArrayList<>();
  private long last;

  public Decisions(OperatorLog log) {
    this.log = log;
  }

  /** Starts anew, with what is known of earlier stewards; numbers go on. */
  public void begin(List<MapChange> known) {
    kept.clear();
    known.forEach(change -> kept.add(ofChange(change, 0)));
  }

  public List<Decision> all() {
    return List.copyOf(kept);
  }

  /** Something has to be done. */
  public long open(long nanos, Cause cause, List<RangeId> ranges, String what, String why) {
    return open(nanos, cause, ranges, what, why, 0);
  }

  /** As above, on a request with an id. */
  public long open(
      long nanos, Cause cause, List<RangeId> ranges, String what, String why, long adminRequest) {
    Decision made =
        new Decision(
            ++last,
            nanos,
            MapVersion.ZERO,
            cause,
            ranges,
            what,
            why,
            Outcome.UNDER_WAY,
            "",
            adminRequest);
    add(made);
    return made.number();
  }

  /** What a change of the map says of itself. */
  public void done(MapChange change, long nanos) {
    Decision made = ofChange(change, nanos);
    add(made);
    say(made);
  }

  /**
   * The last change, which the steward that changes the map next finds in coordination, even if no
   * news of it had come to that steward.
   */
  public void recall(MapChange change) {
    if (kept.stream().noneMatch(one -> one.map().equals(change.version()))) {
      add(ofChange(change, 0));
    }
  }

  /**
   * What was decided before this steward led, and is over, in its place among the others.
   *
   * @param nanos when, by the clock of this node; 0 if that is not known
   */
  public void recall(
      long nanos, Cause cause, String what, String why, Outcome outcome, String detail) {
    int at = 0;
    while (at < kept.size() && isBefore(kept.get(at), nanos)) {
      at++;
    }
    kept.add(
        at,
        new Decision(
            ++last, nanos, MapVersion.ZERO, cause, List.of(), what, why, outcome, detail, 0));
    forgetOldest();
  }

  /** Those whose time is not known are of earlier stewards, and before all others. */
  private static boolean isBefore(Decision one, long nanos) {
    return one.nanos() == 0 || (nanos != 0 && one.nanos() - nanos <= 0);
  }

  /** What has come of a request with an id; absent if nothing is known of it. */
  public Optional<Decision> ofRequest(long adminRequest) {
    Optional<Decision> latest =
        kept.stream()
            .filter(one -> adminRequest != 0 && one.adminRequest() == adminRequest)
            .reduce((_, later) -> later);
    return doneOfRequest(adminRequest).or(() -> latest);
  }

  /** As above, if it is done. */
  public Optional<Decision> doneOfRequest(long adminRequest) {
    return kept.stream()
        .filter(
            one ->
                adminRequest != 0
                    && one.adminRequest() == adminRequest
                    && one.outcome() == Outcome.DONE)
        .findFirst();
  }

  private void add(Decision made) {
    kept.add(made);
    forgetOldest();
  }

  /** What is not over is kept in any case: the operator who asked for it looks for it. */
  private void forgetOldest() {
    if (kept.size() > KEPT) {
      kept.stream()
          .filter(one -> one.outcome() != Outcome.UNDER_WAY)
          .findFirst()
          .ifPresent(kept::remove);
    }
  }

  private Decision ofChange(MapChange change, long nanos) {
    Reason reason = Reason.of(change.reason());
    List<RangeId> ranges =
        Stream.concat(change.retired().stream(), change.placed().stream().map(RangeDescriptor::id))
            .distinct()
            .toList();
    return new Decision(
        ++last,
        nanos,
        change.version(),
        reason.cause(),
        ranges,
        reason.text(),
        "",
        Outcome.DONE,
        "",
        reason.adminRequest());
  }

  public Decision of(long number) {
    return kept.stream().filter(one -> one.number() == number).findFirst().orElseThrow();
  }

  /** An open one ends. The same thing put off again and again is kept once. */
  public void end(long number, Outcome outcome, MapVersion map, String detail) {
    for (int i = kept.size() - 1; i >= 0; i--) {
      Decision one = kept.get(i);
      if (one.number() == number && one.outcome() == Outcome.UNDER_WAY) {
        Decision ended = one.ended(outcome, map, detail);
        kept.set(i, ended);
        say(ended);
        if (outcome == Outcome.PUT_OFF) {
          kept.removeIf(
              old ->
                  old.number() < number
                      && old.outcome() == Outcome.PUT_OFF
                      && old.what().equals(ended.what()));
        }
        return;
      }
    }
  }

  /** Says of an open one what it waits for; for those who ask, not for the operator log. */
  public void note(long number, String detail) {
    kept.replaceAll(
        one ->
            one.number() == number && one.outcome() == Outcome.UNDER_WAY
                ? one.waiting(detail)
                : one);
  }

  private void say(Decision one) {
    log.info("steward: " + one);
  }
}
