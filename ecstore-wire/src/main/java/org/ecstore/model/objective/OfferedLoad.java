package org.ecstore.model.objective;

/** How much an application asks of a cluster. */
public sealed interface OfferedLoad {
  /** The most operations a second that can be stated. */
  long RATE_MAX = 1_000_000_000;

  /** The most clients that can be stated. */
  int CLIENTS_MAX = 10_000_000;

  /** So many operations a second, 1 to {@link #RATE_MAX}, however many clients send them. */
  record OperationRate(long perSecond) implements OfferedLoad {}

  /** 1 to {@link #CLIENTS_MAX} clients that each wait for an answer before they ask again. */
  record ClientCount(int count) implements OfferedLoad {}
}
