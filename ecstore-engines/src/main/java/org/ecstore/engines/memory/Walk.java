package org.ecstore.engines.memory;

import java.util.Optional;
import org.ecstore.core.mvcc.VersionedMap;
import org.ecstore.core.port.EngineResult;

/**
 * A read that looks several times, each time at some of what it was asked for, while prunes, clears
 * and batches go on in between.
 */
public interface Walk {
  /** Looks once more; the result after the last look. */
  Optional<EngineResult> look(VersionedMap versions);
}
