package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.bench.qos.TableWorkload;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;

/**
 * What a run is of.
 *
 * @param processors of the machine that all nodes and clients share
 * @param plan by which the nodes were chosen; absent if they were given
 */
public record QosRunSettings(
    Machines machines,
    Store store,
    Promise promise,
    Course course,
    int processors,
    Optional<RunPlan> plan) {
  /** The application that has a guarantee. */
  static final String SHOP = "shop";

  /** The application of best effort that floods the cluster. */
  static final String REPORTS = "reports";

  /** Of what the first nodes do at most, the calm phase has this part. */
  static final double CALM_PART = 0.35;

  /**
   * What is promised is so many times the calm rate: twice the doubled one, as a slot of a few
   * seconds may have the reports of two.
   */
  private static final double PROMISED = 4;

  /** The doubled phase has so many times the load of the calm one. */
  static final double DOUBLED = 2;

  private static final double GONE = 0.1;
  private static final double NANOS_PER_MILLI = 1e6;
  private static final double MILLIS = 1e3;

  /**
   * The nodes.
   *
   * @param nodes at the beginning
   * @param nodesMax that there may be
   * @param nodeClass what machine each stands for, with its capacity
   * @param heapMebibytes of each
   * @param cacheMebibytes of each one's engine, within its heap
   */
  public record Machines(
      int nodes, int nodesMax, NodeClass nodeClass, int heapMebibytes, int cacheMebibytes) {}

  /**
   * What they hold, and what is done with it.
   *
   * @param records that are loaded
   * @param copies of each range
   */
  public record Store(TableWorkload workload, long records, int copies) {}

  /**
   * What the shop is promised, and how that is looked after.
   *
   * @param target what operations may take: the p99, or the mean of a plan
   * @param perSecond for which it is promised; by the rate if absent, and by clients with a plan
   * @param check how often the controller looks; clients report as often
   * @param window checks after which it may act
   * @param acts whether it may act at all
   */
  public record Promise(
      ResponseTarget target, OptionalLong perSecond, Duration check, int window, boolean acts) {}

  /**
   * The load.
   *
   * @param rate of the calm phase, operations a second; 0 to find one by {@code saturation}, or
   *     with a plan
   * @param clients threads of the shop; with a plan those of the calm phase, which wait for an
   *     answer before they ask again
   * @param floodClients of the reports in the second phase, which then is not doubled; 0 for none
   * @param saturation how long the first nodes are driven as hard as they take, before all phases;
   *     zero for not at all
   * @param calm how long the first phase is
   * @param second how long the second one is
   * @param gone how long the last one is
   * @param kills of the node that leads, in the last two phases
   */
  public record Course(
      double rate,
      int clients,
      int floodClients,
      Duration saturation,
      Duration calm,
      Duration second,
      Duration gone,
      int kills) {
    /** Whether one of the last two phases is so long that a node may be killed in it. */
    public boolean hasRoomForKills() {
      return !KillPlan.room(second).isZero() || !KillPlan.room(gone).isZero();
    }
  }

  /** Operations a second for which the shop's response time is promised. */
  long promised(double rate) {
    return promise.perSecond().orElse(Math.max(1, Math.round(Math.ceil(rate * PROMISED))));
  }

  /** For what load the shop's response time is promised, for people. */
  String promisedWords(double rate) {
    return plan.isPresent() ? calm(rate).words() : promised(rate) + "/s";
  }

  private QosPhase.Load calm(double rate) {
    return plan.isPresent()
        ? new QosPhase.Waiting(course.clients())
        : new QosPhase.Rate(rate, course.clients());
  }

  /** The shop's objective. */
  Objective shop(double rate) {
    return new Objective(
        SHOP,
        List.of(),
        ServiceClass.GUARANTEED,
        1,
        List.of(promise.target()),
        plan.map(by -> by.source().subject().stated(course.clients()))
            .orElseGet(() -> ObjectiveWorkload.UNSTATED.with(new OperationRate(promised(rate)))));
  }

  /** That of the application that floods; absent if none does. */
  Optional<Objective> reports() {
    return course.floodClients() == 0
        ? Optional.empty()
        : Optional.of(
            new Objective(
                REPORTS,
                List.of(),
                ServiceClass.BEST_EFFORT,
                1,
                List.of(),
                ObjectiveWorkload.UNSTATED));
  }

  /** What the controller may do. */
  ControlSettings control() {
    return new ControlSettings(
        promise.acts() ? ControlMode.ACT : ControlMode.FREEZE, machines.nodesMax(), 0);
  }

  /** The phases, if the calm one has so many operations a second, or has the clients of a plan. */
  List<QosPhase> phases(double rate) {
    int flood = course.floodClients();
    QosPhase.Load calm = calm(rate);
    return List.of(
        new QosPhase(QosPhase.CALM, course.calm(), calm, 0),
        flood > 0
            ? new QosPhase(QosPhase.FLOODED, course.second(), calm, flood)
            : new QosPhase(QosPhase.DOUBLED, course.second(), calm.times(DOUBLED), 0),
        new QosPhase(QosPhase.GONE, course.gone(), calm.times(GONE), 0));
  }

  /**
   * From which second that counts on a phase has had one window of the controller's checks, in
   * which it cannot have acted; empty if the phase is over by then.
   */
  OptionalInt settledSeconds(QosPhase phase) {
    double window = seconds(promise.check()) * promise.window();
    double counted = phase.seconds() - phase.warmUpSeconds();
    int settled = (int) Math.max(0, Math.ceil(window - phase.warmUpSeconds()));
    return settled < counted ? OptionalInt.of(settled) : OptionalInt.empty();
  }

  /** Whether the second phase goes on when it has had one window of the controller's checks. */
  public boolean isSecondBeyondWindow() {
    return settledSeconds(phases(course.rate()).get(1)).isPresent();
  }

  /** The same, with a controller that may act or is frozen. */
  public QosRunSettings withActs(boolean acts) {
    return new QosRunSettings(
        machines,
        store,
        new Promise(promise.target(), promise.perSecond(), promise.check(), promise.window(), acts),
        course,
        processors,
        plan);
  }

  double targetMillis() {
    return promise.target().atMost().toNanos() / NANOS_PER_MILLI;
  }

  /** Which response time is promised. */
  Statistic statistic() {
    return promise.target().statistic();
  }

  /** Nodes and phases, in some words. */
  public String words() {
    List<String> phases =
        phases(course.rate()).stream()
            .map(
                phase ->
                    "%s %.0f s%s"
                        .formatted(
                            phase.name(),
                            phase.seconds(),
                            plan.isPresent() ? " of " + phase.load().words() : ""))
            .toList();
    return "nodes %d, at most %d, copies %d; %s"
        .formatted(
            machines.nodes(), machines.nodesMax(), store.copies(), String.join(", ", phases));
  }

  /** About how long a run takes, without its cluster being made. */
  public Duration estimate() {
    return plan.map(RunPlan::settle)
        .orElse(course.saturation())
        .plus(course.calm())
        .plus(course.second())
        .plus(course.gone());
  }

  ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("nodes", machines.nodes()).put("nodesMax", machines.nodesMax());
    json.put("class", machines.nodeClass().name());
    json.put(
        "capacity", machines.nodeClass().capacity().map(BigDecimal::toPlainString).orElse("all"));
    machines.nodeClass().pricePerHour().ifPresent(price -> json.put("price", price));
    json.put("heapMebibytes", machines.heapMebibytes());
    json.put("cacheMebibytes", machines.cacheMebibytes());
    json.put("workload", store.workload().name());
    json.put("records", store.records()).put("copies", store.copies());
    json.put(statistic().word() + "Millis", targetMillis());
    json.put("checkSeconds", seconds(promise.check())).put("window", promise.window());
    json.put("mode", control().mode().word());
    json.put("clients", course.clients()).put("floodClients", course.floodClients());
    json.put("saturationSeconds", seconds(course.saturation()));
    plan.ifPresent(by -> json.put("settleSeconds", seconds(by.settle())));
    json.put("calmSeconds", seconds(course.calm()));
    json.put("secondSeconds", seconds(course.second()));
    json.put("goneSeconds", seconds(course.gone()));
    json.put("kills", course.kills()).put("processors", processors);
    return json;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / MILLIS;
  }
}
