package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.sim.SimRandom;

/**
 * Figures 4 and 6: throughput and latency of reads of single records by the size of the system and
 * of the read quorum. Paper: ecStore §6.2.1, §6.2.2.
 */
final class QuorumFigures implements FigureGroup {
  private static final int COPIES = 3;

  private static final String HOW =
      "Simulated: nodes are queues with the measured costs; a read asks R of the 3 copies, drawn at"
          + " random, and waits for all of them; eight clients at each node, which cost nothing."
          + " Real: overlay tree and placement.";

  private static int[] sizes(boolean quick) {
    return quick ? new int[] {6, 18} : new int[] {6, 12, 18, 24, 30, 36};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(4, 6);
  }

  @Override
  public int steps(boolean quick) {
    return COPIES * sizes(quick).length;
  }

  private static ClosedLoop.Outcome run(FigureRun run, int nodes, int quorum) {
    Population users = Population.users(SkewFigures.RECORDS_PER_NODE * nodes, run.seed());
    ModelCluster cluster =
        new ModelCluster(
            new ModelCluster.Size(nodes, SkewFigures.RANGES_PER_NODE, COPIES),
            users,
            run.costs(),
            null,
            run.seed());
    SimRandom random = new SimRandom(run.seed()).fork("queries");
    long counted = (long) run.pick(1500, 500) * nodes;
    ClosedLoop.Outcome outcome =
        ClosedLoop.run(
            cluster,
            SkewFigures.CLIENTS_PER_NODE,
            counted / 3,
            counted,
            (client, _, done) ->
                cluster.read(client, random.between(0, users.size() - 1), 1, quorum, done));
    run.steps().run();
    return outcome;
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    List<Series> throughput = new ArrayList<>();
    List<Series> latency = new ArrayList<>();
    for (int quorum = 1; quorum <= COPIES; quorum++) {
      Series reads = new Series("R = " + quorum);
      Series millis = new Series("R = " + quorum);
      for (int nodes : sizes(run.quick())) {
        ClosedLoop.Outcome outcome = run(run, nodes, quorum);
        reads.add(nodes, outcome.perSecond());
        millis.add(nodes, outcome.meanMillis());
      }
      throughput.add(reads);
      latency.add(millis);
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("copies", String.valueOf(COPIES));
    settings.put("clients per node", String.valueOf(SkewFigures.CLIENTS_PER_NODE));
    settings.put("reads counted per node", String.valueOf(run.pick(1500, 500)));
    return List.of(throughput(throughput, settings), latency(latency, settings));
  }

  private static FigureReport throughput(List<Series> curves, Map<String, String> settings) {
    List<Claim> claims = new ArrayList<>();
    claims.add(
        Claim.of(
            "The aggregated read throughput increases with the number of nodes.",
            curves.stream().allMatch(curve -> Numbers.rises(curve.ys(), 0)),
            found(curves, "reads/s"),
            "a node is the bottleneck of all others."));
    Series weak = curves.getFirst();
    double grown = weak.last() / weak.ys().getFirst();
    double nodes = weak.xs().getLast() / weak.xs().getFirst();
    claims.add(
        Claim.of(
            "It scales almost linearly with a small read quorum.",
            grown > 0.85 * nodes,
            "%s times the reads on %s times the nodes"
                .formatted(Numbers.text(grown), Numbers.text(nodes)),
            "with few nodes a copy is more often at the client's own node, where no message"
                + " travels."));
    claims.add(
        Claim.of(
            "A higher level of read consistency costs throughput.",
            Numbers.every(curves.get(0).ys(), curves.get(1).ys(), (a, b) -> a > b)
                && Numbers.every(curves.get(1).ys(), curves.get(2).ys(), (a, b) -> a > b),
            found(curves, "reads/s"),
            "the nodes are not busy enough for more work to show."));
    return new FigureReport(
        4,
        "Read throughput with different consistency levels",
        HOW,
        settings,
        List.of(new Chart("", "Read throughput", "nodes", "reads per second", false, curves)),
        claims);
  }

  private static FigureReport latency(List<Series> curves, Map<String, String> settings) {
    boolean flat = curves.stream().allMatch(curve -> curve.last() < 1.25 * curve.ys().getFirst());
    List<Claim> claims =
        List.of(
            Claim.of(
                "The response time stays nearly the same as the system and its workload grow.",
                flat,
                found(curves, "ms"),
                "with few nodes a copy is more often at the client's own node, where no message"
                    + " travels."),
            Claim.of(
                "A larger read quorum means a higher latency.",
                Numbers.every(curves.get(0).ys(), curves.get(1).ys(), (a, b) -> a < b)
                    && Numbers.every(curves.get(1).ys(), curves.get(2).ys(), (a, b) -> a < b),
                found(curves, "ms"),
                "the slowest of several answers is hardly slower than one."));
    return new FigureReport(
        6,
        "Read latency with different read consistency levels",
        HOW,
        settings,
        List.of(new Chart("", "Mean read latency", "nodes", "ms", false, curves)),
        claims);
  }

  private static String found(List<Series> curves, String unit) {
    return String.join(
        "; ",
        curves.stream()
            .map(curve -> curve.name() + ": " + Numbers.list(curve.ys()) + " " + unit)
            .toList());
  }
}
