package org.ecstore.client.read;

/**
 * What is asked of one step of a scan.
 *
 * @param recordsMax records of the page at most
 * @param wanted records that the reader still wants, those of the page included
 */
public record PageRequest(int recordsMax, long wanted) {
  /** Records asked for in the first page and at most in later ones. */
  public static final int FIRST_PAGE = 64;

  public static final int PAGE_MAX = 2048;

  /**
   * How many records to ask for: all, if the reader has said that it wants no more than a page
   * holds; otherwise more each time, since it may stop soon.
   */
  public static int records(long wanted, int growing) {
    return (int) Math.max(1, wanted <= PAGE_MAX ? wanted : growing);
  }
}
