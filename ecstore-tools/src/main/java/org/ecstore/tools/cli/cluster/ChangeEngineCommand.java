package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.util.concurrent.Callable;
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
          + " one's turn comes when all ranges have their copies. What is interrupted goes on where"
          + " it was when the command is given again. What a node had in the former engine is"
          + " deleted once it has handed over.",
      "",
      "The way back is the same command with the kinds exchanged."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore cluster change-engine --from je --to rocksdb --dry-run --dir data",
      "  ecstore cluster change-engine --from je --to rocksdb --dir data",
      "  ecstore cluster change-engine --from rocksdb --to je --dir data      and back"
    })
final class ChangeEngineCommand implements Callable<Integer> {
  @Option(
      names = "--from",
      paramLabel = "KIND",
      required = true,
      description = "The kind that nodes have now, as engine.kind has it.")
  private String from = "";

  @Option(
      names = "--to",
      paramLabel = "KIND",
      required = true,
      description = "The kind that they are to have.")
  private String to = "";

  @Option(names = "--dry-run", description = "Only say which nodes would be changed, and how.")
  private boolean dryRun;

  @ParentCommand private @Nullable ClusterCommand parent;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterCommand command = ClusterCommand.of(parent);
    return command.with(
        cluster -> {
          EngineChange change =
              new EngineChange(cluster, command::say, command.waitSeconds(), from, to);
          if (dryRun) {
            change.preview();
          } else {
            change.run();
          }
        });
  }
}
