package org.ecstore.tools.cli.measure;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.ecstore.server.ReplicationSettings;
import org.ecstore.server.file.TemporaryDirectory;
import org.ecstore.tools.measure.MeasurementReport;
import org.ecstore.tools.measure.Measurements;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.Copies;
import org.ecstore.tools.terminal.OptionBounds;
import org.ecstore.tools.terminal.OwnDirectory;
import org.ecstore.tools.terminal.TerminalProgress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cluster of processes that is made for a measurement: a mixin of commands that kill some. */
final class ProcessOptions {
  /** Fewer do not bear the loss of one. */
  private static final int NODES_MIN = 3;

  private static final int NODES_MAX = 32;

  /** What is measured. */
  @FunctionalInterface
  interface Work {
    MeasurementReport by(Measurements measurements) throws IOException, InterruptedException;
  }

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description = "Nodes, from " + NODES_MIN + " on; ${DEFAULT-VALUE} if not given.")
  private int nodes;

  @Option(
      names = "--copies",
      paramLabel = "K",
      description =
          "Copies of each range, from 2 on, with takeover and restart from 1; 3 if not given.")
  private @Nullable Integer copies;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Where the cluster keeps its data and logs: empty or not there; kept. If not given, a"
              + " temporary one.")
  private @Nullable Path dir;

  @Mixin private ReportOptions report = new ReportOptions();

  /**
   * What there is if nothing is given.
   *
   * @param nodes of the cluster
   */
  ProcessOptions(int nodes) {
    this.nodes = nodes;
  }

  /**
   * How many nodes.
   *
   * @throws BadInputException if there cannot be so many
   */
  int nodes() {
    OptionBounds.checkBetween("--nodes", nodes, NODES_MIN, NODES_MAX);
    return nodes;
  }

  /**
   * How each range is copied.
   *
   * @throws BadInputException if the nodes cannot have so many copies
   */
  ReplicationSettings replication() {
    return Copies.of(nodes(), copies);
  }

  /**
   * How each range is copied, where one copy is too few.
   *
   * @param alone what the only copy of a range does while its node is away
   * @throws BadInputException if there is one, or the nodes cannot have so many copies
   */
  ReplicationSettings replicationOfSeveral(String alone) {
    return several(replication(), alone);
  }

  /**
   * The same of hosts, each of which has one copy.
   *
   * @throws BadInputException if there is one copy, or the hosts cannot have so many
   */
  ReplicationSettings replicationOfSeveral(int hosts, String alone) {
    return several(Copies.of(hosts, "hosts", copies), alone);
  }

  private static ReplicationSettings several(ReplicationSettings wanted, String alone) {
    if (wanted.copies().orElse(1) < 2) {
      throw new BadInputException("--copies must be at least 2: " + alone);
    }
    return wanted;
  }

  /**
   * Measures with a bar for the steps, and prints what came of it.
   *
   * @param steps of which the measurements tell
   * @throws BadInputException if something is in the directory that was given
   */
  void measure(PrintWriter out, long steps, Work work) throws IOException, InterruptedException {
    Path given = dir;
    if (given != null) {
      OwnDirectory.checkEmpty(given);
    }
    MeasurementReport measured;
    try (TemporaryDirectory directory = TemporaryDirectory.create("ecstore-measure");
        TerminalProgress bar = TerminalProgress.start("measure", steps)) {
      Path home = given == null ? directory.path() : given;
      measured = work.by(new Measurements(home, bar::step));
    }
    report.print(out, measured);
  }
}
