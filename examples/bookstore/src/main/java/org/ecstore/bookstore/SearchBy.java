package org.ecstore.bookstore;

/** Where words of a search are looked for. */
public enum SearchBy {
  AUTHOR,
  TITLE
}
