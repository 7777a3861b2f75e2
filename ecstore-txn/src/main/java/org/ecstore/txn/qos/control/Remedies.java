package org.ecstore.txn.qos.control;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.txn.limit.FairShares;
import org.ecstore.txn.limit.FairShares.Sharer;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.objective.ObjectiveText;

/**
 * Says what would help an application whose objective is violated, and what can be taken back where
 * all are kept. Decides by predictions ({@link LoadModel}, and of other numbers of nodes {@link
 * NodeChange}) and does nothing. The cheapest that is predicted to do is taken: limits on
 * applications of best effort, then other primaries, then more hot-spot replicas, then a node more.
 */
final class Remedies {
  /** What applications of best effort may keep of what they have together. */
  private static final double[] KEPT = {0.5, 0.25, 0.1};

  /** What changes a response time by less is not worth doing. */
  private static final double WORTH = 0.9;

  /** Who has so many times as much to do as the mean could give some of it away. */
  static final double UNEVEN = 1.3;

  /** Where the busiest node uses less of its capacity others need not help it. */
  private static final double BUSY_MIN = 0.5;

  /**
   * What is taken back must leave so much of what the objective allows, and a limit is to bring as
   * much where one can.
   */
  private static final double MARGIN = 0.8;

  /**
   * Nodes may be no busier after one has gone, whatever is predicted of response times: but for
   * clients that wait, of which a table is trusted ({@link TableTrust}).
   */
  private static final double BUSY_MAX = 0.6;

  /** Who has less of its limit is not held back by it. */
  private static final double UNUSED = 0.9;

  /** Such a part of all operations is worth a word. */
  private static final double OTHERS_MIN = 0.1;

  /** What limits and other primaries bring. */
  private static final String BY_QUEUE = "; predicted by the formula of a queue";

  private static final double NANOS_PER_MICRO = 1_000;
  private static final double PERCENT = 100;

  private Remedies() {}

  /**
   * What to do for an application whose objective is violated, the best there is; absent if nothing
   * is predicted to help, or nothing is owed to it.
   */
  static Optional<Remedy> against(Situation now, Objective objective, String seen) {
    Optional<ServiceFigures> figures =
        now.of(objective.application()).filter(Served::isGuaranteed).flatMap(Served::figures);
    Optional<ResponseTarget> target =
        figures.flatMap(had -> ServiceVerdict.tightest(objective, had));
    if (target.isEmpty()) {
      return Optional.empty();
    }
    double response = felt(objective, figures.get(), target.get());
    double allowed = target.get().atMost().toNanos() / NANOS_PER_MICRO;
    double most =
        ServiceVerdict.isUnanswered(objective, figures.get())
            ? Math.min(allowed, response * WORTH)
            : allowed;
    List<Remedy> all = new ArrayList<>();
    List<Remedy> limits = new ArrayList<>();
    String why =
        "%s: %s of %s%s; nodes use %.0f %% of their capacity"
            .formatted(
                seen,
                micros(target.get(), (double) figures.get().micros(target.get().statistic())),
                ObjectiveText.millis(target.get().atMost().toNanos()),
                unanswered(objective, figures.get()),
                now.busy() * PERCENT);
    limits(now, objective, response, why, limits);
    if (now.mayLimit()) {
      all.addAll(limits);
    }
    relieve(now, objective, response, why, all);
    if (now.next().isPresent() && now.nodes() > 0) {
      Foretold foretold =
          NodeChange.of(now, objective, figures.get(), target.get().statistic(), now.nodes() + 1);
      all.add(
          remedy(
              ActionKind.ADD_NODE,
              objective,
              now.next(),
              why + unlimited(now) + by(foretold),
              response,
              response * foretold.times()));
    }
    return best(all, most, response).or(() -> best(limits, most, response));
  }

  /**
   * The first that will do, else the one that brings most, if it is worth doing. Of limits the
   * first that will do with a margin, else the lowest (decision 0130).
   */
  private static Optional<Remedy> best(List<Remedy> all, double most, double response) {
    List<Remedy> enough = all.stream().filter(one -> one.afterMicros() <= most).toList();
    List<Remedy> limits = enough.stream().filter(one -> one.kind() == ActionKind.LIMIT).toList();
    return limits.stream()
        .filter(remedy -> remedy.afterMicros() <= most * MARGIN)
        .findFirst()
        .or(() -> limits.stream().min(Comparator.comparingLong(Remedy::afterMicros)))
        .or(() -> enough.stream().findFirst())
        .or(
            () ->
                all.stream()
                    .min(Comparator.comparingLong(Remedy::afterMicros))
                    .filter(remedy -> remedy.afterMicros() <= response * WORTH));
  }

