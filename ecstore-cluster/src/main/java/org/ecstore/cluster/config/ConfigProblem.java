package org.ecstore.cluster.config;

/**
 * One thing that is wrong with a configuration.
 *
 * @param where {@code FILE:LINE}, {@code FILE}, or the environment variable
 */
public record ConfigProblem(String where, String message) {
  @Override
  public String toString() {
    return where + ": " + message;
  }
}
