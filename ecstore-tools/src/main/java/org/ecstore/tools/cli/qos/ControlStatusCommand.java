package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.cluster.ClusterOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore qos status}: what the controller sees and does. */
@Command(
    name = "status",
    description = {
      "Shows what the controller may do, what it sees, and what it has done.",
      "",
      "Nodes say every few seconds how busy they are, how long requests wait for their turn, how"
          + " many lookups of the last seconds the engine's cache had, and how many commits the"
          + " engine is behind the ledger. Checks count since the last action: an application"
          + " calls for something when a full window of them has violated its objective in half,"
          + " the last one among these.",
      "",
      "An action is proposed, under way, measuring what it has brought, and done; or failed, or"
          + " withdrawn, which in the mode observe is all that comes of it. Predicted and measured"
          + " is the response time that the objective is nearest to missing. With --json all of"
          + " the last hundred are printed, with their reasons."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore qos status --dir data", "  ecstore qos status --json --dir data"})
final class ControlStatusCommand implements Callable<Integer> {
  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterAccess access = cluster.access();
    access.with(at -> print(access.ask(at, new ClientRequest.AskControl(), Control.class)));
    return ExitStatus.OK;
  }

  private void print(Control control) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(ControlJson.of(control));
    } else {
      ControlTable.lines(control).forEach(out::println);
    }
    out.flush();
  }
}
