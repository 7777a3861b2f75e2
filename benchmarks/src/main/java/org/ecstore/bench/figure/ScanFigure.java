package org.ecstore.bench.figure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.bench.model.ModelCluster;
import org.ecstore.bench.model.Population;
import org.ecstore.id.NodeId;
import org.ecstore.sim.world.SimRandom;

/**
 * Figure 12: how long a scan takes by its size, by one copy after the other piece, and in chunks on
 * different copies at once. Paper: ecStore C.1.
 */
final class ScanFigure implements FigureGroup {
  private static final int NODES = 18;
  private static final int COPIES = 3;
  private static final int DAYS_PER_NODE = 1000;
  private static final int PHOTOS_PER_DAY = 500;
  private static final int CHUNK = 500;

  private static final String HOW =
      "Simulated: nodes are queues with the measured costs; one client scans an idle system, in"
          + " pages of 500 records. Sequential: page after page from the primary. Parallel: the"
          + " pages are dealt out to the three copies, each of which is asked for its pages one"
          + " after the other. Real: overlay tree and placement. The client's own work is not"
          + " counted.";

  private static int[] days(boolean quick) {
    return quick ? new int[] {7, 120} : new int[] {1, 7, 14, 30, 60, 90, 120};
  }

  @Override
  public List<Integer> numbers() {
    return List.of(12);
  }

  @Override
  public int steps(boolean quick) {
    return days(quick).length * FigureRun.REPETITIONS;
  }

  @Override
  public List<FigureReport> run(FigureRun run) {
    Population photos = Population.photos(NODES * DAYS_PER_NODE * PHOTOS_PER_DAY);
    List<List<Pair>> repetitions = run.repeat(each -> scans(each, photos));
    Series sequential = new Series("sequential");
    Series parallel = new Series("parallel");
    int[] days = days(run.quick());
    for (int i = 0; i < days.length; i++) {
      int at = i;
      sequential.add(days[i], FigureRun.of(repetitions, pairs -> pairs.get(at).sequential()));
      parallel.add(days[i], FigureRun.of(repetitions, pairs -> pairs.get(at).parallel()));
    }
    return List.of(report(sequential, parallel));
  }

  /** Mean milliseconds of scans of one size. */
  private record Pair(double sequential, double parallel) {}

  private static List<Pair> scans(FigureRun run, Population photos) {
    ModelCluster cluster =
        new ModelCluster(
            new ModelCluster.Size(NODES, 1, COPIES), photos, run.costs(), null, run.seed());
    SimRandom random = new SimRandom(run.seed()).fork("scans");
    List<Pair> pairs = new ArrayList<>();
    for (int days : days(run.quick())) {
      int scans = run.pick(20, 5);
      double one = 0;
      double all = 0;
      for (int i = 0; i < scans; i++) {
        int node = random.between(0, NODES - 1);
        int day = node * DAYS_PER_NODE + random.between(0, DAYS_PER_NODE - days);
        NodeId client = cluster.nodes().get(random.between(0, NODES - 1));
        one += millis(cluster, client, day * PHOTOS_PER_DAY, days * PHOTOS_PER_DAY, 1);
        all += millis(cluster, client, day * PHOTOS_PER_DAY, days * PHOTOS_PER_DAY, COPIES);
      }
      pairs.add(new Pair(one / scans, all / scans));
      run.steps().run();
    }
    return pairs;
  }

  /** How long a scan takes whose pages are dealt out to so many copies. */
  private static double millis(
      ModelCluster cluster, NodeId client, int from, int records, int copies) {
    long start = cluster.scheduler().nowNanos();
    int[] left = {copies};
    for (int copy = 0; copy < copies; copy++) {
      page(cluster, client, copy, copies, from + copy * CHUNK, from + records, left);
    }
    while (left[0] > 0) {
      if (!cluster.scheduler().step(Long.MAX_VALUE)) {
        throw new IllegalStateException("a scan does not end");
      }
    }
    return (cluster.scheduler().nowNanos() - start) / 1e6;
  }

  private static void page(
      ModelCluster cluster, NodeId client, int copy, int copies, int from, int to, int[] left) {
    if (from >= to) {
      left[0]--;
      return;
    }
    cluster.readFrom(
        client,
        copy,
        from,
        Math.min(CHUNK, to - from),
        () -> page(cluster, client, copy, copies, from + copies * CHUNK, to, left));
  }

  private static FigureReport report(Series sequential, Series parallel) {
    String found =
        "ms at %s days: %s"
            .formatted(
                Numbers.list(sequential.xs()), Numbers.curves(List.of(sequential, parallel)));
    List<Margin> faster = Margin.above("%s days", sequential, 1.5, parallel);
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("nodes", String.valueOf(NODES));
    settings.put("copies", String.valueOf(COPIES));
    settings.put("photos per day", String.valueOf(PHOTOS_PER_DAY));
    settings.put("records per page", String.valueOf(CHUNK));
    settings.put("repetitions", String.valueOf(FigureRun.REPETITIONS));
    return new FigureReport(
        12,
        "Range scan by size, sequential and parallel",
        HOW,
        settings,
        List.of(
            new Chart(
                "", "Latency of range scans", "days", "ms", false, List.of(sequential, parallel))),
        List.of(
            Claim.of(
                "Scanning chunks of the range on different replicas improves the latency"
                    + " considerably.",
                found + "; considerably means by 1.5 at least, from two pages on",
                faster.subList(1, faster.size())),
            Claim.of(
                "The latency of a sequential scan grows with the size of the range.",
                found,
                Margin.rising("%s days", sequential))));
  }
}
