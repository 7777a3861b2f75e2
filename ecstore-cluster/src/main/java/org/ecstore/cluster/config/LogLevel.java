package org.ecstore.cluster.config;

import java.util.Locale;

/** What is logged: this and all above it. */
public enum LogLevel {
  ERROR,
  WARN,
  INFO,
  DEBUG;

  /** As the logger calls it. */
  public String written() {
    return name().toLowerCase(Locale.ROOT);
  }
}
