package org.ecstore.server.process;

/**
 * A node does not start as it is configured: a directory of another node, a port in use. The
 * message is one line that says what is wrong and what to do.
 */
public final class StartRefusedException extends RuntimeException {
  StartRefusedException(String message) {
    super(message);
  }

  StartRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
