package org.ecstore.txn.qos.control.book;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What who leads next says of the time before, and decides nothing by. Immutable.
 *
 * @param begunMillis when actions were written down, in milliseconds since 1970, by their numbers;
 *     not of those whose time is not known
 * @param helpless what could not be helped, the latest of each application, the newest last
 */
public record ControlPast(SortedMap<Long, Long> begunMillis, List<Helpless> helpless) {
  /** Applications of which that is remembered. */
  static final int HELPLESS_MAX = 64;

  /** Nothing is known. */
  public static final ControlPast NONE = new ControlPast(new TreeMap<>(), List.of());

  /**
   * Nothing was predicted to help an application whose objective is violated.
   *
   * @param atMillis when, in milliseconds since 1970; 0 if that is not known
   * @param why something was looked for
   * @param detail why there is nothing
   */
  public record Helpless(String application, long atMillis, String why, String detail) {}

  public ControlPast {
    begunMillis = Collections.unmodifiableSortedMap(new TreeMap<>(begunMillis));
    helpless = List.copyOf(helpless);
  }

  /** When an action was written down; 0 if that is not known. */
  public long begunMillis(long action) {
    return begunMillis.getOrDefault(action, 0L);
  }

  boolean isEmpty() {
    return begunMillis.isEmpty() && helpless.isEmpty();
  }

  /** With an action more; of those before the first that is kept nothing is known any more. */
  ControlPast begun(long action, long millis, long first) {
    TreeMap<Long, Long> begun = new TreeMap<>(begunMillis.tailMap(first));
    if (millis > 0) {
      begun.put(action, millis);
    }
    return new ControlPast(begun, helpless);
  }

  ControlPast with(Helpless one) {
    List<Helpless> all = new ArrayList<>(helpless);
    all.removeIf(before -> before.application().equals(one.application()));
    all.add(one);
    return new ControlPast(
        begunMillis, all.subList(Math.max(0, all.size() - HELPLESS_MAX), all.size()));
  }
}
