package org.ecstore.txn.qos.control;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.txn.qos.control.Situation.Served;

/**
 * Says whether a guarantee can be given beside those that stand. All of them at their stated rates
 * must leave nodes so much to spare that each is predicted to be kept, beside what applications
 * without an objective have: nothing can limit these. Paper: Cassandra QoS, §IV.
 *
 * <p>What an operation takes of nodes is what they use beyond that which they use while no client
 * asks, by the operations that they take. While that is little beside the latter, nothing is known
 * of it (decision 0097).
 */
final class GuaranteeCheck {
  /** How busy nodes may become for an application of which nothing is known yet. */
  private static final double BUSY_MAX = 0.8;

  /** With less to go by nothing is said. */
  private static final double KNOWN_PER_SECOND = 10;

  private static final double KNOWN_BUSY = 0.02;

  /** As above, where nodes are less busy than so many times as much as without a client. */
  private static final double KNOWN_TIMES = 1.5;

  private static final double PERCENT = 100;

  private GuaranteeCheck() {}

  /**
   * Whether it follows from what nodes do what an operation takes of them.
   *
   * @param perSecond operations that nodes take now, of whatever applications
   * @param idle how much of their capacity nodes use while no client asks, as a share of it
   */
  static boolean isKnown(Situation now, double perSecond, double idle) {
    return perSecond >= KNOWN_PER_SECOND
        && now.busy() >= Math.max(KNOWN_BUSY, KNOWN_TIMES * idle)
        && now.nodes() > 0;
  }

  /**
   * Why a guarantee cannot be given, with what would fit; absent if it can, or too little is known.
   *
   * @param perSecond operations that nodes take now, of whatever applications
   * @param others operations a second of them that are of applications without an objective
   * @param nodesMax that there may be
   * @param idle how much of their capacity nodes use while no client asks, as a share of it
   */
  static Optional<String> refusal(
      Situation now, Objective wanted, double perSecond, double others, int nodesMax, double idle) {
    long rate = LimitShares.promised(wanted);
    if (rate == 0 || !isKnown(now, perSecond, idle)) {
      return Optional.empty();
    }
    double nodesPerOperation = (now.busy() - idle) * now.nodes() / perSecond;
    List<Served> all = new ArrayList<>();
    double promised = 0;
    for (Served one : now.objectives()) {
      if (!one.objective().application().equals(wanted.application())) {
        all.add(one);
        promised += LimitShares.promised(one.objective());
      }
    }
    Optional<ServiceFigures> had = now.had(wanted);
    all.add(new Served(wanted, had, 0));
    boolean isMeasured = had.filter(figures -> figures.perSecond() >= rate).isPresent();
    if (isMeasured
        && promised + others + rate <= perSecond
        && all.stream().allMatch(GuaranteeCheck::isKept)) {
      return Optional.empty();
    }
    double most = BUSY_MAX;
    for (Served one : all) {
      if (one.isGuaranteed()) {
        most = Math.min(most, busyMax(one, now.busy()));
      }
    }
    double stays = promised + others;
    double fits = Math.max(0, Math.floor((most - idle) * nodesMax / nodesPerOperation - stays));
    double then = idle + (stays + rate) * nodesPerOperation / nodesMax;
    return rate <= fits
        ? Optional.empty()
        : Optional.of(
            ("%.0f/s are promised to others%s: with this, %d nodes would use %.0f %% of their"
                    + " capacity, and what is promised is kept up to %.0f %%; %s: see qos mode")
                .formatted(
                    promised,
                    unlimited(others, " and "),
                    nodesMax,
                    then * PERCENT,
                    most * PERCENT,
                    whatWouldFit((long) fits)));
  }

  /** Which rate could be promised. */
  static String whatWouldFit(long perSecond) {
    return perSecond == 0
        ? "no rate would fit without more nodes"
        : "a rate of %d/s would fit, or more nodes".formatted(perSecond);
  }

  /**
   * That there is load which stays as it is, in words; empty if there is next to none.
   *
   * @param others operations a second of applications without an objective
   * @param before the words
   */
  static String unlimited(double others, String before) {
    return others < 1
        ? ""
        : "%s%.0f/s are of applications without an objective, which cannot be limited"
            .formatted(before, others);
  }

  /**
   * Whether it is owed nothing, or is known to have what it is promised. Where all have it and
   * nodes do as much as is promised, they can, however busy they are.
   */
  private static boolean isKept(Served served) {
    return !served.isGuaranteed()
        || ServiceVerdict.of(served.objective(), served.figures()) == ServiceVerdict.KEPT;
  }

  /** How busy nodes may be until the tightest response time of an objective is all used up. */
  private static double busyMax(Served served, double busy) {
    Optional<ServiceFigures> figures = served.figures();
    Optional<ResponseTarget> target =
        figures.flatMap(had -> ServiceVerdict.tightest(served.objective(), had));
    return target.isEmpty()
        ? BUSY_MAX
        : Math.max(0, 1 - (1 - busy) * ServiceVerdict.part(target.get(), figures.get()));
  }
}
