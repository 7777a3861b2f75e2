package org.ecstore.client.routing;

import java.time.Duration;
import java.util.Optional;
import org.ecstore.client.retry.Deadline;

/**
 * How long the operations of a snapshot or transaction may take, their retries included.
 *
 * @param each how long one may
 * @param overall when all of them must be done, if that is said
 */
public record TimeLimit(Duration each, Optional<Deadline> overall) {
  /** So long for each, however many there are. */
  public static TimeLimit each(Duration time) {
    return new TimeLimit(time, Optional.empty());
  }

  /** When an operation that begins now must be done. */
  public Deadline deadline(long nowNanos) {
    Deadline one = Deadline.after(nowNanos, each);
    return overall.map(all -> Deadline.earlier(all, one)).orElse(one);
  }
}
