package org.ecstore.bench.validate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.plan.TablePlan;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Forecast;
import org.ecstore.txn.qos.predict.Prediction;
import org.ecstore.txn.qos.table.GridPoint;

/**
 * Draws objectives that a table has a plan for, by a seed. Numbers of clients are between rows, so
 * that none was measured; each number of nodes of the table has its turn. The target is between
 * what is predicted of so many nodes, and 5 % more, and what is predicted of fewer, or 50 % more if
 * that is less. Paper: Cassandra QoS §V, whose objective of 40 ms was 5 % above the 38.22 ms that
 * were predicted. Of a seed the first ones are the same however many are drawn.
 */
public final class ObjectiveDraw {
  /** A target is at least so much above the prediction, as a share of it. */
  private static final double ROOM_MIN = 0.05;

  /** A target is at most so much above the prediction. */
  private static final double ROOM_MAX = 0.5;

  /** How often a place is looked for at a number of nodes. */
  private static final int TRIES = 200;

  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

  private final String file;
  private final Forecast forecast;
  private final SplittableRandom random;
  private final List<DrawnObjective> drawn = new ArrayList<>();

  private ObjectiveDraw(String file, Forecast forecast, long seed) {
    this.file = file;
    this.forecast = forecast;
    this.random = new SplittableRandom(seed);
  }

  /**
   * Draws some.
   *
   * @param file the table's, for people
   * @param forecast of mean response times
   * @throws BadInputException if the table has no place for as many
   */
  public static List<DrawnObjective> draw(String file, Forecast forecast, int count, long seed) {
    ObjectiveDraw draw = new ObjectiveDraw(file, forecast, seed);
    Deque<Integer> turns = new ArrayDeque<>();
    int misses = 0;
    while (draw.drawn.size() < count) {
      if (turns.isEmpty()) {
        turns.addAll(draw.shuffled());
      }
      Optional<DrawnObjective> next = draw.next(turns.remove());
      next.ifPresent(draw.drawn::add);
      misses = next.isPresent() ? 0 : misses + 1;
      if (misses > 2 * forecast.table().servers().size()) {
        throw new BadInputException(
            "%s has no place for more than %d of %d objectives: more nodes have to be predicted faster there, and rows have to have numbers of clients between them"
                .formatted(file, draw.drawn.size(), count));
      }
    }
    return List.copyOf(draw.drawn);
  }

  /** By Fisher and Yates. */
  private List<Integer> shuffled() {
    List<Integer> shuffled = new ArrayList<>(forecast.table().servers());
    for (int left = shuffled.size(); left > 1; left--) {
      Collections.swap(shuffled, left - 1, random.nextInt(left));
    }
    return shuffled;
  }

  private Optional<DrawnObjective> next(int nodes) {
    for (int tried = 0; tried < TRIES; tried++) {
      int clients = clients();
      double part = random.nextDouble();
      boolean isNew =
          clients > 0
              && drawn.stream().noneMatch(one -> one.clients() == clients && one.nodes() == nodes);
      if (isNew) {
        Optional<DrawnObjective> found = of(clients, nodes, part);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  /** A number between two rows; 0 if there is none between these. */
  private int clients() {
    List<Integer> rows = List.copyOf(new TreeSet<>(forecast.table().clients()));
    if (rows.size() < 2) {
      return 0;
    }
    int gap = random.nextInt(rows.size() - 1);
    int between = rows.get(gap + 1) - rows.get(gap) - 1;
    int at = random.nextInt(Math.max(1, between));
    return between > 0 ? rows.get(gap) + 1 + at : 0;
  }

  private Optional<DrawnObjective> of(int clients, int nodes, double part) {
    OptionalDouble here = millis(clients, nodes);
    if (here.isEmpty()) {
      return Optional.empty();
    }
    double least = here.getAsDouble() * (1 + ROOM_MIN);
    double most = here.getAsDouble() * (1 + ROOM_MAX);
    for (int fewer : forecast.servers()) {
      if (fewer < nodes) {
        most = Math.min(most, millis(clients, fewer).orElse(most));
      }
    }
    if (least >= most) {
      return Optional.empty();
    }
    double target = BigDecimal.valueOf(least + part * (most - least)).round(DIGITS).doubleValue();
    TablePlan plan =
        TablePlan.of(
            file, forecast, new Demand(new Demand.Clients(clients), Statistic.MEAN, target));
    return plan.outcome() instanceof NodePlan found && found.nodes() == nodes
        ? Optional.of(new DrawnObjective(plan, found))
        : Optional.empty();
  }

  private OptionalDouble millis(int clients, int nodes) {
    return forecast.at(new GridPoint(clients, nodes)).stream()
        .mapToDouble(Prediction::millis)
        .findFirst();
  }
}