  /**
   * The response time that an objective has least to spare of, in microseconds; absent if it has
   * none. Where too many operations have no answer it is at least what is allowed, however fast the
   * others were: so something has to bring a tenth to be done about it.
   */
  static Optional<Long> felt(Objective objective, ServiceFigures figures) {
    return ServiceVerdict.tightest(objective, figures)
        .map(target -> Math.round(felt(objective, figures, target)));
  }

  private static double felt(Objective objective, ServiceFigures figures, ResponseTarget target) {
    double micros = figures.micros(target.statistic());
    return ServiceVerdict.isUnanswered(objective, figures)
        ? Math.max(micros, target.atMost().toNanos() / NANOS_PER_MICRO)
        : micros;
  }

  /** That too many operations have no answer, in words; empty if they have. */
  static String unanswered(Objective objective, ServiceFigures figures) {
    return ServiceVerdict.isUnanswered(objective, figures)
        ? ", %.0f %% without an answer"
            .formatted(figures.failures() * PERCENT / Math.max(1, figures.operations()))
        : "";
  }

  /**
   * That a good part of the load is of applications that nothing can limit, and what makes it
   * possible; empty if it is not.
   */
  static String unlimited(Situation now) {
    double others = now.perSecondOfOthers();
    return others < 1 || others < now.perSecondOfAll() * OTHERS_MIN
        ? ""
        : ("; %.0f/s are of applications without an objective: state one of best effort, which can"
                + " be limited")
            .formatted(others);
  }

  private static String by(Foretold foretold) {
    return "; predicted " + foretold.by();
  }

  private static String micros(ResponseTarget target, double micros) {
    return ObjectiveText.of(
        new ResponseTarget(
            target.statistic(), Duration.ofNanos(Math.round(micros * NANOS_PER_MICRO))));
  }

  private static Remedy remedy(
      ActionKind kind,
      Objective objective,
      Optional<NodeId> node,
      String why,
      double before,
      double after) {
    return new Remedy(
        kind,
        objective.application(),
        "",
        node,
        0,
        why,
        Math.round(before),
        Math.max(1, Math.round(after)));
  }

  /** What takes load off a node that is busier than others, and gives it to these. */
  private static void relieve(
      Situation now, Objective objective, double response, String why, List<Remedy> all) {
    if (now.busiest() < BUSY_MIN || now.busiest() <= UNEVEN * now.busy()) {
      return;
    }
    String seen = why + ", the busiest %.0f %%".formatted(now.busiest() * PERCENT) + BY_QUEUE;
    if (now.mayRebalance()) {
      all.add(
          remedy(
              ActionKind.REBALANCE,
              objective,
              Optional.empty(),
              seen,
              response,
              LoadModel.response(response, now.busiest(), now.busy())));
    }
    if (now.relief().threshold() > 0) {
      // Hot-spot replicas answer reads, and writes stay where they are.
      double reads = objective.workload().readPercent().orElse((int) PERCENT) / PERCENT;
      double then = now.busiest() - reads * (now.busiest() - now.busy());
      all.add(
          new Remedy(
              ActionKind.LOWER_THRESHOLD,
              objective.application(),
              "",
              Optional.empty(),
              now.relief().threshold(),
              seen,
              Math.round(response),
              Math.max(1, Math.round(LoadModel.response(response, now.busiest(), then)))));
    }
  }

