package org.ecstore.tools.torture.workload;

/** A transaction that finds that there is nothing it may do, and does not commit. */
public final class DeclinedException extends Exception {
  private static final long serialVersionUID = 1L;

  DeclinedException(String message) {
    super(message);
  }
}
