package org.ecstore.txn.commit;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * What a read looks for intents on (rule 10), and how far it has looked: keys first, then an
 * interval.
 */
final class IntentSearch {
  private final List<Bytes> keys;
  private final Position position;
  private int keysDone;
  private Optional<KeyRange> rest;

  /** One that has not begun. */
  IntentSearch(List<Bytes> keys, Optional<KeyRange> interval, Position position) {
    this.keys = keys;
    this.rest = interval;
    this.position = position;
  }

  /** Where is read. */
  Position position() {
    return position;
  }

  /** The key to look at next; absent if there is none. */
  Optional<Bytes> nextKey() {
    return keysDone < keys.size() ? Optional.of(keys.get(keysDone)) : Optional.empty();
  }

  void keyDone() {
    keysDone++;
  }

  /** What is left of the interval; absent if nothing is. */
  Optional<KeyRange> rest() {
    return rest;
  }

  /** The interval was looked through below a key of it. */
  void goOnAt(Bytes key) {
    rest = rest.map(left -> KeyRange.between(key, left.end()));
  }

  /** Nothing is left to look at. */
  void end() {
    keysDone = keys.size();
    rest = Optional.empty();
  }

  boolean isOver() {
    return keysDone == keys.size() && rest.isEmpty();
  }
}
