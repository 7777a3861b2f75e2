package org.ecstore.cluster.config;

import org.ecstore.server.print.LogText;

/**
 * One thing that is wrong with a configuration. It has values that are not what they should be, and
 * is printed: characters that control a terminal are not in it as such.
 *
 * @param where {@code FILE:LINE}, {@code FILE}, or the environment variable
 */
public record ConfigProblem(String where, String message) {
  public ConfigProblem {
    where = LogText.of(where);
    message = LogText.of(message);
  }

  @Override
  public String toString() {
    return where + ": " + message;
  }
}
