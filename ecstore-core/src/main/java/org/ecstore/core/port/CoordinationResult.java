package org.ecstore.core.port;

import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;

/** What became of a call to {@link Coordination}. */
public sealed interface CoordinationResult {
  record Joined(long incarnation) implements CoordinationResult {}

  /** The value and its version; version 0 and absent if there is none. */
  record Stored(long version, Optional<Bytes> value) implements CoordinationResult {}

  /** The node that is to lead; absent while none is. */
  record Leader(Optional<NodeId> leader) implements CoordinationResult {}

  /** Replaced; the new version. */
  record Swapped(long version) implements CoordinationResult {}

  /** Not replaced: the version was another. */
  record Lost() implements CoordinationResult {}

  /** Perhaps done, perhaps not: read again. */
  record Unknown(String detail) implements CoordinationResult {}
}
