package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.AdminRequest;
import org.ecstore.tools.cli.cluster.ChangeOptions;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore slo remove}: an application needs nothing any more. */
@Command(
    name = "remove",
    description = "Removes the objective of an application; its data and clients stay.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore slo remove shop --dir data",
      "  ecstore slo remove shop --json --dir data"
    })
final class RemoveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The application.")
  private String application = "";

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Mixin private ChangeOptions change = new ChangeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterAccess access = change.access();
    access.talk(cluster -> run(access, cluster, application, json));
    return ExitStatus.OK;
  }

  /** Tells that an application needs nothing any more. */
  void run(ClusterAccess access, ClusterAccess.Link cluster, String name, boolean isJson)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    AdminRequest request = new AdminRequest.RemoveObjective(name, System.currentTimeMillis());
    access.request(cluster, request, isJson ? _ -> {} : out::println);
    out.println(
        isJson
            ? JsonNodeFactory.instance
                .objectNode()
                .put("application", name)
                .put("what", "removed")
                .toString()
            : name + " has no objective any more");
    out.flush();
  }
}
