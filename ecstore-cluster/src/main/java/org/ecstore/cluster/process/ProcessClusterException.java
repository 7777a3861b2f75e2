package org.ecstore.cluster.process;

/** A cluster of processes cannot do what was asked; the message says why in a line. */
public sealed class ProcessClusterException extends RuntimeException
    permits StewardSilentException {
  ProcessClusterException(String message) {
    super(message);
  }

  ProcessClusterException(String message, Throwable cause) {
    super(message, cause);
  }
}
