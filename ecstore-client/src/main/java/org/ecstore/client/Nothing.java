package org.ecstore.client;

/** The value of a table whose keys say it all, as that of friendships: {@link Codec#nothing}. */
public enum Nothing {
  /** The only one. */
  NOTHING
}
