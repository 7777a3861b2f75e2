package org.ecstore.sim.check;

/**
 * Something a checker found.
 *
 * @param rule which promise was broken
 * @param detail what was seen
 */
public record Finding(String rule, String detail) {
  @Override
  public String toString() {
    return rule + ": " + detail;
  }
}
