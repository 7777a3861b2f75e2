package org.ecstore.wire.client;

/** How fresh the snapshot of a transaction is (rule 9). */
public enum ReadLevel {
  /** At or after everything this session has seen; may be a little old. */
  SESSION,
  /** At or after every commit acknowledged before the transaction began. */
  STRONG
}
