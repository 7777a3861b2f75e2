package org.ecstore.cluster.zookeeper;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ecstore.core.port.OperatorLog;

/** Keeps what the operator is told. */
public final class Notes implements OperatorLog {
  private final List<String> warnings = new CopyOnWriteArrayList<>();

  @Override
  public void info(String text) {}

  @Override
  public void warn(String text) {
    warnings.add(text);
  }

  public List<String> warnings() {
    return warnings;
  }
}
