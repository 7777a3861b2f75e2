package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.sim.world.SimRandom;

/**
 * Figures 4 and 6: throughput and latency of reads of single records by the size of the system and
 * of the read quorum. Paper: ecStore §6.2.1, §6.2.2.
 */
final class QuorumFigures implements FigureGroup {
  private static final int COPIES = 3;

  private static final String HOW =
      "Simulated: nodes are queues with the measured costs; a read asks R of the 3 copies, drawn at"
          + " random, and waits for all of them; as many operations are under way for each node as the"
          + " settings say, whose clients cost nothing. Real: overlay tree and placement.";

  private static int[] sizes(boolean quick) {
    return quick ? new int[] {6, 18} : new int[] {6, 12, 18, 24, 30, 36};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(4, 6);
  }

  @Override
  public int steps(boolean quick) {
    return COPIES * sizes(quick).length * FigureRun.REPETITIONS;
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
    long counted = (long) run.pick(4000, 300) * nodes;
    ClosedLoop.Outcome outcome =
        ClosedLoop.run(
            cluster,
            SkewFigures.clients(run),
            counted / 2,
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
      int asked = quorum;
      Series reads = new Series("R = " + quorum);
      Series millis = new Series("R = " + quorum);
      for (int nodes : sizes(run.quick())) {
        List<ClosedLoop.Outcome> outcomes = run.repeat(each -> run(each, nodes, asked));
        reads.add(nodes, FigureRun.of(outcomes, ClosedLoop.Outcome::perSecond));
        millis.add(nodes, FigureRun.of(outcomes, ClosedLoop.Outcome::meanMillis));
      }
      throughput.add(reads);
      latency.add(millis);
    }
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("copies", String.valueOf(COPIES));
    settings.put("operations under way per node", String.valueOf(SkewFigures.clients(run)));
    settings.put("reads counted per node", String.valueOf(run.pick(4000, 300)));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return List.of(throughput(throughput, settings), latency(latency, settings));
  }

  private static FigureReport throughput(List<Series> curves, Map<String, String> settings) {
    String found = found(curves, "reads/s");
    List<Claim> claims =
        List.of(
            Claim.of(
                "The aggregated read throughput increases with the number of nodes.",
                found,
                curves.stream()
                    .flatMap(curve -> Margin.rising(curve.name() + ", %s nodes", curve).stream())
                    .toList()),
            Claim.of(
                "It scales almost linearly with a small read quorum.",
                found + "; almost means 85% of linear at least",
                List.of(Margin.grows(curves.getFirst(), 0.85))),
            Claim.of(
                "A higher level of read consistency costs throughput.",
                found,
                Margin.all(
                    Margin.above("R = 1 and 2, %s nodes", curves.get(0), curves.get(1)),
                    Margin.above("R = 2 and 3, %s nodes", curves.get(1), curves.get(2)))));
    return new FigureReport(
        4,
        "Read throughput with different consistency levels",
        HOW,
        settings,
        List.of(new Chart("", "Read throughput", "nodes", "reads per second", false, curves)),
        claims);
  }

  private static FigureReport latency(List<Series> curves, Map<String, String> settings) {
    String found = found(curves, "ms");
    List<Claim> claims =
        List.of(
            Claim.of(
                "The response time stays nearly the same as the system and its workload grow.",
                found + "; nearly the same means within a factor of 1.25",
                curves.stream().map(curve -> Margin.steady(curve, 1.25)).toList()),
            Claim.of(
                "A larger read quorum means a higher latency.",
                found,
                Margin.all(
                    Margin.above("R = 2 and 1, %s nodes", curves.get(1), curves.get(0)),
                    Margin.above("R = 3 and 2, %s nodes", curves.get(2), curves.get(1)))));
    return new FigureReport(
        6,
        "Read latency with different read consistency levels",
        HOW,
        settings,
        List.of(new Chart("", "Mean read latency", "nodes", "ms", false, curves)),
        claims);
  }

  private static String found(List<Series> curves, String unit) {
    return Numbers.curves(curves) + " " + unit;
  }
}
