package org.ecstore.engines.store;

import org.jspecify.annotations.Nullable;

/**
 * What an instance of a store behind a server knows of whose the store is (rule W10). The server
 * has the token of the instance that took the store over last, and how often it was written to; a
 * server that knows less than it once confirmed has lost something, and a server with another token
 * is another's.
 */
public final class Ownership {
  private final String token;
  private volatile long confirmed;
  private volatile @Nullable String lost;

  /** What the server may have been told at most; of the writing thread. */
  private long told;

  /**
   * Of an instance that has just taken a store over.
   *
   * @param token its own, of no other instance ever
   * @param sequence what the server has counted
   */
  public Ownership(String token, long sequence) {
    this.token = token;
    this.confirmed = sequence;
    this.told = sequence;
  }

  /** By which the server knows this instance. */
  public String token() {
    return token;
  }

  /** The count of writes that the server has confirmed; readers look before they ask. */
  public long confirmed() {
    return confirmed;
  }

  /** The greatest count that the server may have. */
  public long told() {
    return told;
  }

  /** The count of the next write, which the server may have from now on. */
  public long next() {
    told++;
    return told;
  }

  /** The server has confirmed a write. */
  public void confirm(long sequence) {
    confirmed = sequence;
  }

  /**
   * Fails if the store was found lost.
   *
   * @throws StoreException if so
   */
  public void check() {
    String why = lost;
    if (why != null) {
      throw new StoreException(StoreException.Reason.LOST, why);
    }
  }

  /** From now on every call fails; what to throw. */
  public StoreException lose(String why) {
    String first = lost;
    if (first == null) {
      lost = why;
      first = why;
    }
    return new StoreException(StoreException.Reason.LOST, first);
  }

  /**
   * Holds what a statement found of the owner against what was confirmed before it was made.
   *
   * @param found the sequence; absent if the token is not the owner's
   */
  public void checkFound(@Nullable Long found, long confirmedBefore) {
    if (found == null) {
      throw lose("another process has taken the store over, or its tables were emptied");
    }
    if (found < confirmedBefore) {
      throw lose(
          "the server has lost what it had confirmed: it knows "
              + found
              + " writes of "
              + confirmedBefore);
    }
  }
}
