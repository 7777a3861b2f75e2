package org.ecstore.bench.cli.tables;

import java.util.Optional;
import org.ecstore.tools.cli.MoreCommands;

/** Adds {@code measure} to {@code qos}: it needs the loads of the benchmarks. */
public final class QosCommands implements MoreCommands {
  /** Called by the service loader. */
  public QosCommands() {}

  @Override
  public Object command() {
    return new MeasureTablesCommand();
  }

  @Override
  public Optional<String> group() {
    return Optional.of("qos");
  }
}
