package org.ecstore.cluster.bookkeeper;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.OperatorLog;

/** Keeps what an operator would have been told. */
public final class Notes implements OperatorLog {
  private final List<String> lines = new ArrayList<>();

  @Override
  public synchronized void info(String text) {
    lines.add("info: " + text);
  }

  @Override
  public synchronized void warn(String text) {
    lines.add("warn: " + text);
  }

  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  public boolean has(String part) {
    return lines().stream().anyMatch(line -> line.contains(part));
  }
}
