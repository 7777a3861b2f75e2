package org.ecstore.txn.qos.control;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.ControlCheckLine;

/**
 * What the last checks have found of each objective. It begins anew after each change. Guarantees
 * alone are owed: that an application of best effort misses its response time is shown, and calls
 * for nothing.
 */
final class CheckWindow {
  private static final class Seen {
    private final Objective objective;
    private final Deque<ServiceVerdict> verdicts = new ArrayDeque<>();

    Seen(Objective objective) {
      this.objective = objective;
    }

    boolean isOwed() {
      return CheckWindow.isOwed(objective);
    }

    int violated() {
      return (int) verdicts.stream().filter(verdict -> verdict == ServiceVerdict.VIOLATED).count();
    }
  }

  private final int size;
  private final Map<String, Seen> seen = new TreeMap<>();
  private List<ServiceVerdict> last = List.of();
  private boolean isMissed;
  private boolean isKnown;
  private int checks;
  private int spare;
  private int quiet;

  /** Of so many checks. */
  CheckWindow(int size) {
    this.size = size;
  }

  /** Nothing that was seen counts any more; what the last check has found is still known. */
  void clear() {
    seen.clear();
    checks = 0;
    spare = 0;
    quiet = 0;
  }

  /** What was seen of one application counts no more; of all others it does. */
  void clear(String application) {
    seen.remove(application);
  }

  /** As {@link #clear()}, and nothing is known of the last check either. */
  void forget() {
    clear();
    last = List.of();
    isMissed = false;
    isKnown = false;
  }

  /** A check of all objectives that stand. */
  void add(Map<Objective, ServiceVerdict> verdicts) {
    seen.values().removeIf(one -> !verdicts.containsKey(one.objective));
    verdicts.forEach(
        (objective, verdict) -> {
          Seen of = seen.computeIfAbsent(objective.application(), _ -> new Seen(objective));
          of.verdicts.addLast(verdict);
          if (of.verdicts.size() > size) {
            of.verdicts.removeFirst();
          }
        });
    last = List.copyOf(verdicts.values());
    isMissed =
        verdicts.entrySet().stream()
            .anyMatch(one -> isOwed(one.getKey()) && one.getValue() == ServiceVerdict.VIOLATED);
    isKnown = true;
    checks++;
    quiet = isCalm() && found(ServiceVerdict.KEPT) > 0 ? quiet + 1 : 0;
  }

  private static boolean isOwed(Objective objective) {
    return objective.serviceClass() == ServiceClass.GUARANTEED;
  }

  /** How many objectives the last check has found so, owed or not; 0 before the first one. */
  int found(ServiceVerdict verdict) {
    return (int) last.stream().filter(one -> one == verdict).count();
  }

  /** Checks since it began. */
  int checks() {
    return checks;
  }

  /** Whether there were as many as one needs to judge what an action has brought. */
  boolean isFull() {
    return checks >= size;
  }

  /** Whether the last check has found no guarantee violated. */
  boolean isCalm() {
    return !isMissed;
  }

  /**
   * Whether clients have told of any objective, by the last check, or there was none that they
   * could tell of. Where none has there is no load, or no client gets through: nothing says which.
   * False before the first check.
   */
  boolean isHeard() {
    return isKnown && (last.isEmpty() || found(ServiceVerdict.UNKNOWN) < last.size());
  }

  /** Whether something could be taken back by what the last check has found. */
  void couldSpare(boolean something) {
    spare = something ? spare + 1 : 0;
  }

  /** Whether something could be taken back in all checks of so many windows in a row. */
  boolean canSpare(int windows) {
    return spare >= size * windows;
  }

  /**
   * Whether for a whole window each check has found an objective that is kept, and no guarantee
   * that is violated. Where no client tells of anything nothing says that nothing is needed.
   */
  boolean isQuiet() {
    return quiet >= size;
  }

  /** Checks of a quiet window count no more: the next one begins. */
  void countQuietAnew() {
    quiet = 0;
  }

  /** The guarantees that were violated in half of a window, the one that was most often first. */
  List<Objective> violated() {
    return seen.values().stream()
        .filter(Seen::isOwed)
        .filter(one -> one.verdicts.size() == size)
        .filter(one -> one.verdicts.getLast() == ServiceVerdict.VIOLATED)
        .filter(one -> 2 * one.violated() >= size)
        .sorted(Comparator.comparingInt(Seen::violated).reversed())
        .map(one -> one.objective)
        .toList();
  }

  /** How many of the last checks violated a guarantee; 0 if the application has none. */
  int violated(String application) {
    Seen of = seen.get(application);
    return of == null || !of.isOwed() ? 0 : of.violated();
  }

  /** For people. */
  List<ControlCheckLine> lines() {
    List<ControlCheckLine> lines = new ArrayList<>();
    seen.forEach(
        (application, one) ->
            lines.add(
                new ControlCheckLine(application, one.verdicts.size(), size, one.violated())));
    return lines;
  }
}
