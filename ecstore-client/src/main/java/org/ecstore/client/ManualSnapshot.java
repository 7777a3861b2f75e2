package org.ecstore.client;

/** A snapshot that its user closes. While it is open the store keeps its versions (rule 14). */
public interface ManualSnapshot extends Snapshot, AutoCloseable {
  /** Ends the snapshot. Closing again does nothing. */
  @Override
  void close();
}
