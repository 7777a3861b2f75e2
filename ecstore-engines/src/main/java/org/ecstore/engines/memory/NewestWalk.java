package org.ecstore.engines.memory;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.EngineResult.KeyVersion;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/** A question for newer versions that looks at some keys at a time. */
final class NewestWalk implements Walk {
  private final List<Bytes> keys;
  private final List<KeyRange> intervals;
  private final Position above;
  private final Steps steps;
  private int key;
  private int interval;
  private Optional<KeyRange> rest = Optional.empty();

  NewestWalk(List<Bytes> keys, List<KeyRange> intervals, Position above, Steps steps) {
    this.keys = keys;
    this.intervals = intervals;
    this.above = above;
    this.steps = steps;
  }

  @Override
  public Optional<EngineResult> look(VersionedMap versions) {
    Optional<KeyVersion> found = key < keys.size() ? some(versions) : piece(versions);
    boolean over = key == keys.size() && interval == intervals.size();
    return found.isPresent() || over
        ? Optional.of(new EngineResult.Newer(found))
        : Optional.empty();
  }

  private Optional<KeyVersion> some(VersionedMap versions) {
    int to = Math.min(keys.size(), key + steps.length());
    List<Bytes> asked = keys.subList(key, to);
    key = to;
    return versions.newest(asked, List.of(), above);
  }

  private Optional<KeyVersion> piece(VersionedMap versions) {
    if (interval == intervals.size()) {
      return Optional.empty();
    }
    KeyRange asked = intervals.get(interval);
    KeyRange from = rest.orElse(asked);
    Optional<Bytes> cut = versions.key(from, steps.length());
    rest = cut.map(at -> KeyRange.between(at, from.end()));
    if (rest.isEmpty()) {
      interval++;
    }
    KeyRange piece = cut.map(at -> KeyRange.of(from.start(), at)).orElse(from);
    return versions
        .newest(List.of(), List.of(piece), above)
        .map(newer -> new KeyVersion(newer.key(), asked, newer.version()));
  }
}
