package org.ecstore.client;

import java.util.Optional;
import java.util.UUID;
import org.ecstore.key.Bytes;

/**
 * How far the build of an index has come. All records up to a key have their entries.
 *
 * @param build of which it is: who finds that of another has been overtaken
 * @param through the last key, encoded; absent before the first
 * @param records that were looked at
 * @param beats grows while the build goes on, also where it enters nothing
 */
record BuildState(UUID build, Optional<Bytes> through, long records, long beats) {
  /** Of a build that has ended before its time, and knows it. */
  static final UUID NONE = new UUID(0, 0);

  /** None has begun. */
  static BuildState first(UUID build) {
    return new BuildState(build, Optional.empty(), 0, 0);
  }

  /** The same, of another build. */
  BuildState of(UUID other) {
    return new BuildState(other, through, records, beats + 1);
  }
}
