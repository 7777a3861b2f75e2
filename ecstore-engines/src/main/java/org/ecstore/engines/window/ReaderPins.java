package org.ecstore.engines.window;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The readers that are under way. What leaves the window stays until those have ended that began
 * before (rule W5). Any thread may call.
 */
final class ReaderPins {
  private final TreeSet<Long> readers = new TreeSet<>();

  /** What waits, under the number of the last reader that it waits for. */
  private final TreeMap<Long, List<Runnable>> waiting = new TreeMap<>();

  private long last;

  /** A reader begins; its number. */
  synchronized long pin() {
    readers.add(++last);
    return last;
  }

  /** A reader ends. */
  void unpin(long reader) {
    List<Runnable> due = new ArrayList<>();
    synchronized (this) {
      readers.remove(reader);
      while (!waiting.isEmpty() && isQuietThrough(waiting.firstKey())) {
        due.addAll(waiting.pollFirstEntry().getValue());
      }
    }
    due.forEach(Runnable::run);
  }

  private boolean isQuietThrough(long reader) {
    return readers.isEmpty() || readers.first() > reader;
  }

  /** Runs it once all readers have ended that are under way, at once if there are none. */
  void afterThoseOfNow(Runnable then) {
    synchronized (this) {
      if (!isQuietThrough(last)) {
        waiting.computeIfAbsent(last, number -> new ArrayList<>()).add(then);
        return;
      }
    }
    then.run();
  }
}
