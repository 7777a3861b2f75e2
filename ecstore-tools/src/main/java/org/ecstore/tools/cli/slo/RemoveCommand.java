package org.ecstore.tools.cli.slo;

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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore slo remove}: an application needs nothing any more. */
@Command(
    name = "remove",
    description = "Removes the objective of an application; its data and clients stay.",
    footerHeading = "%nExamples:%n",
    footer = {"  ecstore slo remove shop --dir data"})
final class RemoveCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The application.")
  private String application = "";

  @Mixin private ChangeOptions change = new ChangeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ClusterAccess access = change.access();
    access.talk(
        cluster ->
            access.request(
                cluster,
                new AdminRequest.RemoveObjective(application, System.currentTimeMillis()),
                out::println));
    out.println(application + " has no objective any more");
    out.flush();
    return ExitStatus.OK;
  }
}
