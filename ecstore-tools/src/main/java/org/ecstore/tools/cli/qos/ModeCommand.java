package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlChange;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ChangeOptions;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore qos mode}: how far the controller may go. */
@Command(
    name = "mode",
    description = {
      "Shows how far the controller may go, or sets it.",
      "",
      "  freeze   It begins nothing; what is under way goes on, and so do limits and a threshold",
      "           that stand.",
      "  observe  It says what it would do: the mode of a new cluster.",
      "  ask      It does what was approved, by qos approve.",
      "  act      It does what it thinks right.",
      "",
      "What is not given stays as it is. The bounds are about nodes that the controller would add:"
          + " those that people start are counted, and not refused. What an hour costs is the sum"
          + " of the nodes' prices (node.price): with a bound no node is added while one names"
          + " none."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore qos mode --dir data                    shows it",
      "  ecstore qos mode ask --dir data",
      "  ecstore qos mode act --nodes-max 5 --cost-max 0.3 --dir data",
      "  ecstore qos mode --cost-max 0 --dir data       no bound of the price any more"
    })
final class ModeCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "MODE",
      arity = "0..1",
      description = "freeze, observe, ask or act; as it is if not given.")
  private @Nullable String mode;

  @Option(
      names = "--nodes-max",
      paramLabel = "N",
      description = "Nodes that there may be, 1 to " + ControlSettings.NODES_MAX + ".")
  private @Nullable String nodesMax;

  @Option(
      names = "--cost-max",
      paramLabel = "X",
      description =
          "What an hour of all nodes may cost: 0.3, with three decimals at most; 0 for no bound.")
  private @Nullable String costMax;

  @Mixin private ChangeOptions change = new ChangeOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ControlChange wanted = ModeChange.read(mode, nodesMax, costMax);
    ClusterAccess access = change.access();
    access.talk(cluster -> run(access, cluster, wanted));
    return ExitStatus.OK;
  }

  /** Tells no more than what was given: what a command beside this one sets stays so. */
  void run(ClusterAccess access, ClusterAccess.Link cluster, ControlChange wanted)
      throws IOException, InterruptedException {
    if (!wanted.isEmpty()) {
      access.request(cluster, new AdminRequest.ChangeControl(wanted), line -> say(List.of(line)));
    }
    Control now = access.ask(cluster, new ClientRequest.AskControl(), Control.class);
    say(ControlTable.mode(now.settings(), now.provisioner()));
  }

  private void say(List<String> lines) {
    PrintWriter out = spec.commandLine().getOut();
    lines.forEach(out::println);
    out.flush();
  }
}
