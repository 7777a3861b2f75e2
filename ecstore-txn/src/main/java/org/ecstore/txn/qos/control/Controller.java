package org.ecstore.txn.qos.control;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Provisioner;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.Control;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.qos.book.BookRequests;
import org.ecstore.txn.qos.book.BookStep;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlBookForm;
import org.ecstore.txn.qos.control.book.ControlPast.Helpless;
import org.ecstore.txn.qos.control.book.ControlPatience;
import org.ecstore.txn.qos.control.book.ControlText;
import org.ecstore.txn.qos.measured.TableKeeper;
import org.ecstore.txn.qos.objective.ObjectiveBook;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.ecstore.txn.qos.objective.ObjectiveKeeper;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Answer;
import org.ecstore.txn.qos.objective.ObjectiveKeeper.Acceptance.Verdict;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the promises to applications, on the node that leads (decision 0077). It looks at intervals
 * whether they are kept, and does one thing at a time: written down first, then done, then
 * measured. What it has written down its successor goes on with; the standbys of the sequencer are
 * the shadow of the paper. Paper: Cassandra QoS, §IV.
 */
public class Controller {
  /** Where what is done is kept in coordination. */
  public static final String KEY = "control";

  private static final String UNREADABLE = "what the controller has done cannot be read";
  private static final int WAITING_MAX = 64;

  /** A clock that has gone on for so many intervals at once, or back, has jumped. */
  private static final int JUMP = 3;

  /** Of what is under way, so much waits for answers where a table is trusted with busy nodes. */
  private static final double CLOSED_MIN = 0.9;

  /** Operations that take so many times as long as in a table are not alone on the nodes. */
  private static final double SLOWER_MAX = 2;

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final ControlTiming timing;
  private final ControlledCluster cluster;
  private final ObjectiveKeeper objectives;
  private final Provisioner provisioner;
  private final Decisions decisions;
  private final BookRequests<AdminRequest.OfControl, ControlBook> requests;
  private final KeptBook<ControlBook> kept;
  private final CheckWindow window;
  private final LimitShares shares;
  private final ClusterOutlook outlook;
  private final ActionDecisions said;
  private final ActionDriver driver;
  private final long retryNanos;

  private @Nullable TableKeeper tables;
  private long lastNanos;
  private boolean looked;
  private boolean awake;
  private boolean recalled;

  /**
   * One that does nothing yet.
   *
   * @param leads whether this node leads
   * @param decisions where it says what it does
   */
  public Controller(
      NodeContext context,
      BooleanSupplier leads,
      ControlTiming timing,
      long retryNanos,
      ControlledCluster cluster,
      ObjectiveKeeper objectives,
      Provisioner provisioner,
      Decisions decisions) {
    this.context = context;
    this.leads = leads;
    this.timing = timing;
    this.cluster = cluster;
    this.objectives = objectives;
    this.provisioner = provisioner;
    this.decisions = decisions;
    this.retryNanos = retryNanos;
    this.window = new CheckWindow(timing.window());
    this.shares = new LimitShares(context, timing.checkNanos());
    this.outlook = new ClusterOutlook(cluster, objectives, provisioner, shares, timing);
    this.said = new ActionDecisions(context, decisions);
    this.requests =
        new BookRequests<>(
            context,
            KEY,
            new ControlBookForm(),
            leads,
            retryNanos,
            decisions,
            WAITING_MAX,
            new BookRequests.Damage(UNREADABLE + ", and is kept", UNREADABLE + " by this release"),
            new Requested());
    this.kept = requests.book();
    this.driver =
        new ActionDriver(
            context,
            timing,
            new ActionDriver.Sight(cluster, objectives, outlook, window),
            provisioner,
            decisions,
            said,
            new Driving());
  }

  /** This node has come to lead: what was seen before it counts no more. */
  public void start() {
    requests.clear();
    said.clear();
    outlook.forget();
    shares.clear();
    window.forget();
    looked = false;
    driver.forget();
    awake = false;
    recalled = false;
    kept.forget();
    tables().start();
  }

  /** Reads what there is, as soon as an application has an objective, or an operator asks. */
  private void wake() {
    if (!awake && leads.getAsBoolean()) {
      awake = true;
      kept.start();
      tables().wake();
    }
  }

  /** Coordination says that the value is another. */
  public void changed() {
    if (awake) {
      kept.changed();
    }
  }

