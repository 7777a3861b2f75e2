package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.cluster.ClusterOptions;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore slo status}: what applications are promised. */
@Command(
    name = "status",
    description = {
      "Shows what each application has stated, and what it has.",
      "",
      "Clients measure it, and tell it along with their requests every 30 seconds"
          + " (EcStoreOptions.reportEvery): reads of keys, pages of scans, commits, each with all"
          + " its tries. What is shown is of the last five minutes, as far as the present leader"
          + " was told. Over its load means that the response time is missed under more operations"
          + " than were stated.",
      "",
      "What it holds is of its quota, by what nodes have said in the last seconds; refused means"
          + " that nodes refuse what adds to it."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore slo status --dir data", "  ecstore slo status shop --json --dir data"})
final class ObjectivesCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "NAME",
      arity = "0..1",
      description = "The application; all if not given.")
  private @Nullable String application;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterAccess access = cluster.access();
    access.talk(at -> print(access.ask(at, new ClientRequest.AskObjectives(), Objectives.class)));
    return ExitStatus.OK;
  }

  /** The objective of an application. */
  static ObjectiveLine one(Objectives answer, String application) {
    return answer.objectives().stream()
        .filter(line -> line.objective().application().equals(application))
        .findFirst()
        .orElseThrow(
            () ->
                new BadInputException(
                    ("the application \"%s\" has no objective: slo status without a name shows"
                            + " those there are")
                        .formatted(application)));
  }

  static Optional<QuotaLine> quota(Objectives answer, ObjectiveLine line) {
    return answer.quota(line.objective().application());
  }

  private void print(Objectives answer) {
    PrintWriter out = spec.commandLine().getOut();
    List<ObjectiveLine> lines =
        application == null ? answer.objectives() : List.of(one(answer, application));
    if (json) {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      ArrayNode objectives = all.putArray("objectives");
      lines.forEach(line -> objectives.add(ObjectiveJson.of(line, quota(answer, line))));
      out.println(all);
    } else if (lines.isEmpty()) {
      out.println("no application has an objective: state one by slo set");
    } else {
      List<String[]> rows = new ArrayList<>();
      rows.add(ObjectiveRow.TITLES);
      lines.forEach(line -> rows.add(ObjectiveRow.of(line, quota(answer, line))));
      Columns.align(rows).forEach(out::println);
    }
    out.flush();
  }
}
