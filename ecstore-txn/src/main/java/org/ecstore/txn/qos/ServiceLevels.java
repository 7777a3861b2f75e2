package org.ecstore.txn.qos;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.metrics.NodeMetrics;
import org.ecstore.core.metrics.TaggedInstrument;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.NodeHistoryLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.message.TxnMessage.QuotaReport;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.qos.control.ControlledCluster;
import org.ecstore.txn.qos.control.Controller;
import org.ecstore.txn.qos.control.book.ControlText;
import org.ecstore.txn.qos.measured.TableKeeper;
import org.ecstore.txn.qos.monitor.NodeHistory;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.qos.objective.ObjectiveText;
import org.ecstore.txn.qos.quota.QuotaKeeper;
import org.ecstore.txn.steward.decision.Decisions;
import org.jspecify.annotations.Nullable;

/**
 * Keeps service levels, beside the steward of a node: what applications are promised, the tables
 * and the controller that see to it, and quotas. It tells each of them what the others have to know
 * of it, and takes what nodes and operators tell them.
 */
public class ServiceLevels {
  /**
   * What the steward lends it.
   *
   * @param leads whether this node leads
   * @param cluster what the steward knows of the cluster, and does there
   * @param ranges that there are; absent while they are not known here
   * @param decisions where it is said what was decided
   */
  public record Surroundings(
      NodeContext context,
      BooleanSupplier leads,
      long retryNanos,
      ControlledCluster cluster,
      Supplier<Optional<RangeMap>> ranges,
      Decisions decisions) {}

  /** Makes it of what the steward lends. */
  @FunctionalInterface
  public interface Factory {
    ServiceLevels of(Surroundings surroundings);
  }

  private final Surroundings surroundings;
  private final ControlTiming timing;
  private final Provisioner provisioner;
  private final TaggedInstrument<ServiceVerdict> verdicts;
  private final NodeHistory nodes;
  private @Nullable ObjectiveKeeper objectives;
  private @Nullable Controller controller;
  private @Nullable QuotaKeeper quotas;

  /**
   * None are known yet.
   *
   * @param timing when it looks, and acts
   * @param provisioner what starts and stops nodes
   */
  public ServiceLevels(Surroundings surroundings, ControlTiming timing, Provisioner provisioner) {
    this.surroundings = surroundings;
    this.timing = timing;
    this.provisioner = provisioner;
    this.nodes = new NodeHistory(surroundings.context()::nanos, timing.checkNanos());
    this.verdicts =
        new TaggedInstrument<>(
            surroundings.context().metrics(), NodeMetrics.OBJECTIVES, ServiceVerdict.class);
  }

  private ObjectiveKeeper objectives() {
    ObjectiveKeeper made = objectives;
    if (made == null) {
      made = newKeeper(surroundings);
      objectives = made;
      made.nodes(this::nodeLines);
    }
    return made;
  }

  private List<NodeHistoryLine> nodeLines() {
    return nodes.lines(surroundings.cluster().members().stream().map(Member::node).toList());
  }

  /** Who keeps what applications are promised: nothing yet. */
  @RuleSeam(15)
  protected ObjectiveKeeper newKeeper(Surroundings with) {
    return new ObjectiveKeeper(
        with.context(), with.leads(), with.retryNanos(), timing.checkNanos(), with.decisions());
  }

  private Controller controller() {
    Controller made = controller;
    if (made == null) {
      made = newController(surroundings, objectives());
      controller = made;
      objectives().acceptance(made::answer);
    }
    return made;
  }

  /** Who sees that what applications are promised is kept: nothing done yet. */
  @RuleSeam(15)
  protected Controller newController(Surroundings with, ObjectiveKeeper promised) {
    return new Controller(
        with.context(),
        with.leads(),
        timing,
        with.retryNanos(),
        with.cluster(),
        promised,
        provisioner,
        with.decisions());
  }

  private QuotaKeeper quotas() {
    QuotaKeeper made = quotas;
    if (made == null) {
      made = newQuotaKeeper(surroundings, objectives());
      quotas = made;
      objectives().quotas(made::lines);
    }
    return made;
  }

  /** Who sees that applications hold no more than they may: nothing known yet. */
  @RuleSeam(decisions = 80)
  protected QuotaKeeper newQuotaKeeper(Surroundings with, ObjectiveKeeper promised) {
    return new QuotaKeeper(
        with.context(),
        with.leads(),
        with.ranges(),
        with.cluster()::members,
        promised,
        with.decisions());
  }

  // --- what happens

  /** This node has come to lead: what was asked and told before is over. */
  public void start() {
    objectives().start();
    controller().start();
    quotas().start();
    nodes.clear();
  }

  /** Looks if it is time to; called at intervals. */
  public void tick() {
    controller().tick();
    objectives().tick();
    quotas().tick();
    for (ServiceVerdict verdict : ServiceVerdict.values()) {
      verdicts.of(verdict).record(controller().found(verdict));
    }
  }

  /** Members have come or gone: who has just come knows of no quotas and no limits yet. */
  public void membersChanged() {
    quotas().tick();
    controller().membersChanged();
  }

  /** Coordination says that the value under a key is another; it may be none of these. */
  public void changed(String key) {
    if (key.equals(ObjectiveKeeper.KEY)) {
      objectives().changed();
    } else if (key.equals(Controller.KEY)) {
      controller().changed();
    } else if (key.equals(TableKeeper.KEY)) {
      controller().tables().changed();
    }
  }

  /** A node is there, perhaps as another process than before. */
  public void heard(NodeId node, long incarnation) {
    quotas().heard(node, incarnation);
    controller().heard(node, incarnation);
  }

  /** A node says what it has to do. */
  public void told(NodeId from, NodeLoadNews news) {
    controller().told(from, news);
    if (surroundings.leads().getAsBoolean()) {
      nodes.take(from, news.load());
    }
  }

  /** A node says what its ranges hold of applications. */
  public void told(NodeId from, QuotaReport report) {
    quotas().told(from, report);
  }

  /** What clients had of the cluster. */
  public void served(List<ApplicationSample> samples) {
    objectives().served(samples);
  }

  // --- what operators ask

  /** Takes a request, with an id or 0; the number of the decision about it. */
  public long add(AdminRequest.OfObjectives request, long id) {
    return objectives().add(request, id);
  }

  /** As above. */
  public long add(AdminRequest.OfControl request, long id) {
    return controller().add(request, id);
  }

  /** As above. */
  public long add(AdminRequest.OfTables request, long id) {
    return controller().tables().add(request, id);
  }

  /** What is wanted, in words. */
  public static String words(AdminRequest.OfObjectives request) {
    return ObjectiveText.of(request);
  }

  /** As above. */
  public static String words(AdminRequest.OfControl request) {
    return ControlText.of(request);
  }

  /** As above. */
  public static String words(AdminRequest.OfTables request) {
    return TableKeeper.words(request);
  }

  /** What applications are promised and have; absent while that is not known here. */
  public Optional<Objectives> objectiveLines() {
    return objectives().objectives();
  }

  /** What the controller may do, does and has done; absent while that is not known here. */
  public Optional<Control> controlLines() {
    return controller().control();
  }

  /** By which tables it goes; absent while that is not known here. */
  public Optional<Tables> tableLines() {
    return controller().tableLines();
  }

  /** A table that is kept, or that there is none of that name; absent while that is not known. */
  public Optional<WholeTable> wholeTable(String name) {
    return controller().tables().whole(name);
  }
}
