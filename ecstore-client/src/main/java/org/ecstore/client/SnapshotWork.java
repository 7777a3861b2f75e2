package org.ecstore.client;

import org.jspecify.annotations.Nullable;

/**
 * What to read from a snapshot. It may be run several times. Scans are lazy: what is to leave it
 * must be read in it ({@link Scan#toList}).
 *
 * @param <T> what comes of it
 * @param <X> what it throws besides
 */
@FunctionalInterface
public interface SnapshotWork<T extends @Nullable Object, X extends Exception> {
  /** Runs it once. */
  T run(Snapshot snapshot) throws X;
}
