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
 */
record BuildState(UUID build, Optional<Bytes> through, long records) {}
