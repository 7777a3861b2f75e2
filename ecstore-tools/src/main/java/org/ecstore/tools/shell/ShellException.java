package org.ecstore.tools.shell;

/** A line cannot be done; the message says in a line what is wrong with it. */
final class ShellException extends RuntimeException {
  ShellException(String message) {
    super(message);
  }
}
