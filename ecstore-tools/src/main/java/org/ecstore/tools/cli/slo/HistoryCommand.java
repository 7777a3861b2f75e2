package org.ecstore.tools.cli.slo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.QuotaLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.cli.cluster.ClusterOptions;
import org.ecstore.txn.qos.objective.ObjectiveText;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ecstore slo history}: how objectives were changed, and what was had of late. */
@Command(
    name = "history",
    description = {
      "Shows how objectives were changed, what an application has had, or nodes had to do.",
      "",
      "Without a name: the last hundred changes, each with the time of the machine where it was"
          + " asked for. With one: what its clients measured, in slots of half a minute of the last"
          + " twenty minutes, as far as the present leader was told. The latest is the last line.",
      "",
      "With --nodes: how much of its capacity each node used, how long requests waited for their"
          + " turn, what its engine found in its caches, and how many commits that was behind at"
          + " most, in the same slots."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore slo history --dir data",
      "  ecstore slo history shop --dir data",
      "  ecstore slo history --nodes --dir data"
    })
final class HistoryCommand implements Callable<Integer> {
  private static final long NANOS_PER_MICRO = 1_000;
  private static final long MILLIS = 1_000;

  /** Of whom it is. */
  private static final class Whose {
    @Parameters(
        paramLabel = "NAME",
        arity = "0..1",
        description = "The application; changes of all if not given.")
    private @Nullable String application;

    @Option(names = "--nodes", description = "What nodes had to do.")
    private boolean nodes;
  }

  @ArgGroup(exclusive = true)
  private Whose whose = new Whose();

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  @Mixin private ClusterOptions cluster = new ClusterOptions();
  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    ClusterAccess access = cluster.access();
    access.talk(
        at -> {
          Objectives answer = access.ask(at, new ClientRequest.AskObjectives(), Objectives.class);
          if (whose.nodes) {
            printNodes(answer.nodes());
          } else if (whose.application == null) {
            print(answer.changes());
          } else {
            ObjectiveLine line = ObjectivesCommand.one(answer, whose.application);
            printService(line, ObjectivesCommand.quota(answer, line));
          }
        });
    return ExitStatus.OK;
  }

  private void print(List<ObjectiveChangeLine> changes) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      ArrayNode array = all.putArray("changes");
      changes.forEach(change -> array.add(ObjectiveJson.of(change)));
      out.println(all);
    } else if (changes.isEmpty()) {
      out.println("no objective was stated so far");
    } else {
      List<String[]> rows = new ArrayList<>();
      rows.add(new String[] {"number", "when", "application", "what"});
      changes.forEach(change -> rows.add(row(change)));
      Columns.align(rows).forEach(out::println);
    }
    out.flush();
  }

  private void printService(ObjectiveLine line, Optional<QuotaLine> quota) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      out.println(ObjectiveJson.of(line, quota));
    } else if (line.slots().isEmpty()) {
      out.println("no client has told of its operations yet: they do so every 30 seconds");
    } else {
      List<String[]> rows = new ArrayList<>();
      rows.add(new String[] {"ago", "operations/s", "failed", "mean", "p95", "p99"});
      line.slots().forEach(figures -> rows.add(row(figures)));
      Columns.align(rows).forEach(out::println);
    }
    out.flush();
  }

  private void printNodes(List<NodeHistoryLine> nodes) {
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      ArrayNode array = all.putArray("nodes");
      nodes.forEach(line -> array.add(json(line)));
      out.println(all);
    } else if (nodes.isEmpty()) {
      out.println("no node has told of its load so far: they do so while an objective stands");
    } else {
      List<String[]> rows = new ArrayList<>();
      for (NodeHistoryLine line : nodes) {
        rows.add(NodeLoadText.titles(line.node().toString()));
        line.slots()
            .forEach(slot -> rows.add(NodeLoadText.row(ago(slot.agoMillis()), slot.load())));
      }
      Columns.align(rows).forEach(out::println);
    }
    out.flush();
  }

  private static ObjectNode json(NodeHistoryLine line) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("node", line.node().value());
    ArrayNode slots = json.putArray("slots");
    line.slots()
        .forEach(
            slot -> {
              ObjectNode one = slots.addObject();
              one.put("agoMillis", slot.agoMillis());
              NodeLoadText.add(one, slot.load());
            });
    return json;
  }

  private static String ago(long millis) {
    return millis / MILLIS + " s";
  }

  private static String[] row(ServiceFigures figures) {
    return new String[] {
      ago(figures.agoMillis()),
      String.valueOf(Math.round(figures.perSecond())),
      String.valueOf(figures.failures()),
      time(figures, Statistic.MEAN),
      time(figures, Statistic.P95),
      time(figures, Statistic.P99)
    };
  }

  private static String time(ServiceFigures figures, Statistic statistic) {
    return figures.answers() == 0
        ? "-"
        : ObjectiveText.millis(figures.micros(statistic) * NANOS_PER_MICRO);
  }

  private static String[] row(ObjectiveChangeLine change) {
    return new String[] {
      String.valueOf(change.number()),
      Instant.ofEpochMilli(change.atMillis()).truncatedTo(ChronoUnit.SECONDS).toString(),
      change.objective().application(),
      change.removed() ? "removed" : "set: " + ObjectiveText.of(change.objective())
    };
  }
}