  /** The performance tables that it goes by. */
  public TableKeeper tables() {
    TableKeeper made = tables;
    if (made == null) {
      made = newTables(context, leads, cluster, decisions);
      tables = made;
    }
    return made;
  }

  /** A keeper of no tables yet. */
  @RuleSeam(15)
  protected TableKeeper newTables(
      NodeContext of, BooleanSupplier leading, ControlledCluster nodes, Decisions decided) {
    return new TableKeeper(of, leading, retryNanos, nodes::members, decided);
  }

  /** A node is there, and may be another process than before: that one knows of no limits yet. */
  public void heard(NodeId node, long incarnation) {
    if (leads.getAsBoolean() && shares.isAnother(node, incarnation) && outlook.isThere(node)) {
      shares.heard(node, incarnation);
      tellNews();
    }
  }

  /** Members have come or gone: who has just come knows of no limits yet. */
  public void membersChanged() {
    tellNews();
  }

  /** Tells nodes at once what any of them does not know; all else waits for the next check. */
  private void tellNews() {
    Optional<ObjectiveBook> promised = objectives.book().filter(book -> !book.changes().isEmpty());
    Optional<ControlBook> known = kept.book();
    if (promised.isPresent()
        && known.isPresent()
        && shares.isNews(kept.version(), change(promised.get()), cluster.members())) {
      tell(known.get().weighed(LimitShares.weights(promised.get().promises())), promised.get());
    }
  }

  private void tell(ControlBook book, ObjectiveBook promised) {
    shares.tell(
        kept.version(),
        change(promised),
        limits(book, promised.promises()),
        hotThreshold(book),
        cluster.members());
  }

  private static long change(ObjectiveBook promised) {
    return promised.changes().getLast().number();
  }

  /** A node says what it has to do. */
  public void told(NodeId from, NodeLoadNews news) {
    if (leads.getAsBoolean()) {
      outlook.told(from, news.load());
      shares.counted(from, news.counts());
    }
  }

  /** What it may do, does and has done; absent while that is not known here. */
  public Optional<Control> control() {
    wake();
    return kept.book().map(this::control);
  }

  private Control control(ControlBook book) {
    return new Control(
        context.self(),
        book.settings(),
        outlook.provisionerWords(),
        outlook.lines(),
        window.lines(),
        limits(book, standing()),
        book.actions(),
        quietWindows(book),
        OptionalLong.of(hotThreshold(book)));
  }

  /** How many objectives the last check has found so, if this node leads; else 0. */
  public int found(ServiceVerdict verdict) {
    return leads.getAsBoolean() ? window.found(verdict) : 0;
  }

  /** By which tables it goes; absent while that is not known here. */
  public Optional<Tables> tableLines() {
    Optional<ObjectiveBook> promised = objectives.book();
    return tables()
        .lines()
        .map(
            lines ->
                TableLines.of(
                    context.self(),
                    lines,
                    tables().consulted(),
                    promised.map(outlook::served).orElse(List.of())));
  }

  private List<Promise> standing() {
    return objectives.book().map(ObjectiveBook::promises).orElse(List.of());
  }

  // --- requests of operators

  /** Takes a request, with an id or 0; the number of the decision about it. */
  public long add(AdminRequest.OfControl request, long id) {
    return requests.add(request, id, ControlText.of(request), Optional.empty());
  }

  private BookStep<ControlBook> step(ControlBook book, AdminRequest.OfControl request) {
    return switch (request) {
      case AdminRequest.SetControl(var settings) -> set(book, settings);
      case AdminRequest.ChangeControl(var change) -> set(book, change.of(book.settings()));
      case AdminRequest.AnswerAction(var number, var isApproved) ->
          book.proposed(number)
              .map(action -> answer(book, action, isApproved))
              .orElseGet(() -> late(book, number, isApproved));
    };
  }

  private static BookStep<ControlBook> set(ControlBook book, ControlSettings settings) {
    Optional<String> refusal = book.refusal(settings);
    if (refusal.isPresent()) {
      return BookStep.refused(refusal.get());
    }
    return settings.equals(book.settings())
        ? BookStep.asItWas()
        : BookStep.kept(book.with(settings));
  }

