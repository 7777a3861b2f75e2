package org.ecstore.verify.check;

/**
 * Something that must not be.
 *
 * @param kind its name, the same each time
 * @param text what was seen: the transactions, and the cycle if it is one
 */
public record Anomaly(String kind, String text) {
  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
