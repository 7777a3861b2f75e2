package org.ecstore.model;

import java.time.Duration;
import java.util.Objects;
import org.ecstore.client.error.WrongArgumentException;

/**
 * How fresh the snapshot of a transaction is (rule 9). From the weakest to the strongest: {@link
 * #LOCAL}, {@link #SESSION}, {@link #bounded}, {@link #STRONG}; each promises what the ones before
 * it do, but that a local snapshot may be older than what the session has seen. Whatever the level,
 * a snapshot is one moment of the whole store: levels differ in when that moment was.
 *
 * @param lagMillis the bound of {@link Kind#BOUNDED}, at least 1; otherwise 0
 */
public record ReadLevel(Kind kind, int lagMillis) {
  /** The levels, without their parameters. */
  public enum Kind {
    LOCAL,
    SESSION,
    BOUNDED,
    STRONG
  }

  /**
   * What the node that is asked can answer from its own copies now, without waiting for another
   * node. May be older than what the session has seen. Goes on without a sequencer.
   */
  public static final ReadLevel LOCAL = new ReadLevel(Kind.LOCAL, 0);

  /** At or after everything this session has seen; may be a little old. */
  public static final ReadLevel SESSION = new ReadLevel(Kind.SESSION, 0);

  /** At or after every commit acknowledged before the transaction began. */
  public static final ReadLevel STRONG = new ReadLevel(Kind.STRONG, 0);

  private static final Duration LAG_MIN = Duration.ofMillis(1);
  private static final Duration LAG_MAX = Duration.ofMillis(Integer.MAX_VALUE);

  public ReadLevel {
    Objects.requireNonNull(kind, "kind");
    if (kind == Kind.BOUNDED ? lagMillis < 1 : lagMillis != 0) {
      throw new WrongArgumentException(
          "the level has no such lag", null, "kind", kind, "lagMillis", lagMillis);
    }
  }

  /**
   * At or after everything this session has seen, and every commit acknowledged longer ago than a
   * lag. The node measures the lag on its own monotonic clock, from the moment it asked the
   * sequencer; a machine whose clock stands still, as a suspended one's may, makes it longer. No
   * other promise rests on that clock.
   *
   * @param lag a millisecond to {@link Integer#MAX_VALUE} of them
   * @throws WrongArgumentException if it is not
   */
  public static ReadLevel bounded(Duration lag) {
    if (lag.compareTo(LAG_MIN) < 0 || lag.compareTo(LAG_MAX) > 0) {
      throw new WrongArgumentException(
          "a lag is of " + LAG_MIN.toMillis() + " to " + LAG_MAX.toMillis() + " ms",
          null,
          "lag",
          lag);
    }
    return new ReadLevel(Kind.BOUNDED, (int) lag.toMillis());
  }

  @Override
  public String toString() {
    return kind == Kind.BOUNDED ? "BOUNDED(" + lagMillis + " ms)" : kind.name();
  }
}
