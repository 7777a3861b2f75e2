package org.ecstore.bench.cli.tables;

import java.util.Optional;
import org.ecstore.tools.cli.MoreCommands;

/** Adds {@code validate} to {@code qos}: it needs the loads of the benchmarks. */
public final class ValidateCommands implements MoreCommands {
  /** Called by the service loader. */
  public ValidateCommands() {}

  @Override
  public Object command() {
    return new ValidateCommand();
  }

  @Override
  public Optional<String> group() {
    return Optional.of("qos");
  }
}
