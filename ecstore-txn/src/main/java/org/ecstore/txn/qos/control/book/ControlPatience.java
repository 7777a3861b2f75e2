package org.ecstore.txn.qos.control.book;

/**
 * How long the controller waits until it takes something back (decisions 0077 and 0102). Immutable.
 *
 * @param windows for so many something must be able to go
 * @param proof for so many what was taken back last was not needed again, {@link #PROOF} at most;
 *     it is counted where {@code windows} may become fewer by it
 */
public record ControlPatience(int windows, int proof) {
  /** As it is at first, and after other settings of an operator's. */
  public static final ControlPatience FIRST = new ControlPatience(1, 0);

  /**
   * What was not needed for so many windows was not taken back too soon. It is not less than {@link
   * #WINDOWS_MAX}: a load that comes and goes, and calls for nothing any more as something waits
   * that long, is never quiet for that long either.
   */
  public static final int PROOF = 16;

  static final int WINDOWS_MAX = 16;

  /** Something more is done, or taken back: what was taken back before it is proven no further. */
  ControlPatience anew() {
    return new ControlPatience(windows, 0);
  }

  /**
   * What was taken back is wanted again: it was taken back too soon, unless that is disproved, and
   * takes twice as long then.
   */
  ControlPatience missed() {
    return proof >= PROOF ? anew() : new ControlPatience(Math.min(WINDOWS_MAX, windows * 2), 0);
  }

  /**
   * What was taken back was not needed for a window more. When that is proof enough, it takes half
   * as long the next time; once for what is taken back, however long it is not needed.
   *
   * @param enough how many windows are
   */
  ControlPatience notNeeded(int enough) {
    if (windows <= 1 || proof >= PROOF) {
      return this;
    }
    return proof + 1 >= enough
        ? new ControlPatience(windows / 2, PROOF)
        : new ControlPatience(windows, proof + 1);
  }
}
