package org.ecstore.model.objective;

/** How much an application asks of a cluster. */
public sealed interface OfferedLoad {
  /** So many operations a second, however many clients send them. */
  record OperationRate(long perSecond) implements OfferedLoad {}

  /** So many clients that each wait for an answer before they ask again. */
  record ClientCount(int count) implements OfferedLoad {}
}
