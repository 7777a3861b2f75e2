package org.ecstore.bench.validate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.zip.CRC32;
import org.ecstore.bench.qos.GrowingCluster.ControlPace;
import org.ecstore.bench.qos.MeasurePlan;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.table.TableWriter;

/**
 * What is validated, and how.
 *
 * @param source the table that plans are of, with how long runs are here
 * @param plans how many objectives are drawn
 * @param runs of each
 * @param settle how long a cluster may take to become steady
 * @param grown whether a cluster begins with the first nodes of the table and grows to those
 *     planned, in place of beginning with these
 * @param pace of the controller
 */
public record ValidationSettings(
    MeasuredSource source,
    int plans,
    long seed,
    int runs,
    Duration settle,
    boolean grown,
    ControlPace pace) {
  private static final double MILLIS = 1e3;

  /** All that the seed draws. */
  public List<DrawnObjective> drawn() {
    return ObjectiveDraw.draw(
        source.file().toString(),
        new Forecast(source.table(), Statistic.MEAN, Forecast.Way.BETTER),
        plans,
        seed);
  }

  /** What a plan's cluster is. */
  MeasuredSubject subject(DrawnObjective of) {
    MeasuredSubject subject = source.subject();
    return grown && subject.firstNodes() < of.nodes() ? subject : subject.from(of.nodes());
  }

  /** What the controller may do: there may be a node more than was planned. */
  static ControlSettings control(DrawnObjective of) {
    return new ControlSettings(ControlMode.ACT, of.nodes() + 1, 0);
  }

  /** About how long so many runs of a plan take, with its cluster; nothing if there are none. */
  public Duration estimate(DrawnObjective of, int runsMissing) {
    TreeSet<Integer> clients = new TreeSet<>(List.of(of.clients()));
    TreeSet<Integer> nodes = new TreeSet<>(List.of(of.nodes()));
    Duration cluster =
        new MeasurePlan(clients, nodes, runsMissing, settle).estimate(subject(of), List.of());
    return runsMissing == 0 ? Duration.ZERO : cluster.plus(pace.check());
  }

  /** Whether the controller has a window of checks while a plan's runs last. */
  public boolean isWatched() {
    double seconds = runs * (source.subject().seconds() + source.subject().warmUpSeconds());
    return seconds * MILLIS >= pace.check().toMillis() * (double) pace.window();
  }

  /** As the first line of a file of runs: plans and runs may become more. */
  ObjectNode head() {
    CRC32 crc = new CRC32();
    crc.update(TableWriter.plain(source.table()).getBytes(StandardCharsets.UTF_8));
    ObjectNode json = source.subject().json();
    json.put("table", Long.toHexString(crc.getValue())).put("seed", seed);
    json.put("grown", grown);
    json.put("checkSeconds", pace.check().toMillis() / MILLIS).put("window", pace.window());
    return json;
  }
}