  /**
   * Applications of best effort keep a part of what they have together, each by its weight
   * (decision 0088). Of those that are held back by it the one is named that has the greatest
   * share.
   */
  private static void limits(
      Situation now, Objective objective, double response, String why, List<Remedy> all) {
    List<Served> asking =
        now.objectives().stream()
            .filter(one -> !one.isGuaranteed() && one.perSecond() >= 1)
            .toList();
    if (asking.isEmpty()) {
      return;
    }
    double have = asking.stream().mapToDouble(Served::perSecond).sum();
    for (double kept : KEPT) {
      double level =
          FairShares.level(
              asking.stream()
                  .map(one -> new Sharer(one.objective().weight(), one.perSecond()))
                  .toList(),
              have * kept);
      Objective named =
          asking.stream()
              .filter(one -> one.perSecond() > level * one.objective().weight())
              .map(Served::objective)
              .max(Comparator.comparingInt(Objective::weight))
              .orElseThrow();
      double less = have * (1 - kept) / now.perSecondOfAll();
      double then = now.busy() * (1 - less);
      all.add(
          new Remedy(
              ActionKind.LIMIT,
              objective.application(),
              named.application(),
              Optional.empty(),
              FairShares.share(level, named.weight()),
              why + have(asking, have) + BY_QUEUE,
              Math.round(response),
              Math.max(1, Math.round(LoadModel.response(response, now.busy(), then)))));
    }
  }

  private static String have(List<Served> asking, double have) {
    return asking.size() == 1
        ? "; %s has %.0f/s".formatted(asking.getFirst().objective().application(), have)
        : "; %d applications of best effort have %.0f/s, and share by weight"
            .formatted(asking.size(), have);
  }

  /** Whether nodes may be as busy as a table foretells that clients will bear (decision 0099). */
  interface TableTrust {
    /**
     * Asked for each response time that is promised.
     *
     * @param closedPart of what is under way, the part that waits before it asks again
     * @param slower so many times as long as in the table it takes now
     */
    boolean is(double closedPart, double slower);
  }

  /** What can be taken back where all that is promised is kept; absent if nothing can. */
  static Optional<Remedy> back(Situation now, TableTrust trust) {
    return release(now).or(() -> remove(now, trust)).or(() -> raise(now));
  }

  /** Takes a node away that was added and has nothing: nothing else becomes of it. */
  static Remedy dismiss(Situation now, NodeId node, boolean isThere) {
    Optional<Tight> tight = tightest(now);
    long micros = tight.map(Tight::micros).orElse(0L);
    return new Remedy(
        ActionKind.REMOVE_NODE,
        tight.map(Tight::application).orElse(""),
        "",
        Optional.of(node),
        0,
        node + (isThere ? " has nothing" : " was ordered and is not there"),
        micros,
        micros);
  }

  private static Optional<Remedy> release(Situation now) {
    List<Served> limited =
        now.objectives().stream().filter(one -> limit(now, one).isPresent()).toList();
    Optional<Served> named =
        limited.stream().max(Comparator.comparingInt(one -> one.objective().weight()));
    if (named.isEmpty()) {
      return Optional.empty();
    }
    // Who has all that it may have would have twice as much.
    double held =
        limited.stream()
            .filter(one -> one.perSecond() >= limit(now, one).orElse(0L) * UNUSED)
            .mapToLong(one -> limit(now, one).orElse(0L))
            .sum();
    String application = named.get().objective().application();
    double then = now.busy() * (1 + held / Math.max(1, now.perSecondOfAll()));
    return predicted(now, now.busy(), then)
        .map(
            after ->
                new Remedy(
                    ActionKind.RELEASE,
                    application,
                    application,
                    Optional.empty(),
                    held == 0 ? 0 : 2 * limit(now, named.get()).orElse(0L),
                    "all that is promised is kept; nodes use %.0f %% of their capacity"
                            .formatted(now.busy() * PERCENT)
                        + BY_QUEUE,
                    tightest(now).map(Tight::micros).orElse(0L),
                    after));
  }

  private static Optional<Long> limit(Situation now, Served one) {
    return Optional.ofNullable(now.caps().get(one.objective().application()));
  }

  /** Without hot-spot replicas nodes may come to be as uneven as they were. */
  private static Optional<Remedy> raise(Situation now) {
    double then = Math.max(now.busiest(), now.relief().uneven() * now.busy());
    if (now.relief().uneven() == 0 || then > BUSY_MAX) {
      return Optional.empty();
    }
    return predicted(now, now.busiest(), then)
        .map(
            after ->
                new Remedy(
                    ActionKind.RAISE_THRESHOLD,
                    tightest(now).map(Tight::application).orElse(""),
                    "",
                    Optional.empty(),
                    0,
                    "all that is promised is kept; the busiest node uses %.0f %% of its capacity"
                            .formatted(now.busiest() * PERCENT)
                        + BY_QUEUE,
                    tightest(now).map(Tight::micros).orElse(0L),
                    after));
  }