  /** The answer to an action that does not wait for one. */
  private static BookStep<ControlBook> late(ControlBook book, long number, boolean isApproved) {
    boolean isDone =
        book.actions().stream()
            .anyMatch(
                one ->
                    one.number() == number
                        && (one.stage() != ActionStage.WITHDRAWN) == isApproved
                        && one.stage() != ActionStage.PROPOSED);
    return isDone
        ? BookStep.asItWas()
        : BookStep.refused("no action %d waits for an answer: see qos status".formatted(number));
  }

  private BookStep<ControlBook> answer(ControlBook book, ControlAction action, boolean isApproved) {
    boolean isToCome = isApproved && action.kind() == ActionKind.ADD_NODE;
    if (isToCome && !cluster.isKnown()) {
      // Nodes that are down and may return are not known either, and count for the bounds.
      return new BookStep.NotYet<>(ClusterOutlook.MAP_UNKNOWN);
    }
    Optional<String> obstacle =
        action.node().filter(_ -> isToCome).flatMap(node -> obstacle(book, node));
    ControlAction answered =
        isApproved && obstacle.isEmpty()
            ? action.at(ActionStage.UNDER_WAY, "approved")
            : action.at(ActionStage.WITHDRAWN, obstacle.orElse("an operator has rejected it"));
    return new BookStep.Changed<>(
        moved(book, answered),
        () -> hasMoved(answered),
        obstacle.isEmpty() ? Outcome.DONE : Outcome.REFUSED,
        obstacle.isEmpty() ? BookStep.TAKEN : answered.detail());
  }

  /** Why a node that was proposed may not come any more. */
  private Optional<String> obstacle(ControlBook book, NodeId node) {
    return cluster.last().filter(last -> last.value() >= node.value()).isPresent()
        ? Optional.of("another node has come as " + node + " meanwhile")
        : outlook.whyNoNode(book);
  }

  private final class Requested
      implements BookRequests.Keeper<AdminRequest.OfControl, ControlBook> {
    @Override
    public void awaited() {
      wake();
    }

    /** What it may do is as it was said last, and an answered action says so itself. */
    @Override
    public boolean isDone(ControlBook book, long id) {
      return false;
    }

    @Override
    public BookStep<ControlBook> step(ControlBook book, AdminRequest.OfControl request, long id) {
      return Controller.this.step(book, request);
    }

    @Override
    public boolean isTaken(CoordinationResult result) {
      return result instanceof CoordinationResult.Swapped;
    }
  }

  // --- checks

  /** Looks if it is time to, and takes the next step; called at intervals. */
  public void tick() {
    requests.lookAgain();
    Optional<ObjectiveBook> promised = objectives.book();
    if (promised.isEmpty() || promised.get().changes().isEmpty()) {
      return;
    }
    wake();
    recall();
    long now = context.nanos();
    long since = now - lastNanos;
    if (looked && since >= 0 && since < timing.checkNanos()) {
      tellNews();
      return;
    }
    boolean jumped = looked && (since < 0 || since > JUMP * timing.checkNanos());
    if (jumped) {
      window.clear();
      // What is under way has all its time from now on: how much has passed is not known.
      driver.beginAnew();
    }
    looked = true;
    lastNanos = now;
    check(promised.get());
  }

  /** What was done before this node led is said as soon as it is known. */
  private void recall() {
    Optional<ControlBook> known = kept.book();
    if (!recalled && known.isPresent()) {
      recalled = true;
      said.recall(known.get());
    }
  }

  private void check(ObjectiveBook promised) {
    outlook.keepOnlyMembers();
    if (promised.promises().isEmpty()) {
      // Nodes say no more what they have to do: what they said last is over.
      outlook.clear();
      shares.forgetCounts();
    }
    Optional<ControlBook> known = kept.book();
    if (known.isEmpty()) {
      return;
    }
    ControlBook book = known.get().weighed(LimitShares.weights(promised.promises()));
    tell(book, promised);
    window.add(verdicts(promised));
    if (cluster.isKnown()) {
      cluster.turnAway(unwanted(book));
    }
    if (!kept.isReady()) {
      return;
    }
    if (!book.equals(known.get())) {
      kept.swap(book, () -> {});
      return;
    }
    Optional<ControlAction> current = book.current().filter(this::goesOn);
    if (current.isPresent()) {
      driver.drive(book, current.get());
    } else if (!forgetLost(book, promised)) {
      consider(book, promised);
      prove(book);
    }
  }

