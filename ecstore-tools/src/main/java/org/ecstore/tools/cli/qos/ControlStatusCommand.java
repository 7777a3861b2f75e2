package org.ecstore.tools.cli.qos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.print.LogText;
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
          + " the last hundred are printed, with their reasons.",
      "",
      "What was taken back too soon waits for twice as many windows of checks the next time: for"
          + " how many is said if it is more than one.",
      "",
      "Each reason says whether a performance table (qos table use) or the formula of a queue has"
          + " predicted it; the last lines say which tables there are, and why one is not"
          + " consulted."
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
    access.talk(
        at -> {
          Control control = access.ask(at, new ClientRequest.AskControl(), Control.class);
          Optional<Tables> tables = Optional.empty();
          String why = "";
          try {
            tables = Optional.of(access.ask(at, new ClientRequest.AskTables(), Tables.class));
          } catch (ProcessClusterException e) {
            // Nodes of a release that keeps none.
            why = String.valueOf(e.getMessage());
          }
          print(control, tables, why);
        });
    return ExitStatus.OK;
  }

  private void print(Control control, Optional<Tables> tables, String why) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode all = ControlJson.of(control);
      tables.ifPresent(known -> KeptTableText.add(all, known));
      out.println(all);
    } else {
      ControlTable.lines(control).forEach(out::println);
      tables
          .map(KeptTableText::lines)
          .orElseGet(() -> List.of("tables: not known: " + LogText.of(why)))
          .forEach(out::println);
    }
    out.flush();
  }
}
