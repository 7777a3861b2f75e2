package org.ecstore.client.report;

import java.util.Optional;
import org.ecstore.key.Bytes;

/** Where connections find what there is to report with a request. Thread-safe. */
@FunctionalInterface
public interface ReportSource {
  /** Nothing, ever. */
  ReportSource NONE = Optional::empty;

  /** A report if it is time for one: the request of who asks first takes it along. */
  Optional<Bytes> due();
}
