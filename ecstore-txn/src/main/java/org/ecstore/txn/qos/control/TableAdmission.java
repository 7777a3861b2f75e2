package org.ecstore.txn.qos.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.measured.KnownTable;
import org.ecstore.txn.qos.measured.TableChoice;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Answer;
import org.ecstore.txn.qos.objective.ObjectiveText;

/**
 * Holds guarantees against measured tables: those for numbers of clients, and those for rates where
 * it is not known what operations take of nodes. The clients of all guarantees are added up, as the
 * ranges of all applications are on the same nodes: who comes to a node finds the others waiting
 * there, whatever application they are of. What an application promises by a rate counts as so many
 * clients as it has under way at once, by Little's law; so does what applications without an
 * objective have, as nothing can limit that. Each guarantee is then looked for in the table of its
 * own workload, with all clients of all as if they were of it (decisions 0079, 0123).
 */
final class TableAdmission {
  private static final int ROUNDS = 500;
  private static final double NEAR = 1e-4;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MICROS_PER_MILLI = 1e3;
  private static final double MILLIS_PER_SECOND = 1e3;

  /** A target, and what its response time is looked for in. */
  private record Asked(
      Objective objective, ResponseTarget target, KnownTable table, double slower) {
    String words(double millis) {
      return "%s of %s would be %s, of %s"
          .formatted(
              target.statistic().word(),
              objective.application(),
              ObjectiveText.millis(Math.round(millis * NANOS_PER_MILLI)),
              ObjectiveText.millis(target.atMost().toNanos()));
    }

    boolean isKept(double millis) {
      return millis * NANOS_PER_MILLI <= target.atMost().toNanos();
    }
  }

  private record Outcome(boolean isKept, String words) {}

  private static final String UNCHECKED =
      "it is not held against anything: what operations take of the nodes is not known yet, and no"
          + " table is kept (qos measure, qos table use)";

  private final List<Asked> asked = new ArrayList<>();
  private final List<Objective> guaranteed = new ArrayList<>();
  private final Objective wanted;
  private final double others;
  private final int nodesNow;
  private final int nodesMax;

  private TableAdmission(Objective wanted, double others, int nodesNow, int nodesMax) {
    this.wanted = wanted;
    this.others = others;
    this.nodesNow = nodesNow;
    this.nodesMax = nodesMax;
  }

  /**
   * What tables say to a guarantee beside those that stand; absent where there is nothing to say:
   * all guarantees are for rates, and these are known to be kept.
   *
   * @param others operations a second of applications without an objective
   * @param nodesMax that there may be
   * @param isRateKnown whether rates were held against what operations take of nodes
   */
  static Optional<Answer> answer(
      Situation now, Objective wanted, double others, int nodesMax, boolean isRateKnown) {
    if (wanted.serviceClass() != ServiceClass.GUARANTEED) {
      return Optional.empty();
    }
    TableAdmission admission = new TableAdmission(wanted, others, now.nodes(), nodesMax);
    Optional<String> without = admission.gather(now);
    boolean isByClients = admission.guaranteed.stream().anyMatch(InFlight::isClosed);
    if (!isByClients && isRateKnown) {
      return Optional.empty();
    }
    if (!isByClients && now.tables().isEmpty()) {
      return Optional.of(new Answer(true, UNCHECKED));
    }
    return Optional.of(without.map(admission::without).orElseGet(admission::answer));
  }

  /** Others may have tables, and are not to be slower by what is wanted than they may be. */
  private Answer without(String why) {
    String said = "it is not held against a table: " + why;
    Answer others = asked.isEmpty() ? new Answer(true, "") : answer();
    return others.isAccepted() ? new Answer(true, said) : others;
  }

  /** Why there is no table for what is wanted; absent if there is one for each of its targets. */
  private Optional<String> gather(Situation now) {
    for (Served served : now.objectives()) {
      boolean isOther = !served.objective().application().equals(wanted.application());
      if (isOther && served.isGuaranteed()) {
        guaranteed.add(served.objective());
        gather(now, served);
      }
    }
    guaranteed.add(wanted);
    return gather(now, new Served(wanted, now.had(wanted), 0));
  }

  private Optional<String> gather(Situation now, Served served) {
    Optional<String> without = Optional.empty();
    for (ResponseTarget target : served.objective().targets()) {
      TableChoice choice =
          now.tables().choose(served.objective(), served.figures(), target.statistic());
      Optional<KnownTable> table =
          choice.table().filter(one -> one.nodesFewest() <= Math.max(1, nodesMax));
      if (table.isPresent()) {
        asked.add(
            new Asked(
                served.objective(),
                target,
                table.get(),
                slower(now, served, target.statistic(), table.get())));
      } else if (without.isEmpty()) {
        without =
            Optional.of(
                choice
                    .table()
                    .map(one -> "table %s has %s".formatted(one.name(), one.size()))
                    .orElse(choice.why()));
      }
    }
    return without;
  }

  /**
   * How many times as long as in the table operations take now, where more is under way than it has
   * as long as in its last row; 1 if they are faster, or that is not known: no guarantee is given
   * on the strength of a good day.
   */
  private static double slower(
      Situation now, Served served, Statistic statistic, KnownTable table) {
    double clients =
        underWay(table, InFlight.of(now).all(), now.perSecondOfOthers(), 1, now.nodes());
    return clients < table.clientsFewest()
        ? 1
        : served
            .figures()
            .flatMap(
                figures ->
                    table
                        .at(statistic, Math.min(clients, table.clientsMost()), now.nodes())
                        .map(
                            place -> figures.micros(statistic) / MICROS_PER_MILLI / place.millis()))
            .map(times -> Math.max(1, times))
            .orElse(1.0);
  }

