package org.ecstore.core.port;

/** What a node tells its operator: rare, human-readable, never on the hot path. */
public interface OperatorLog {
  void info(String text);

  void warn(String text);
}