  /** Whether an action that is not over is gone on with, also one of a predecessor. */
  @RuleSeam(15)
  protected boolean goesOn(ControlAction action) {
    return true;
  }

  /**
   * Nodes that have nothing and are to get nothing: those that are being taken away, and those that
   * have not come in time, which the provisioner was told to take away.
   */
  private Set<NodeId> unwanted(ControlBook book) {
    Set<NodeId> nodes = new TreeSet<>();
    for (ControlAction action : book.actions()) {
      boolean isToGo =
          (action.kind() == ActionKind.REMOVE_NODE && action.stage() == ActionStage.UNDER_WAY)
              || (action.kind() == ActionKind.ADD_NODE && action.stage() == ActionStage.FAILED);
      action
          .node()
          .filter(_ -> isToGo)
          .filter(node -> book.added().contains(node) && hasNothing(cluster, node))
          .ifPresent(nodes::add);
    }
    return nodes;
  }

  private Map<Objective, ServiceVerdict> verdicts(ObjectiveBook promised) {
    Map<Objective, ServiceVerdict> verdicts = new LinkedHashMap<>();
    for (Promise promise : promised.promises()) {
      Objective objective = promise.objective();
      verdicts.put(objective, ServiceVerdict.of(objective, objectives.history().latest(objective)));
    }
    return verdicts;
  }

  /**
   * Limits of applications that are not of best effort any more, and nodes that never came where
   * these are so many that no other could be asked for.
   */
  private boolean forgetLost(ControlBook book, ObjectiveBook promised) {
    List<String> lost =
        book.caps().stream()
            .map(ControlBook.Cap::application)
            .filter(
                application ->
                    promised
                        .of(application)
                        .filter(
                            promise ->
                                promise.objective().serviceClass() == ServiceClass.BEST_EFFORT)
                        .isEmpty())
            .toList();
    ControlBook left = book.withoutCaps(lost);
    if (book.added().size() >= ControlBook.ADDED_MAX) {
      for (NodeId node : book.added()) {
        left = outlook.isThere(node) || cluster.hasAnything(node) ? left : left.without(node);
      }
    }
    if (left.equals(book)) {
      return false;
    }
    kept.swap(left, () -> {});
    return true;
  }

  private void consider(ControlBook book, ObjectiveBook promised) {
    ControlMode mode = book.settings().mode();
    if (mode == ControlMode.FREEZE || !tables().isKnown()) {
      return;
    }
    Situation now = situation(book, promised);
    List<Objective> violated = window.violated();
    Optional<Remedy> useless =
        outlook
            .useless(book, node -> hasNothing(cluster, node))
            .map(node -> Remedies.dismiss(now, node, outlook.isThere(node)));
    // What the provisioner does not take away keeps nothing else from being taken back.
    Optional<Remedy> back =
        window.isCalm()
            ? useless
                .filter(remedy -> remedy.node().filter(book::hasFailedToGo).isEmpty())
                .or(() -> Remedies.back(now, this::isTrusted))
                .or(() -> useless)
            : Optional.empty();
    window.couldSpare(back.isPresent());
    Optional<Remedy> remedy =
        violated.isEmpty()
            ? back.filter(_ -> window.canSpare(quietWindows(book)))
            : first(now, violated).or(() -> useless);
    if (remedy.isPresent()) {
      propose(book, remedy.get());
    } else if (!violated.isEmpty()) {
      helpless(book, violated.getFirst(), now);
    }
  }

  /**
   * What is done first: for the one that is violated most often, or where nothing helps that one
   * for the next. One that nothing helps keeps no other from being helped.
   */
  private Optional<Remedy> first(Situation now, List<Objective> violated) {
    return violated.stream()
        .flatMap(objective -> Remedies.against(now, objective, seen(objective)).stream())
        .findFirst();
  }

  private Situation situation(ControlBook book, ObjectiveBook promised) {
    return outlook.situation(
        book,
        promised,
        limits(book, promised.promises()),
        mayShrink(cluster) && window.isHeard(),
        tables().consulted());
  }

  /** What applications may have of all nodes together: those of best effort by their weights. */
  @RuleSeam(decisions = 88)
  protected List<ServiceLimit> limits(ControlBook book, List<Promise> promises) {
    return LimitShares.of(book, promises);
  }

