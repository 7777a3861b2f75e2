package org.ecstore.tools.terminal;

/**
 * What the user gave cannot be used: a file that is not there, a number out of range. The message
 * says in one line what is wrong and, where that is not obvious, what would be right.
 */
public final class BadInputException extends RuntimeException {
  public BadInputException(String message) {
    super(message);
  }
}
