package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.tools.cli.interrupt.InterruptWords;
import org.ecstore.tools.terminal.EngineNames;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** {@code ecstore cluster change-engine}: nodes of one kind of engine get another one. */
@Command(
    name = "change-engine",
    description = {
      "Gives the nodes of one kind of engine another one, while everything goes on.",
      "",
      "Node after node hands over its ranges and copies, ends, gets an empty engine of the other"
          + " kind, with a database server of its own if it needs one, and joins anew; the next"
          + " one's turn comes when all ranges have their copies, and nothing is moved any more."
          + " What is interrupted goes on where it was when the command is given again. What a node"
          + " had in the former engine is deleted once it has handed over.",
      "",
      "Where without the node there are fewer hosts than copies, as with three nodes, none could"
          + " take what it has: it ends and starts again with an empty engine, which is filled from"
          + " the others, and ranges have one copy fewer meanwhile. It is done only while all other"
          + " copies are whole. With another node, by cluster add, no copy is missing at any time.",
      "",
      "Copies need engines that read fast, among others, which rocksdb does not: where all nodes of"
          + " a cluster are changed to it the command is refused. Leave some of another kind, by"
          + " --only, or have the cluster go without, by --relaxed. A node that was drained and is"
          + " down is left out.",
      "",
      "The way back is the same command with the kinds exchanged, and --only the nodes that were"
          + " changed: it is said in the end. While a change is under way, or was interrupted, cluster"
          + " status says so of its node."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster change-engine --from je --to rocksdb --only 1,2 --dry-run --dir data",
      "  ecstore cluster change-engine --from je --to rocksdb --only 1,2 --dir data",
      "  ecstore cluster change-engine --from je --to rocksdb --relaxed --dir data    all of them",
      "  ecstore cluster change-engine --from rocksdb --to je --only 1,2 --dir data    and back"
    })
final class ChangeEngineCommand implements Callable<Integer> {
  private static final String INTERRUPTED =
      "given again the command goes on where it was; \"cluster status\" says which node is between"
          + " two engines";

  @Option(
      names = "--from",
      paramLabel = "KIND",
      required = true,
      completionCandidates = EngineNames.class,
      description =
          "The kind that nodes have now, as engine.kind has it: ${COMPLETION-CANDIDATES}.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "KIND",
      required = true,
      completionCandidates = EngineNames.class,
      description =
          "The kind that they are to have, one of the same. A database server is started under each"
              + " node of a kind that has one.")
  private String to = "";

  @Option(
      names = "--only",
      paramLabel = "N",
      split = ",",
      description = "Only these nodes of the kind: 1,2. All of it if not given.")
  private List<Integer> only = List.of();

  @Option(
      names = "--relaxed",
      description =
          "That the engines that there will be may lack what copies need. Where they do,"
              + " placement.relaxed = true is written into ecstore.toml of all nodes; the way back"
              + " leaves it there.")
  private boolean relaxed;

  @Option(names = "--dry-run", description = "Only say which nodes would be changed, and how.")
  private boolean dryRun;

  @ParentCommand private @Nullable ClusterCommand parent;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterCommand command = ClusterCommand.of(parent);
    return command.with(
        cluster -> {
          EngineChange change =
              new EngineChange(
                  cluster, command::say, command.waitSeconds(), from, to, only, relaxed);
          if (dryRun) {
            change.preview();
          } else {
            try (InterruptWords _ = command.ifInterrupted(INTERRUPTED)) {
              change.run();
            }
          }
        });
  }
}
