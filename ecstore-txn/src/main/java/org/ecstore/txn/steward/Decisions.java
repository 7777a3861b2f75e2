package org.ecstore.txn.steward;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Journal;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;
import org.ecstore.txn.steward.Decision.Cause;
import org.ecstore.txn.steward.Decision.Outcome;

/**
 * What the steward of this node has decided, bounded. What earlier ones have done is taken from the
 * reasons of the map changes that this node has learnt of; what they refused or put off dies with
 * them.
 */
final class Decisions {
  private static final int KEPT = 1000;

  private final Journal journal;
  private final List<Decision> kept = new ArrayList<>();
  private long last;

  Decisions(Journal journal) {
    this.journal = journal;
  }

  /** Starts anew, with what is known of earlier stewards; numbers go on. */
  void begin(List<MapChange> known) {
    kept.clear();
    known.forEach(change -> kept.add(ofChange(change, 0)));
  }

  List<Decision> all() {
    return List.copyOf(kept);
  }

  /** Something is to be done. */
  long open(long nanos, Cause cause, List<RangeId> ranges, String what, String why) {
    Decision made =
        new Decision(
            ++last, nanos, MapVersion.ZERO, cause, ranges, what, why, Outcome.UNDER_WAY, "");
    add(made);
    return made.number();
  }

  /** What a change of the map says of itself. */
  void done(MapChange change, long nanos) {
    Decision made = ofChange(change, nanos);
    add(made);
    say(made);
  }

  private void add(Decision made) {
    kept.add(made);
    if (kept.size() > KEPT) {
      kept.removeFirst();
    }
  }

  private Decision ofChange(MapChange change, long nanos) {
    Cause cause = Cause.PLACEMENT;
    String text = change.reason();
    for (Cause each : Cause.values()) {
      if (text.startsWith(each.word() + ": ")) {
        cause = each;
        text = text.substring(each.word().length() + 2);
      }
    }
    List<RangeId> ranges =
        Stream.concat(change.retired().stream(), change.placed().stream().map(RangeDescriptor::id))
            .distinct()
            .toList();
    return new Decision(++last, nanos, change.version(), cause, ranges, text, "", Outcome.DONE, "");
  }

  Decision of(long number) {
    return kept.stream().filter(one -> one.number() == number).findFirst().orElseThrow();
  }

  /** An open one ends. The same thing put off again and again is kept once. */
  void end(long number, Outcome outcome, MapVersion map, String detail) {
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

  private void say(Decision one) {
    journal.info("steward: " + one);
  }
}
