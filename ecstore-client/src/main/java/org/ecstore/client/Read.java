package org.ecstore.client;

import java.util.function.Supplier;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/**
 * One read of {@link Reads}: what came of it is here once they have been sent.
 *
 * @param <T> what comes of it: an Optional, or a map of what is there
 */
public final class Read<T> implements Supplier<T> {
  private final String what;
  private volatile @Nullable T value;

  Read(String what) {
    this.what = what;
  }

  void came(T value) {
    this.value = value;
  }

  /**
   * What came of it. Asks no node.
   *
   * @throws WrongArgumentException before {@link Reads#run} has returned
   */
  @Override
  public T get() {
    T known = value;
    if (known == null) {
      throw new WrongArgumentException(
          "the read has not been sent: call run() of its Reads first", null, "read", what);
    }
    return known;
  }

  @Override
  public String toString() {
    return what;
  }
}
