package org.ecstore.cluster.process;

/** No node that runs has the steward's answer; it may have heard the question. */
public final class StewardSilentException extends ProcessClusterException {
  public StewardSilentException(String message) {
    super(message);
  }
}