  /**
   * From how many reads a second of a copy on nodes are told to make hot-spot replicas; 0 if that
   * is as they are configured.
   */
  @RuleSeam(value = 25, decisions = 90)
  protected long hotThreshold(ControlBook book) {
    return book.hotThreshold().perSecond();
  }

  /**
   * Whether one node fewer may make the others as busy as a table foretells that clients will bear:
   * of clients that wait for answers, and where nothing seems to be on the nodes that the table did
   * not have.
   *
   * @param closedPart of what is under way, the part that waits before it asks again
   * @param slower so many times as long as in the table operations take now
   */
  @RuleSeam(decisions = 99)
  protected boolean isTrusted(double closedPart, double slower) {
    return closedPart >= CLOSED_MIN && slower <= SLOWER_MAX;
  }

  /** For how many windows something must be able to go until it is taken back. */
  @RuleSeam(decisions = 77)
  protected int quietWindows(ControlBook book) {
    return book.patience().windows();
  }

  /**
   * That what was taken back is not needed is written down window by window, as long as something
   * may follow from it: who leads next goes on counting.
   */
  private void prove(ControlBook book) {
    ControlBook proven = book.notNeeded(proofWindows());
    if (window.isQuiet() && kept.isReady() && !proven.equals(book)) {
      // Before it is known whether it is written down: no window is counted twice.
      window.countQuietAnew();
      kept.swap(proven, () -> {});
    }
  }

  /** For how many windows what was taken back must not be needed, so that the next goes sooner. */
  @RuleSeam(decisions = 102)
  protected int proofWindows() {
    return ControlPatience.PROOF;
  }

  private String seen(Objective objective) {
    return "%s violated in %d of %d checks"
        .formatted(
            objective.application(), window.violated(objective.application()), timing.window());
  }

  private void helpless(ControlBook book, Objective violated, Situation now) {
    Helpless helpless =
        new Helpless(
            violated.application(),
            context.epochMillis(),
            seen(violated),
            "nothing that may be done is predicted to help: "
                + outlook
                    .whyNoNode(book)
                    .orElse(
                        "neither limits nor other primaries nor hot-spot replicas nor a node"
                            + " more")
                + Remedies.unlimited(now));
    // What was seen of others counts: the next check looks at these.
    window.clear(violated.application());
    said.say(helpless);
    kept.swap(book.with(helpless), () -> {});
  }

  /** Whether what is asked for can be given beside what stands, and by what that is known. */
  public Answer answer(AdminRequest.OfObjectives request) {
    return request instanceof AdminRequest.SetObjective(var wanted, _)
        ? answer(wanted)
        : Answer.ACCEPTED;
  }

  private Answer answer(Objective wanted) {
    wake();
    ControlBook book = kept.book().orElse(ControlBook.EMPTY);
    Optional<ObjectiveBook> promised = objectives.book();
    if (promised.isEmpty() || book.settings().mode() == ControlMode.FREEZE) {
      return Answer.ACCEPTED;
    }
    Optional<String> unknown =
        isWeighed(wanted, promised.get()) ? unknown(promised.get()) : Optional.empty();
    if (unknown.isPresent()) {
      return new Answer(Verdict.NOT_YET, unknown.get());
    }
    boolean mayGrow = provisioner.isThere() && book.settings().mode() == ControlMode.ACT;
    Situation now = situation(book, promised.get());
    int nodes = mayGrow ? Math.max(now.nodes(), outlook.nodesMax(book)) : now.nodes();
    double all = shares.perSecond();
    double others = now.perSecondOfOthers(wanted, objectives.history().latest(wanted));
    boolean isKnown = GuaranteeCheck.isKnown(now, all, outlook.idle());
    return GuaranteeCheck.refusal(now, wanted, all, others, nodes, outlook.idle())
        .map(why -> new Answer(false, why))
        .or(() -> TableAdmission.answer(now, wanted, others, nodes, isKnown))
        .orElse(Answer.ACCEPTED);
  }

  /**
   * Whether a request is held against what is known. While nothing is promised nodes tell nothing:
   * a rate is accepted then whatever else is known, unless a table is kept, or may be.
   */
  private boolean isWeighed(Objective wanted, ObjectiveBook promised) {
    return wanted.serviceClass() == ServiceClass.GUARANTEED
        && (InFlight.isClosed(wanted)
            || !promised.promises().isEmpty()
            || !tables().isKnown()
            || !tables().consulted().isEmpty());
  }

