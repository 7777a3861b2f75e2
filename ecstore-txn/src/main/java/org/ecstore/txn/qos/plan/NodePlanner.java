package org.ecstore.txn.qos.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.txn.qos.plan.Demand.Clients;
import org.ecstore.txn.qos.plan.Demand.Throughput;
import org.ecstore.txn.qos.plan.PlanOutcome.ClusterSize;
import org.ecstore.txn.qos.plan.PlanOutcome.NoPlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * Finds the fewest servers whose predicted response time is at or below the target at the load.
 * Paper: Cassandra QoS, §III and §V, "Validation of the methodology".
 */
public final class NodePlanner {
  /** How many times the servers of the table are looked at for a hint beyond it. */
  private static final int BEYOND = 10;

  private final Forecast forecast;
  private final Demand demand;
  private final int clientsFirst;
  private final int clientsLast;

  private NodePlanner(Forecast forecast, Demand demand) {
    this.forecast = forecast;
    this.demand = demand;
    this.clientsFirst = forecast.table().clients().first();
    this.clientsLast = forecast.table().clients().last();
  }

  /** What the forecast says to the demand, which is of its statistic. */
  public static PlanOutcome plan(Forecast forecast, Demand demand) {
    return new NodePlanner(forecast, demand).plan();
  }

  /** Servers, the clients by which the load comes there, and what is expected then. */
  private record Candidate(int servers, int clients, Prediction prediction) {
    ClusterSize size() {
      return new ClusterSize(servers, prediction);
    }
  }

  private PlanOutcome plan() {
    List<Candidate> candidates = new ArrayList<>();
    for (int servers : forecast.servers()) {
      candidate(servers).ifPresent(candidates::add);
    }
    if (candidates.isEmpty()) {
      return beyondTheTable();
    }
    for (int i = 0; i < candidates.size(); i++) {
      Candidate candidate = candidates.get(i);
      if (candidate.prediction.millis() <= demand.millisMax()) {
        return found(
            candidate, i == 0 ? Optional.empty() : Optional.of(candidates.get(i - 1)), candidates);
      }
    }
    return tooSlow(candidates);
  }

