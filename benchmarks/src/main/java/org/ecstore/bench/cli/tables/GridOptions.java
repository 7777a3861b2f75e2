package org.ecstore.bench.cli.tables;

import java.util.NavigableSet;
import org.ecstore.bench.cli.options.OptionFaults;
import picocli.CommandLine.Option;

/** Rows and columns of a performance table: a mixin of commands that make one. */
final class GridOptions {
  private static final int NODES_MAX = 32;
  private static final int CLIENTS_MAX = 10_000;

  @Option(
      names = "--clients",
      paramLabel = "C,...",
      description =
          "Numbers of clients, each of which waits for an answer before it asks again."
              + " ${DEFAULT-VALUE}.")
  private String clients;

  @Option(
      names = "--nodes",
      paramLabel = "N,...",
      description = "Numbers of nodes, from few to many. ${DEFAULT-VALUE}.")
  private String nodes;

  /**
   * What they are if they are not given, as {@link Counts#read} takes them.
   *
   * @param clients the rows
   * @param nodes the columns
   */
  GridOptions(String clients, String nodes) {
    this.clients = clients;
    this.nodes = nodes;
  }

  /** Numbers of clients; with a fault, fewer than were given. */
  NavigableSet<Integer> rows(OptionFaults faults) {
    return Counts.read("--clients", clients, CLIENTS_MAX, faults);
  }

  /** Numbers of nodes; with a fault, fewer than were given. */
  NavigableSet<Integer> columns(OptionFaults faults) {
    return Counts.read("--nodes", nodes, NODES_MAX, faults);
  }
}
