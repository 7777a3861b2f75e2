package org.ecstore.cluster.bookkeeper.near;

import java.util.Optional;
import org.apache.bookkeeper.bookie.Bookie;

/** The bookie of this process. Safe for use by several threads. */
@FunctionalInterface
public interface NearBookie {
  /** BookKeeper's own; absent while it does not serve. */
  Optional<Bookie> serving();
}