  private Optional<Candidate> candidate(int servers) {
    return clientsFor(servers).stream()
        .mapToObj(
            clients ->
                forecast
                    .at(new GridPoint(clients, servers))
                    .map(prediction -> new Candidate(servers, clients, prediction)))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** With how many clients the load comes to so many servers; empty if that is beyond the table. */
  private OptionalInt clientsFor(int servers) {
    return switch (demand.load()) {
      case Clients(var count) ->
          count > clientsLast ? OptionalInt.empty() : OptionalInt.of(Math.max(count, clientsFirst));
      case Throughput(var megabytes) -> clientsMoving(megabytes, servers);
    };
  }

  /** The fewest clients of the table that move so much, looked for between rows. */
  private OptionalInt clientsMoving(double megabytes, int servers) {
    int before = clientsFirst;
    for (int row : forecast.table().clients()) {
      if (moves(megabytes, row, servers)) {
        return OptionalInt.of(first(before, row, clients -> moves(megabytes, clients, servers)));
      }
      before = row;
    }
    return OptionalInt.empty();
  }

  private boolean moves(double megabytes, int clients, int servers) {
    return forecast
        .at(new GridPoint(clients, servers))
        .filter(prediction -> prediction.megabytesPerSecond() >= megabytes)
        .isPresent();
  }

  /** A condition that holds from some number on, as far as is looked. */
  private interface From {
    boolean holds(int clients);
  }

  /** The first for which it holds of two between which it begins to; it holds for the last. */
  private static int first(int low, int high, From from) {
    int least = low;
    int most = high;
    while (least < most) {
      int middle = least + (most - least) / 2;
      if (from.holds(middle)) {
        most = middle;
      } else {
        least = middle + 1;
      }
    }
    return most;
  }

  private NodePlan found(Candidate found, Optional<Candidate> fewer, List<Candidate> candidates) {
    OptionalInt safe =
        candidates.stream()
            .filter(candidate -> candidate.servers >= found.servers)
            .filter(candidate -> candidate.prediction.millisAtMost() <= demand.millisMax())
            .mapToInt(Candidate::servers)
            .findFirst();
    OptionalInt asked =
        demand.load() instanceof Clients(var count) && count < clientsFirst
            ? OptionalInt.of(count)
            : OptionalInt.empty();
    return new NodePlan(
        found.servers,
        found.clients,
        asked,
        found.prediction,
        heldUpTo(found.clients, found.servers),
        fewer.map(Candidate::size),
        safe);
  }

  private boolean holds(int clients, int servers) {
    return forecast
        .at(new GridPoint(clients, servers))
        .filter(prediction -> prediction.millis() <= demand.millisMax())
        .isPresent();
  }

  /** From clients that are served in time on: up to how many are; empty if all of the table. */
  private OptionalInt heldUpTo(int from, int servers) {
    int before = from;
    for (int row : forecast.table().clients().tailSet(from, false)) {
      if (!holds(row, servers)) {
        return OptionalInt.of(first(before, row, clients -> !holds(clients, servers)) - 1);
      }
      before = row;
    }
    return OptionalInt.empty();
  }

  private NoPlan tooSlow(List<Candidate> candidates) {
    Candidate nearest =
        candidates.stream()
            .min(Comparator.comparingDouble(candidate -> candidate.prediction.millis()))
            .orElseThrow();
    OptionalInt clientsMax =
        holds(clientsFirst, nearest.servers)
            ? heldUpTo(clientsFirst, nearest.servers)
            : OptionalInt.empty();
    return new NoPlan(
        "no number of nodes of the table, which ends at %d, is fast enough"
            .formatted(forecast.table().servers().last()),
        Optional.of(nearest.size()),
        clientsMax,
        byCurve(nearest.clients));
  }

  private NoPlan beyondTheTable() {
    return switch (demand.load()) {
      case Clients(var count) -> beyondTheRows(count);
      case Throughput _ -> {
        Optional<Candidate> most =
            forecast.servers().stream()
                .flatMap(servers -> most(servers).stream())
                .max(
                    Comparator.comparingDouble(
                        candidate -> candidate.prediction.megabytesPerSecond()));
        yield new NoPlan(
            "no cluster of the table moves so much",
            most.map(Candidate::size),
            OptionalInt.empty(),
            OptionalInt.empty());
      }
    };
  }

  /** What comes nearest is by the last row: which servers are fastest there, and for how many. */
  private NoPlan beyondTheRows(int count) {
    Optional<Candidate> nearest =
        forecast.servers().stream()
            .flatMap(
                servers ->
                    forecast
                        .at(new GridPoint(clientsLast, servers))
                        .map(prediction -> new Candidate(servers, clientsLast, prediction))
                        .stream())
            .min(Comparator.comparingDouble(candidate -> candidate.prediction.millis()));
    return new NoPlan(
        "the table ends at %d clients, below the %d asked for".formatted(clientsLast, count),
        nearest.map(Candidate::size),
        nearest
            .filter(candidate -> holds(clientsFirst, candidate.servers))
            .map(
                candidate ->
                    OptionalInt.of(heldUpTo(clientsFirst, candidate.servers).orElse(clientsLast)))
            .orElse(OptionalInt.empty()),
        byCurve(count));
  }

  /** Where so many servers move most. */
  private Optional<Candidate> most(int servers) {
    return forecast.table().clients().stream()
        .flatMap(
            row ->
                forecast
                    .at(new GridPoint(row, servers))
                    .map(prediction -> new Candidate(servers, row, prediction))
                    .stream())
        .max(Comparator.comparingDouble(candidate -> candidate.prediction.megabytesPerSecond()));
  }

  /** The fewest servers by the curve, also where nothing was measured. */
  private OptionalInt byCurve(int clients) {
    int most = BEYOND * forecast.table().servers().last();
    for (int servers = forecast.table().servers().first(); servers <= most; servers++) {
      boolean enough =
          forecast
              .beyond(new GridPoint(clients, servers))
              .filter(prediction -> prediction.millis() <= demand.millisMax())
              .isPresent();
      if (enough) {
        return OptionalInt.of(servers);
      }
    }
    return OptionalInt.empty();
  }
}