  private Answer answer() {
    OfferedLoad load = wanted.workload().load().orElse(new ClientCount(0));
    long most = amount(load);
    Outcome outcome = outcome(load);
    String beside = GuaranteeCheck.unlimited(others, "; ");
    if (outcome.isKept()) {
      return new Answer(true, outcome.words() + beside);
    }
    long fits = 0;
    long tooMany = most;
    while (tooMany - fits > 1) {
      long middle = fits + (tooMany - fits) / 2;
      if (outcome(of(load, middle)).isKept()) {
        fits = middle;
      } else {
        tooMany = middle;
      }
    }
    return new Answer(
        false,
        "%s%s; %s: see qos mode".formatted(outcome.words(), beside, whatWouldFit(load, fits)));
  }

  private static long amount(OfferedLoad load) {
    return switch (load) {
      case ClientCount(var count) -> count;
      case OperationRate(var perSecond) -> perSecond;
    };
  }

  private static OfferedLoad of(OfferedLoad kind, long amount) {
    return switch (kind) {
      case ClientCount _ -> new ClientCount((int) amount);
      case OperationRate _ -> new OperationRate(amount);
    };
  }

  private static String whatWouldFit(OfferedLoad kind, long amount) {
    return switch (kind) {
      case ClientCount _ ->
          amount == 0
              ? "no client would fit without more nodes"
              : amount + " clients would fit, or more nodes";
      case OperationRate _ -> GuaranteeCheck.whatWouldFit(amount);
    };
  }

  /**
   * What becomes of all targets with that load of what is wanted: on as many nodes as there may be
   * or, if that is not kept, on fewer, down to those that there are. A node more does not make
   * every cluster faster (docs/qos-runs.md, "A table of four nodes").
   */
  private Outcome outcome(OfferedLoad load) {
    // With more nodes than all tables have, what they say is the same.
    int largest = asked.stream().mapToInt(one -> one.table().nodesMost()).max().orElse(nodesMax);
    int most = Math.min(nodesMax, largest);
    Outcome onMost = outcome(load, most);
    if (onMost.isKept()) {
      return onMost;
    }
    return IntStream.iterate(most - 1, nodes -> nodes >= nodesNow, nodes -> nodes - 1)
        .mapToObj(nodes -> outcome(load, nodes))
        .filter(Outcome::isKept)
        .findFirst()
        .orElse(onMost);
  }

  /** The first that is not kept on so many nodes. */
  private Outcome outcome(OfferedLoad load, int most) {
    Outcome last = new Outcome(true, "");
    for (Asked one : asked) {
      Outcome outcome = outcome(one, load, Math.min(most, one.table().nodesMost()));
      if (!outcome.isKept() || one.objective().equals(wanted)) {
        last = outcome;
      }
      if (!outcome.isKept()) {
        return outcome;
      }
    }
    return last;
  }

  private Outcome outcome(Asked one, OfferedLoad load, int nodes) {
    double clients = clients(one, load, nodes);
    Optional<KnownTable.Place> place = one.table().at(one.target().statistic(), clients, nodes);
    if (place.isEmpty()) {
      return new Outcome(
          false,
          "by table %s: with this, more would be under way on %d nodes than its %s"
              .formatted(one.table().name(), nodes, one.table().size()));
    }
    double millis = place.get().millis() * one.slower();
    String by =
        "by table %s: %s clients on %d nodes, %s (%s%s)"
            .formatted(
                one.table().name(),
                NodeChange.amount(clients),
                nodes,
                one.words(millis),
                KnownTable.cells(List.of(place.get())),
                one.slower() > 1
                    ? "; it is now %s times as slow as there".formatted(rounded(one.slower()))
                    : "");
    return new Outcome(one.isKept(millis), by);
  }

  private static String rounded(double times) {
    return NodeChange.amount(times);
  }

  /**
   * All clients of all guarantees, and of what nothing can limit, by the table of one of them;
   * infinite beyond that table.
   */
  private double clients(Asked one, OfferedLoad load, int nodes) {
    double closed = 0;
    double perSecond = others;
    for (Objective objective : guaranteed) {
      OfferedLoad offered =
          objective.equals(wanted) ? load : objective.workload().load().orElse(new ClientCount(0));
      switch (offered) {
        case ClientCount(var count) -> closed += count;
        case OperationRate(var rate) -> perSecond += rate;
      }
    }
    return underWay(one.table(), closed, perSecond, one.slower(), nodes);
  }

  /**
   * How many clients there are at once, with those that operations at a rate are: the least number
   * that agrees with itself; infinite where none of the table does.
   *
   * @param closed clients that wait for answers
   * @param perSecond operations that come at a rate
   * @param slower so many times as long as in the table operations take
   */
  private static double underWay(
      KnownTable table, double closed, double perSecond, double slower, int nodes) {
    double clients = closed;
    for (int round = 0; round < ROUNDS; round++) {
      Optional<KnownTable.Place> mean = table.at(Statistic.MEAN, clients, nodes);
      if (mean.isEmpty()) {
        return Double.POSITIVE_INFINITY;
      }
      double next = closed + perSecond * mean.get().millis() * slower / MILLIS_PER_SECOND;
      if (Math.abs(next - clients) <= NEAR * Math.max(1, next)) {
        return next;
      }
      clients = next;
    }
    return Double.POSITIVE_INFINITY;
  }
}
