package org.ecstore.bench.cli.tables;

import java.util.Optional;
import org.ecstore.tools.cli.MoreCommands;

/** Adds {@code model} to {@code qos}. */
public final class QosModelCommands implements MoreCommands {
  /** Called by the service loader. */
  public QosModelCommands() {}

  @Override
  public Object command() {
    return new ModelTablesCommand();
  }

  @Override
  public Optional<String> group() {
    return Optional.of("qos");
  }
}
