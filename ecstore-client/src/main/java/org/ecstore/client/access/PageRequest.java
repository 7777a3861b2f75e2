package org.ecstore.client.access;

/**
 * What is asked of one step of a scan.
 *
 * @param recordsMax records of the page at most
 * @param wanted records that the reader still wants, those of the page included
 */
public record PageRequest(int recordsMax, long wanted) {
  /** Records asked for in the first page and at most in later ones. */
  static final int FIRST_PAGE = 64;

  static final int PAGE_MAX = 2048;
}
