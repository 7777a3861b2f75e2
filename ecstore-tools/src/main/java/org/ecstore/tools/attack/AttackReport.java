package org.ecstore.tools.attack;

import java.time.Duration;
import java.util.List;

/**
 * What came of an attack. Immutable.
 *
 * @param rounds one for each kind
 * @param honest transactions of honest clients in all
 * @param refused of them, those that were refused or of unknown outcome
 * @param violations what must not be; the attack has failed to do harm if there are none
 */
public record AttackReport(
    AttackSettings settings,
    List<Round> rounds,
    long honest,
    long refused,
    Duration took,
    List<String> violations) {
  public AttackReport {
    rounds = List.copyOf(rounds);
    violations = List.copyOf(violations);
  }

  /**
   * One kind.
   *
   * @param frames that were sent
   * @param bursts connections, or series of them
   * @param cut bursts that did not get through to their end
   * @param before transactions of honest clients a second, before it
   * @param longestPauseMillis the longest that one of these clients got nothing done, until the end
   *     of the moment after
   * @param heapGrowth the most of a node since the beginning of all, in bytes, after a collection
   * @param directGrowth as above, of buffers outside the heap
   * @param residentMax of a node's process in memory, in bytes; -1 where the system does not tell
   * @param filesGrowth the most of a node since the beginning of all, in open files
   */
  public record Round(
      AttackKind kind,
      long frames,
      long bursts,
      long cut,
      Duration took,
      double before,
      double during,
      double after,
      long longestPauseMillis,
      long heapGrowth,
      long directGrowth,
      long residentMax,
      long filesGrowth) {
    /** Frames a second. */
    public double rate() {
      return frames * 1e9 / Math.max(1, took.toNanos());
    }
  }
}
