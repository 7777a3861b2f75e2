package org.ecstore.bench.cli.offline;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.bench.micro.MicroBenchmarks;
import org.ecstore.bench.micro.MicroBenchmarks.Measured;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore bench micro}. */
@Command(
    name = "micro",
    description = {
      "Measures small parts with JMH: what is called for each operation.",
      "",
      "Key encoding, the codec of the client protocol, the lookup of a version in Berkeley DB,"
          + " validation among open transactions, the map of ranges, counting in histograms. Each"
          + " in processes of its own, with warm-up; about ten minutes for all."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore bench micro Validation", "  ecstore bench micro --quick --json"})
public final class MicroCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME",
      description = "Those whose name contains this, such as Validation; all if not given.")
  private @Nullable List<String> names;

  @Option(names = "--json", description = "Print one JSON object a result instead.")
  private boolean json;

  @Option(names = "--quick", description = "One short round each: to see that it works.")
  private boolean quick;

  @Override
  public Integer call() throws Exception {
    List<String> chosen = names == null ? List.of() : names;
    int steps = MicroBenchmarks.steps(chosen);
    if (steps == 0) {
      throw new ParameterException(
          spec.commandLine(),
          "nothing is called " + chosen + "; there are " + MicroBenchmarks.names());
    }
    Collection<Measured> results;
    try (TerminalProgress bar = TerminalProgress.start("benchmarks", steps)) {
      results = new MicroBenchmarks(quick, () -> bar.step(1)).run(chosen);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (Measured result : results) {
      if (json) {
        ObjectNode node = new ObjectMapper().createObjectNode();
        node.put("benchmark", result.name());
        result.parameters().forEach(node::put);
        node.put("nanos", result.nanos());
        result.error().ifPresent(error -> node.put("error", error));
        out.println(node);
      } else {
        out.printf(
            "%-28s %-18s %,14.1f ns%s%n",
            result.name(),
            result.parameterText(),
            result.nanos(),
            result.error().map("  +- %,.1f"::formatted).orElse(""));
      }
    }
    out.flush();
    return 0;
  }
}
