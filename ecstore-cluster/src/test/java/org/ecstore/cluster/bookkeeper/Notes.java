package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.OperatorLog;

/** Keeps what an operator would have been told. */
final class Notes implements OperatorLog {
  private final List<String> lines = new ArrayList<>();

  @Override
  public synchronized void info(String text) {
    lines.add("info: " + text);
  }

  @Override
  public synchronized void warn(String text) {
    lines.add("warn: " + text);
  }

  synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  boolean has(String part) {
    return lines().stream().anyMatch(line -> line.contains(part));
  }
}
