package org.ecstore.bench.figure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.model.ClosedLoop;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.ModelWrites;
import org.ecstore.bench.model.Population;
import org.ecstore.sim.world.SimRandom;

/**
 * Figure 5: throughput of writes with optimistic and with pessimistic replication. Paper: ecStore
 * §6.2.1.
 */
final class WriteFigure implements FigureGroup {
  private static final int COPIES = 3;

  private static final String HOW =
      "Simulated, a queueing model of the steps: the primary takes the write in, appends it to its"
          + " log (which takes what is there as one append) and applies it. Optimistic: then it"
          + " answers, and streams what was written to the secondaries in messages of up to 64"
          + " writes, which apply them. Pessimistic: it sends the write to the secondaries by"
          + " itself, each logs and applies it and answers, and only then the client is answered."
          + " The work of secondaries counts in both. As many operations are under way for each"
          + " node as the settings say. Real: overlay tree and placement. ecStore's own commit goes through one ledger"
          + " instead (figure 7).";

  private static int[] sizes(boolean quick) {
    return quick ? new int[] {6, 18} : new int[] {6, 12, 18, 24, 30, 36};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(5);
  }

  @Override
  public int steps(boolean quick) {
    return 2 * sizes(quick).length * FigureRun.REPETITIONS;
  }

  private static double perSecond(FigureRun run, int nodes, boolean optimistic) {
    Population users = Population.users(SkewFigures.RECORDS_PER_NODE * nodes, run.seed());
    ModelCluster cluster =
        new ModelCluster(
            new ModelCluster.Size(nodes, SkewFigures.RANGES_PER_NODE, COPIES),
            users,
            run.costs(),
            null,
            run.seed());
    ModelWrites writes = new ModelWrites(cluster, optimistic);
    SimRandom random = new SimRandom(run.seed()).fork("writes");
    long counted = (long) run.pick(4000, 300) * nodes;
    ClosedLoop.Outcome outcome =
        ClosedLoop.run(
            cluster,
            SkewFigures.clients(run),
            counted / 2,
            counted,
            (client, _, done) -> writes.write(client, random.between(0, users.size() - 1), done));
    run.steps().run();
    return outcome.perSecond();
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    Series optimistic = new Series("optimistic");
    Series pessimistic = new Series("pessimistic");
    for (int nodes : sizes(run.quick())) {
      optimistic.add(nodes, new Repeated(run.repeat(each -> perSecond(each, nodes, true))));
      pessimistic.add(nodes, new Repeated(run.repeat(each -> perSecond(each, nodes, false))));
    }
    String found = "writes/s: " + Numbers.curves(List.of(optimistic, pessimistic));
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("copies", String.valueOf(COPIES));
    settings.put("operations under way per node", String.valueOf(SkewFigures.clients(run)));
    settings.put("writes counted per node", String.valueOf(run.pick(4000, 300)));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return List.of(
        new FigureReport(
            5,
            "Write throughput with replication level = 3",
            HOW,
            settings,
            List.of(
                new Chart(
                    "",
                    "Write throughput",
                    "nodes",
                    "writes per second",
                    false,
                    List.of(optimistic, pessimistic))),
            List.of(
                Claim.of(
                    "Pessimistic replication is outperformed by optimistic replication.",
                    found,
                    Margin.above("%s nodes", optimistic, pessimistic)))));
  }
}