  private static Optional<Remedy> remove(Situation now, TableTrust trust) {
    if (now.spare().isEmpty() || now.nodes() < 2) {
      return Optional.empty();
    }
    double then = now.busy() * now.nodes() / (now.nodes() - 1);
    List<Fewer> all = fewer(now);
    if (then > BUSY_MAX && !isTrusted(now, all, trust)) {
      return Optional.empty();
    }
    if (all.stream().anyMatch(one -> one.part() > MARGIN)) {
      return Optional.empty();
    }
    Optional<Fewer> worst = all.stream().max(Comparator.comparingDouble(Fewer::part));
    return Optional.of(
        new Remedy(
            ActionKind.REMOVE_NODE,
            worst.map(Fewer::application).orElse(""),
            "",
            now.spare(),
            0,
            "all that is promised is kept; %d nodes use %.0f %% of their capacity"
                    .formatted(now.nodes(), now.busy() * PERCENT)
                + worst.map(one -> by(one.foretold())).orElse(""),
            worst.map(Fewer::micros).orElse(0L),
            worst.map(one -> Math.round(one.micros() * one.foretold().times())).orElse(0L)));
  }

  private static boolean isTrusted(Situation now, List<Fewer> all, TableTrust trust) {
    // What is under way of applications without objectives is not known, and how many they do is.
    double known = now.perSecond() / Math.max(1, now.perSecondOfAll());
    double closedPart = InFlight.of(now).closedPart() * known;
    return !all.isEmpty()
        && all.stream()
            .map(one -> one.foretold().slower())
            .allMatch(slower -> slower.isPresent() && trust.is(closedPart, slower.getAsDouble()));
  }

  /**
   * A response time, and what it becomes with one node fewer.
   *
   * @param part of what it may take then: 1 is all of it
   */
  private record Fewer(String application, long micros, Foretold foretold, double part) {}

  /** Each response time that is promised, as applications may go by tables of their own. */
  private static List<Fewer> fewer(Situation now) {
    List<Fewer> all = new ArrayList<>();
    for (Served one : now.objectives()) {
      Optional<ServiceFigures> figures = one.figures().filter(_ -> one.isGuaranteed());
      if (figures.isPresent()) {
        for (ResponseTarget target : one.objective().targets()) {
          Foretold foretold =
              NodeChange.of(
                  now, one.objective(), figures.get(), target.statistic(), now.nodes() - 1);
          all.add(
              new Fewer(
                  one.objective().application(),
                  figures.get().micros(target.statistic()),
                  foretold,
                  ServiceVerdict.part(target, figures.get()) * foretold.times()));
        }
      }
    }
    return all;
  }

  private record Tight(String application, long micros, double part) {}

  /** The guaranteed objective that has least to spare, of those that have any load. */
  private static Optional<Tight> tightest(Situation now) {
    return now.objectives().stream()
        .filter(Served::isGuaranteed)
        .flatMap(
            one ->
                one
                    .figures()
                    .flatMap(
                        figures ->
                            ServiceVerdict.tightest(one.objective(), figures)
                                .map(
                                    target ->
                                        new Tight(
                                            one.objective().application(),
                                            figures.micros(target.statistic()),
                                            ServiceVerdict.part(target, figures))))
                    .stream())
        .max(Comparator.comparingDouble(Tight::part));
  }

  /**
   * What the tightest response time becomes, in microseconds, 0 if there is none; absent if that
   * would be too near to what is allowed.
   *
   * @param busy how much of its capacity a node uses now
   * @param then how much it will
   */
  private static Optional<Long> predicted(Situation now, double busy, double then) {
    Optional<Tight> tight = tightest(now);
    if (tight.isEmpty()) {
      return Optional.of(0L);
    }
    double factor = LoadModel.response(1, busy, then);
    return tight.get().part() * factor <= MARGIN
        ? Optional.of(Math.round(tight.get().micros() * factor))
        : Optional.empty();
  }
}
