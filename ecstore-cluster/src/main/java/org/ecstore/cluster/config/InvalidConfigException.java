package org.ecstore.cluster.config;

import java.util.List;
import java.util.stream.Collectors;

/** A configuration cannot be used; says everything that is wrong with it, a line each. */
public final class InvalidConfigException extends RuntimeException {
  private final transient List<ConfigProblem> problems;

  InvalidConfigException(List<ConfigProblem> problems) {
    super(problems.stream().map(ConfigProblem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** All that is wrong, in the order of the file. */
  public List<ConfigProblem> problems() {
    return problems;
  }
}
