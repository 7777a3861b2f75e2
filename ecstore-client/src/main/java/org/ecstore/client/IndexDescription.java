package org.ecstore.client;

/**
 * What the store's catalog says of an index.
 *
 * @param name of the index in its table
 * @param unique whether two records cannot have one value
 * @param covering whether its entries keep a part of each record
 * @param version of what it is made of: {@link Index#version}
 * @param state where it is in its life
 */
public record IndexDescription(
    String name, boolean unique, boolean covering, int version, State state) {
  /** Where an index is in its life. */
  public enum State {
    /** What is written is in it, and what was there before is being entered: not to be read yet. */
    BUILDING,
    /** It has an entry for all that its table has. */
    READABLE,
    /** No longer to be read; still written, until all who have read it know. */
    DROPPING,
    /** Neither read nor written: what it has is being deleted. */
    REMOVED
  }

  IndexDescription in(State other) {
    return new IndexDescription(name, unique, covering, version, other);
  }

  /** Whether transactions that write records write its entries. */
  boolean isMaintained() {
    return state != State.REMOVED;
  }

  boolean isReadable() {
    return state == State.READABLE;
  }
}
