package org.ecstore.bench.validate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongConsumer;
import org.ecstore.bench.qos.GrowingCluster;
import org.ecstore.bench.qos.TableRun;
import org.ecstore.bench.report.EachSecond;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ControlAction;
import org.ecstore.txn.qos.table.TableWriter;

/** Node processes on this machine, as many as a plan says. */
final class PlannedCluster implements PlannedStore {
  private final ValidationSettings settings;
  private final DrawnObjective of;
  private final GrowingCluster cluster;

  private PlannedCluster(ValidationSettings settings, DrawnObjective of, GrowingCluster cluster) {
    this.settings = settings;
    this.of = of;
    this.cluster = cluster;
  }

  /**
   * Starts one, and ends what a validation that was killed has left of it.
   *
   * @param elapsed is told in milliseconds how time goes by
   */
  static PlannedCluster start(
      ValidationSettings settings, DrawnObjective of, Path work, LongConsumer elapsed)
      throws IOException, InterruptedException {
    GrowingCluster.endLeft(work);
    GrowingCluster cluster =
        GrowingCluster.controlled(
            settings.subject(of),
            Files.createDirectories(work),
            settings.pace(),
            settings.settle(),
            elapsed);
    try {
      cluster.grow(of.nodes());
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
    return new PlannedCluster(settings, of, cluster);
  }

  @Override
  public void settle() throws IOException, InterruptedException {
    // By as many clients as before the table's cells, so that both are measured alike.
    cluster.settle(settings.source().table().clients().last());
  }

  @Override
  public void promise() throws IOException, InterruptedException {
    long now = System.currentTimeMillis();
    // First, as what can be promised goes by the nodes that there may be, and by the table.
    cluster.request(new AdminRequest.SetControl(ValidationSettings.control(of)));
    cluster.request(
        new AdminRequest.UseTable(
            settings.source().subject().name(), TableWriter.full(settings.source().table()), now));
    cluster.request(new AdminRequest.SetObjective(of.objective(settings.source().subject()), now));
    cluster.tellAs(DrawnObjective.APPLICATION, settings.pace().check());
  }

  @Override
  public TableRun run(int number) throws IOException, InterruptedException {
    return cluster.run(of.clients(), number);
  }

  @Override
  public EachSecond seconds() {
    return cluster.seconds();
  }

  @Override
  public List<ControlAction> actions() throws IOException, InterruptedException {
    return cluster.actions();
  }

  @Override
  public void close() {
    cluster.close();
  }
}
