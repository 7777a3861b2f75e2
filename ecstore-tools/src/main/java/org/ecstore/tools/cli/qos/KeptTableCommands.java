package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ChangeOptions;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.cluster.ClusterOptions;
import org.ecstore.tools.plan.TableFiles;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What {@code ecstore qos table} does with the tables that a cluster goes by. */
final class KeptTableCommands {
  private KeptTableCommands() {}

  private static String name(@Nullable String given, Path file) {
    Path last = file.getFileName();
    String name =
        given != null
            ? given.strip()
            : last == null ? "" : last.toString().replaceAll("\\.csv$", "");
    if (!name.matches(AdminRequest.OfTables.NAME_PATTERN)) {
      throw new BadInputException(
          "a table's name is of up to 64 letters, digits, \".\", \"_\" and \"-\", not \"%s\": give"
                  .formatted(name)
              + " another one by --name");
    }
    return name;
  }

  /** {@code ecstore qos table use}. */
  @Command(
      name = "use",
      description = {
        "Gives a cluster a performance table: from then on its controller goes by it.",
        "",
        "Where an objective is violated, what one node more would bring is read off the table whose"
            + " reads are nearest to the application's; where all are kept, what one node fewer"
            + " would cost; and a guarantee for so many clients, or for a rate, is accepted only if"
            + " the table has them served in time.",
        "",
        "The table has to be of the build, class, engine and capacity of all nodes, as qos measure"
            + " writes them down. When one of these becomes another, as by an upgrade, the table is"
            + " kept and is not consulted any more: qos status says so. A cluster has 8 tables at"
            + " most, of 128 cells each. One of the same name is replaced."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore qos table use tables/je-small-zipf-read.csv --dir data",
        "  ecstore qos table use mine.csv --name reads --dir data"
      })
  static final class Use implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The file of the table.")
    private Path file = Path.of("");

    @Option(
        names = "--name",
        paramLabel = "NAME",
        description = "What it is called there; as its file, without .csv, if not given.")
    private @Nullable String name;

    @Mixin private ChangeOptions change = new ChangeOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      String called = name(name, file);
      PerformanceTable table = TableFiles.read(file);
      AdminRequest request =
          new AdminRequest.UseTable(called, TableWriter.full(table), System.currentTimeMillis());
      ClusterAccess access = change.access();
      PrintWriter out = spec.commandLine().getOut();
      access.talk(
          cluster -> {
            access.request(cluster, request, out::println);
            out.println("the cluster goes by table " + called);
            KeptTableText.lines(access.ask(cluster, new ClientRequest.AskTables(), Tables.class))
                .forEach(out::println);
          });
      out.flush();
      return ExitStatus.OK;
    }
  }

  /** {@code ecstore qos table list}. */
  @Command(
      name = "list",
      description = {
        "Shows the tables that a cluster has, whether they are consulted, and which one each"
            + " application goes by."
      },
      footerHeading = "%nExamples:%n",
      footer = {
        "  ecstore qos table list --dir data",
        "  ecstore qos table list --json --dir data"
      })
  static final class Show implements Callable<Integer> {
    @Option(names = "--json", description = "Print one JSON object as the last line instead.")
    private boolean json;

    @Mixin private ClusterOptions cluster = new ClusterOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      ClusterAccess access = cluster.access();
      access.talk(at -> print(access.ask(at, new ClientRequest.AskTables(), Tables.class)));
      return ExitStatus.OK;
    }

    private void print(Tables tables) {
      PrintWriter out = spec.commandLine().getOut();
      List<String> lines =
          json ? List.of(KeptTableText.json(tables).toString()) : KeptTableText.lines(tables);
      lines.forEach(out::println);
      out.flush();
    }
  }

  /** {@code ecstore qos table remove}. */
  @Command(
      name = "remove",
      description = "Takes a table from a cluster: its controller does not go by it any more.",
      footerHeading = "%nExamples:%n",
      footer = {"  ecstore qos table remove je-small-zipf-read --dir data"})
  static final class Remove implements Callable<Integer> {
    @Parameters(paramLabel = "NAME", description = "What it is called: qos table list.")
    private String name = "";

    @Mixin private ChangeOptions change = new ChangeOptions();
    @Spec private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
      String called = name(name, Path.of("."));
      ClusterAccess access = change.access();
      PrintWriter out = spec.commandLine().getOut();
      access.talk(
          cluster ->
              access.request(
                  cluster,
                  new AdminRequest.RemoveTable(called, System.currentTimeMillis()),
                  out::println));
      out.println("table " + called + " is removed");
      out.flush();
      return ExitStatus.OK;
    }
  }
}
