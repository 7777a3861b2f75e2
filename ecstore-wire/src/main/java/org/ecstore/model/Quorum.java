package org.ecstore.model;

import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;

/**
 * How many copies take part in a write and in a read of one key (rule 13; ecStore §4.4): of the
 * {@code n} copies of a range {@code w} have a write before it is acknowledged, and {@code r}
 * answer a read. With {@code w + r > n} every read meets a copy that has every write that was
 * acknowledged before it.
 */
public record Quorum(int n, int w, int r) {
  private static final int COPIES_MAX = 64;

  /**
   * A quorum.
   *
   * @throws WrongArgumentException if not 1 &lt;= w &lt;= n and 1 &lt;= r &lt;= n
   */
  public static Quorum of(int n, int w, int r) {
    Quorum quorum = new Quorum(n, w, r);
    Optional<String> wrong = quorum.wrong();
    if (wrong.isPresent()) {
      throw new WrongArgumentException(wrong.get(), null, "quorum", quorum);
    }
    return quorum;
  }

  /** Why there can be no such quorum; absent if there can. */
  public Optional<String> wrong() {
    if (n < 1 || n > COPIES_MAX) {
      return Optional.of("N is from 1 to " + COPIES_MAX + ", not " + n);
    }
    if (w < 1 || w > n) {
      return Optional.of("W is from 1 to N = " + n + ", not " + w);
    }
    if (r < 1 || r > n) {
      return Optional.of("R is from 1 to N = " + n + ", not " + r);
    }
    return Optional.empty();
  }

  /** Whether every read meets every write that was acknowledged before it. */
  public boolean isStrict() {
    return w + r > n;
  }

  @Override
  public String toString() {
    return "(N=" + n + ", W=" + w + ", R=" + r + ")";
  }
}
