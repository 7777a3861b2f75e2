package org.ecstore.client.read;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.ecstore.client.copies.AnsweredBy;

/**
 * Who reads: whether any copy will do, as for read-only work, or the primary is wanted, as for what
 * has to be written; and which copy has answered last. Safe for use by several threads.
 */
public final class Reader {
  private final boolean anyCopy;
  private final AtomicReference<Optional<AnsweredBy>> last =
      new AtomicReference<>(Optional.empty());

  private Reader(boolean anyCopy) {
    this.anyCopy = anyCopy;
  }

  /** Reads any copy that covers its position. */
  public static Reader ofAnyCopy() {
    return new Reader(true);
  }

  /** Reads primaries. */
  public static Reader ofPrimaries() {
    return new Reader(false);
  }

  boolean anyCopy() {
    return anyCopy;
  }

  void answered(AnsweredBy by) {
    last.set(Optional.of(by));
  }

  /** The copy that answered last. */
  public Optional<AnsweredBy> last() {
    return last.get();
  }
}
