package org.ecstore.bench.control;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.ecstore.bench.qos.MeasuredSubject;
import org.ecstore.bench.validate.MeasuredSource;
import org.ecstore.cluster.layout.NodeClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.plan.PlanJson;
import org.ecstore.tools.plan.PlanText;
import org.ecstore.tools.plan.TablePlan;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.plan.Demand;
import org.ecstore.txn.qos.plan.PlanOutcome.NoPlan;
import org.ecstore.txn.qos.plan.PlanOutcome.NodePlan;
import org.ecstore.txn.qos.predict.Forecast;

/**
 * What a performance table says of a run before it begins: so many clients that wait for an answer
 * before they ask again have a mean response time at or below a target, on so many nodes.
 *
 * @param source the table, and how it was measured
 * @param plan what it says to the clients of the calm phase
 * @param found the same: the nodes that the cluster begins with
 * @param doubled what it says to those of the doubled phase
 * @param settle how long the cluster may take to become steady before
 */
public record RunPlan(
    MeasuredSource source, TablePlan plan, NodePlan found, TablePlan doubled, Duration settle) {
  private static final double MILLIS = 1e3;

  /**
   * Makes it as {@code qos plan} does.
   *
   * @param clients of the calm phase
   * @param millisMax what their mean response time may be
   * @throws BadInputException if no number of nodes of the table will do; says what would fit
   */
  public static RunPlan of(MeasuredSource source, int clients, double millisMax, Duration settle) {
    Forecast forecast = new Forecast(source.table(), Statistic.MEAN, Forecast.Way.BETTER);
    TablePlan plan = plan(source, forecast, clients, millisMax);
    return switch (plan.outcome()) {
      case NodePlan found -> {
        int twice = new QosPhase.Waiting(clients).times(QosRunSettings.DOUBLED).clients();
        yield new RunPlan(source, plan, found, plan(source, forecast, twice, millisMax), settle);
      }
      case NoPlan _ -> throw new BadInputException(PlanText.sentence(plan));
    };
  }

  private static TablePlan plan(
      MeasuredSource source, Forecast forecast, int clients, double millisMax) {
    return TablePlan.of(
        source.file().toString(),
        forecast,
        new Demand(new Demand.Clients(clients), Statistic.MEAN, millisMax));
  }

  /** What {@code qos plan} prints. */
  public List<String> lines() {
    return PlanText.lines(plan, List.of());
  }

  /** What {@code qos plan --json} prints of a plan of the table. */
  static ObjectNode json(TablePlan of) {
    ObjectNode json = PlanJson.of(of, List.of());
    json.remove("alternatives");
    return json;
  }

  /** That the cluster begins with. */
  public int nodes() {
    return found.nodes();
  }

  /** What the mean response time may be. */
  public double targetMillis() {
    return plan.demand().millisMax();
  }

  /** The most nodes that the table says anything of, and one more than planned at least. */
  public int nodesMaxUsual() {
    return Math.max(source.table().servers().last(), nodes() + 1);
  }

  /** What machines the nodes stand for: those of the table, at its price. */
  public NodeClass nodeClass() {
    NodeClass measured = source.subject().nodeClass();
    return new NodeClass(measured.name(), price(source), measured.capacity());
  }

  /** What an hour of a node costs by a table; absent if it does not say. */
  public static Optional<BigDecimal> price(MeasuredSource source) {
    return source.table().subject().nodePrice().stream()
        .mapToObj(price -> BigDecimal.valueOf(price).stripTrailingZeros())
        .map(price -> new BigDecimal(price.toPlainString()))
        .findFirst();
  }

  /** What the cluster is: as the table's, but for its nodes and copies. */
  MeasuredSubject subject(int copies) {
    return source.subject().on(nodeClass(), nodes(), copies);
  }

  /** The clients under which the cluster becomes steady: as before the cells of the table. */
  int settleClients() {
    return source.table().clients().last();
  }

  /** How long a run of those is, with what is not counted. */
  Duration settleWindow() {
    MeasuredSubject subject = source.subject();
    return Duration.ofMillis(Math.round(MILLIS * (subject.warmUpSeconds() + subject.seconds())));
  }

  /**
   * How many nodes more the table asks for in the doubled phase, of those that there may be; empty
   * if it has no plan for that.
   */
  OptionalInt moreNodes(int nodesMax) {
    return switch (doubled.outcome()) {
      case NodePlan then -> OptionalInt.of(Math.max(0, Math.min(then.nodes(), nodesMax) - nodes()));
      case NoPlan _ -> OptionalInt.empty();
    };
  }

  /** For people: {@code 2 nodes}. */
  static String counted(int nodes) {
    return nodes + (nodes == 1 ? " node" : " nodes");
  }

  /**
   * What the table foretells of the doubled phase, in a sentence.
   *
   * @param nodesMax that there may be
   */
  public String doubledWords(int nodesMax) {
    return switch (doubled.outcome()) {
      case NodePlan then when then.nodes() <= nodes() ->
          "by the table %s will do for twice the clients too: the controller may have nothing to do"
              .formatted(counted(nodes()));
      case NodePlan then when then.nodes() > nodesMax ->
          "by the table twice the clients need %d nodes, more than the %d of --nodes-max: the objective may not be kept again"
              .formatted(then.nodes(), nodesMax);
      case NodePlan then ->
          "by the table twice the clients need %d nodes, with %s ms"
              .formatted(then.nodes(), QosText.number(then.prediction().millis()));
      case NoPlan none ->
          "by the table there is no plan for twice the clients, as %s: the objective may not be kept again"
              .formatted(none.why());
    };
  }
}