  /**
   * What is not known yet, and has to be until it is said whether a guarantee can be given, as that
   * stands for good: a leader knows nothing as it begins, and no map while that is being changed.
   */
  @RuleSeam(decisions = 110)
  protected Optional<String> unknown(ObjectiveBook promised) {
    if (kept.book().isEmpty() && !requests.isUnreadable()) {
      return Optional.of("what the controller may do is being read");
    }
    return tables().isKnown()
        ? outlook.unknown(!promised.promises().isEmpty())
        : Optional.of("performance tables are being read");
  }

  /** Whether one node less leaves enough for the copies of each range (rule 22). */
  @RuleSeam(22)
  protected boolean mayShrink(ControlledCluster of) {
    return of.isWhole() && of.places() - 1 >= of.copies();
  }

  /**
   * Whether a node has nothing for certain, so that it may be taken away: while the map is being
   * changed that is not known (rule 22).
   */
  @RuleSeam(22)
  protected boolean hasNothing(ControlledCluster of, NodeId node) {
    return of.isKnown() && !of.hasAnything(node);
  }

  // --- actions

  private void propose(ControlBook book, Remedy remedy) {
    long number = book.nextNumber();
    switch (book.settings().mode()) {
      case FREEZE -> {}
      case OBSERVE -> observe(book, remedy.action(number, ActionStage.WITHDRAWN, "observed only"));
      case ASK -> begin(book, remedy.action(number, ActionStage.PROPOSED, ""));
      case ACT -> begin(book, remedy.action(number, ActionStage.UNDER_WAY, ""));
    }
  }

  /** What would be done is said once, until something else would be. */
  private void observe(ControlBook book, ControlAction action) {
    boolean isSame =
        !book.actions().isEmpty()
            && book.actions().getLast().stage() == ActionStage.WITHDRAWN
            && book.actions().getLast().isLike(action);
    window.clear();
    if (!isSame) {
      begin(book, action);
    }
  }

  private void begin(ControlBook book, ControlAction action) {
    kept.swap(
        noted(book.begun(action, context.epochMillis()), action),
        () -> {
          window.clear();
          said.say(action);
        });
  }

  private void move(ControlBook book, ControlAction next) {
    kept.swap(moved(book, next), () -> hasMoved(next));
  }

  private ControlBook moved(ControlBook book, ControlAction next) {
    return next.stage() == ActionStage.DONE && next.kind() == ActionKind.REMOVE_NODE
        ? book.moved(next).without(next.node().orElseThrow())
        : noted(book.moved(next), next);
  }

  /** With what must be known later of the time when an action was begun. */
  private ControlBook noted(ControlBook book, ControlAction action) {
    boolean isBegun = action.stage() == ActionStage.UNDER_WAY;
    ControlBook weighed = isBegun ? book.weighed(LimitShares.weights(standing())) : book;
    return isBegun && action.kind() == ActionKind.LOWER_THRESHOLD
        ? weighed.uneven(outlook.unevenMilli())
        : weighed;
  }

  private void hasMoved(ControlAction next) {
    said.say(next);
    if (next.stage() != ActionStage.UNDER_WAY && next.stage() != ActionStage.DONE) {
      window.clear();
    }
  }

  /**
   * Tells the provisioner something, once the book was read afresh and is as it was known. A node
   * that does not hear from coordination that another leads goes on with what is under way, and
   * would tell orders again after that one has done with them.
   */
  @RuleSeam(15)
  protected void order(Runnable order) {
    kept.confirm(order);
  }

  /** The node that is ordered for an action: that which is written down, however often. */
  @RuleSeam(15)
  protected NodeId ordered(ControlAction action) {
    return action.node().orElseThrow();
  }

  /** What is driven goes by the seams of this controller, and moves in its book. */
  private final class Driving implements ActionDriver.Hands {
    @Override
    public boolean mayShrink() {
      return Controller.this.mayShrink(cluster);
    }

    @Override
    public boolean hasNothing(NodeId node) {
      return Controller.this.hasNothing(cluster, node);
    }

    @Override
    public void order(Runnable order) {
      Controller.this.order(order);
    }

    @Override
    public NodeId ordered(ControlAction action) {
      return Controller.this.ordered(action);
    }

    @Override
    public void move(ControlBook book, ControlAction next) {
      Controller.this.move(book, next);
    }
  }
}
