package org.ecstore.tools.plan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.ecstore.model.AdminRequest;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableWriter;

/**
 * The table that the nodes of a cluster are planned by. The cluster is given it, so that its
 * controller and what it promises go by the same.
 *
 * @param name what the cluster calls it
 */
public record PlannedTable(String name, PerformanceTable table) {
  private static final int NAME_LENGTH_MAX = 64;

  /** Tells a cluster a request, and waits until that is done. */
  @FunctionalInterface
  public interface Told {
    /**
     * Tells it.
     *
     * @throws BadInputException if it is refused
     */
    void request(AdminRequest adminRequest) throws IOException, InterruptedException;
  }

  /** That of a plan. */
  public static PlannedTable of(TablePlan plan) {
    return new PlannedTable(nameOf(plan.file()), plan.forecast().table());
  }

  /** As its file, with letters in place of what no name of a table has. */
  private static String nameOf(String file) {
    String last = String.valueOf(Path.of(file).getFileName()).replaceAll("\\.csv$", "");
    String name = last.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[^A-Za-z0-9]+", "");
    return name.isEmpty() ? "planned" : name.substring(0, Math.min(NAME_LENGTH_MAX, name.length()));
  }

  /**
   * Gives it to a cluster. One whose nodes are others, by options that go before the plan, refuses
   * it: that is said, and no failure.
   */
  public void give(Told cluster, Consumer<String> say) throws IOException, InterruptedException {
    try {
      cluster.request(
          new AdminRequest.UseTable(name, TableWriter.full(table), System.currentTimeMillis()));
      say.accept("the cluster goes by table " + name);
    } catch (BadInputException e) {
      say.accept(
          "the cluster does not go by table %s, which its nodes are planned by, but by the formula of a queue: %s"
              .formatted(name, e.getMessage()));
    }
  }
}
