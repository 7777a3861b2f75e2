package org.ecstore.tools.cli.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.cluster.config.ConfigText;
import org.ecstore.cluster.process.ClusterEngines;
import org.ecstore.cluster.process.ClusterLook;
import org.ecstore.cluster.process.NodeStatus;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.cluster.process.ProcessClusterException;
import org.ecstore.engines.kind.EngineKinds;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.EngineTraits;
import org.ecstore.replication.placement.CopyChange;
import org.ecstore.replication.placement.CopyChange.Candidate;
import org.ecstore.replication.placement.CopyNeeds;
import org.ecstore.server.print.LogText;
import org.ecstore.tools.settled.Placement;
import org.ecstore.tools.settled.Placement.Site;
import org.ecstore.tools.settled.RestWatch;
import org.ecstore.tools.settled.StewardWork;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Gives nodes of one kind of engine another one, node after node, while everything goes on: a node
 * hands over all it has, ends, gets an empty engine, and joins anew. Where hosts are too few for
 * that it ends without, once all other copies are whole, and its copies are filled anew (decision
 * 0098). Interrupted at any step it goes on where it was when it is asked for again.
 */
final class EngineChange {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
  private static final long LOOK_MILLIS = 500;

  /** Beyond the time after which the steward begins what it waits with. */
  private static final Duration CALM = Duration.ofSeconds(1);

  private final ProcessCluster cluster;
  private final ClusterEngines engines;
  private final Consumer<String> say;
  private final int waitSeconds;
  private final String from;
  private final String to;
  private final Set<Integer> only;
  private final boolean relaxes;

  /** A change of all nodes of a kind; nothing is done yet. */
  EngineChange(
      ProcessCluster cluster, Consumer<String> say, int waitSeconds, String from, String to) {
    this(cluster, say, waitSeconds, from, to, List.of(), false);
  }

  /**
   * A change; nothing is done yet.
   *
   * @param only nodes that are meant; empty for all
   * @param relaxes whether placement is relaxed where the engines would lack what copies need
   * @throws BadInputException if there is no such kind, or it is the same
   */
  EngineChange(
      ProcessCluster cluster,
      Consumer<String> say,
      int waitSeconds,
      String from,
      String to,
      List<Integer> only,
      boolean relaxes) {
    this.cluster = cluster;
    this.engines = cluster.engines();
    this.say = say;
    this.waitSeconds = waitSeconds;
    this.from = named("--from", from);
    this.to = named("--to", to);
    this.only = new TreeSet<>(only);
    this.relaxes = relaxes;
    if (from.equals(to)) {
      throw new BadInputException(
          "--from and --to are both " + to + ": there is nothing to change");
    }
  }

  private static String named(String option, String kind) {
    try {
      return EngineKinds.named(kind).name();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(option + ": " + LogText.of(String.valueOf(e.getMessage())));
    }
  }

  /**
   * The nodes to change, in their order: those of the kind, and those that were interrupted after
   * they got the other one, or on the way from it.
   *
   * @throws BadInputException if it cannot be done; says what to do
   */
  List<Integer> plan() throws IOException, InterruptedException {
    mustBeMeant();
    List<Integer> nodes = new ArrayList<>();
    boolean isAny = false;
    for (int node : cluster.nodes()) {
      String kind = engines.kind(node);
      isAny |= isOfKind(node) || kind.equals(to);
      if (isOfKind(node) && !isAside(node)) {
        mustBeOurs(node);
        nodes.add(node);
      } else if (kind.equals(to) && engines.isChanging(node) && !isUnbegun(node)) {
        nodes.add(node);
      }
    }
    if (!isAny) {
      throw new BadInputException("no node of this cluster is of the kind " + from);
    }
    if (cluster.nodes().size() == 1) {
      throw new BadInputException(
          "there is one node, and no other can hold its data meanwhile: \"cluster add\" first");
    }
    mustLackNothing();
    mustKeep();
    for (int node : nodes) {
      if (!cluster.isDrained(node)) {
        mustBeSpared(node, nodes);
      }
    }
    mustBeChangeable(nodes);
    if (!nodes.isEmpty()) {
      engines.mustHaveProgramsOf(to, say);
    }
    return nodes;
  }

  /** Known before a node is touched: one whose configuration cannot be changed would stay down. */
  private void mustBeChangeable(List<Integer> nodes) throws IOException {
    List<String> why = new ArrayList<>();
    for (int node : nodes) {
      try {
        if (engines.isGone(node) || isOfKind(node)) {
          engines.mustTake(node, to);
        }
      } catch (ProcessClusterException e) {
        why.add(String.valueOf(e.getMessage()));
      }
    }
    if (!why.isEmpty()) {
      throw new BadInputException(String.join("; ", why));
    }
  }

  /** What is named is there, and of the kind, or of the other one already. */
  private void mustBeMeant() throws IOException {
    List<Integer> there = cluster.nodes();
    for (int node : only) {
      if (!there.contains(node)) {
        throw new BadInputException("--only: there is no node " + node);
      }
      String kind = engines.kind(node);
      if (!kind.equals(from) && !kind.equals(to)) {
        throw new BadInputException(
            "--only: node %d is on %s, not on %s".formatted(node, kind, from));
      }
    }
  }

  /**
   * Whether a change was noted of a node that has not begun to hand over: the command was killed in
   * between, or the node was ended before it had handed over. Of a node that runs only the steward
   * knows: as long as it is silent it may have begun.
   */
  private boolean isUnbegun(int node) throws IOException {
    if (!engines.isLeaving(node) || cluster.isDrained(node)) {
      return false;
    }
    return !cluster.isRunning(node)
        || (!saysDrained(node, cluster.look(ANSWER_WITHIN)) && isLeftAlone(node));
  }

  /** Whether the steward says that it does not drain a node. */
  private boolean isLeftAlone(int node) {
    try {
      return !StewardWork.isDraining(cluster::askSteward, node);
    } catch (ProcessClusterException | IOException _) {
      return false;
    }
  }

  /** What was noted and not begun is not found later, when an operator has drained the node. */
  private void forgetUnbegun() throws IOException, InterruptedException {
    for (int node : cluster.nodes()) {
      if (isUnbegun(node)) {
        engines
            .keep(node, say)
            .ifPresent(
                change ->
                    say.accept(
                        "node %d: a change %s was noted and not begun, and is forgotten"
                            .formatted(node, change)));
      }
    }
  }

  private boolean isMeant(int node) {
    return only.isEmpty() || only.contains(node);
  }

  private boolean isOfKind(int node) throws IOException {
    return engines.kind(node).equals(from) && isMeant(node);
  }

  /** Whether a node was drained and ended, and not for a change of its engine. */
  private boolean isAside(int node) throws IOException {
    return cluster.isDrained(node) && !cluster.isRunning(node) && !engines.isChanging(node);
  }

  /** The engines that there would be. */
  private List<EngineTraits> then() throws IOException {
    List<EngineTraits> then = new ArrayList<>();
    for (int node : cluster.nodes()) {
      if (!isAside(node)) {
        then.add(isOfKind(node) ? EngineKinds.named(to).traits() : engine(node));
      }
    }
    return then;
  }

  /** What copies need of the engines that there would be, and the configuration insists on. */
  private List<String> lacking() throws IOException {
    return engines.relaxed() ? List.of() : CopyNeeds.lacking(then());
  }

  private void mustLackNothing() throws IOException {
    List<String> lacking = lacking();
    if (lacking.isEmpty() || relaxes) {
      return;
    }
    List<EngineTraits> then = then();
    List<String> helps =
        EngineKinds.names().stream()
            .filter(
                kind ->
                    CopyNeeds.lacking(
                            Stream.concat(
                                    then.stream(), Stream.of(EngineKinds.named(kind).traits()))
                                .toList())
                        .isEmpty())
            .toList();
    // Without one for primaries the last node that has one could not be spared.
    boolean mayGoWithout = then.stream().anyMatch(one -> CopyNeeds.primaryRank(one) == 0);
    throw new BadInputException(
        ("of the engines that there would be, %s, which copies need: leave some nodes of another"
                + " kind, as %s, by --only%s")
            .formatted(
                String.join(", ", lacking),
                String.join(" or ", helps),
                mayGoWithout ? "; or go without, by --relaxed" : ""));
  }

  /**
   * What the best copies that there could be then would lack of that which keeps data, and do not
   * lack now: engines that together lack nothing may be too few of a kind.
   */
  private Optional<String> fewer() throws IOException {
    List<Candidate> now = new ArrayList<>();
    List<Candidate> then = new ArrayList<>();
    for (int node : cluster.nodes()) {
      if (!isAside(node)) {
        NodeId id = new NodeId(node);
        String host = cluster.host(node);
        now.add(new Candidate(id, host, formerEngine(node)));
        then.add(
            new Candidate(
                id, host, isOfKind(node) ? EngineKinds.named(to).traits() : engine(node)));
      }
    }
    return shortfall(then).worseInKeeping(shortfall(now));
  }

  /** What a node has, or had before a change that goes on. */
  private EngineTraits formerEngine(int node) throws IOException {
    boolean isChanged = engines.kind(node).equals(to) && engines.isChanging(node);
    return isChanged ? EngineKinds.named(from).traits() : engine(node);
  }

  private CopyNeeds.Shortfall shortfall(List<Candidate> sites) throws IOException {
    return CopyChange.of(CopyNeeds.of(cluster.copies()), List.of(), false, sites).shortfall();
  }

  private void mustKeep() throws IOException {
    Optional<String> fewer = fewer();
    if (fewer.isPresent() && !relaxes && !engines.relaxed()) {
      throw new BadInputException(
          ("copies of each range would lack: %s. Leave more nodes as they are, by --only, or"
                  + " \"cluster add\" first; or go without, by --relaxed")
              .formatted(fewer.get()));
    }
  }

  /** While a node is away the others need an engine for primaries, and one that persists. */
  private void mustBeSpared(int node, List<Integer> changed) throws IOException {
    List<EngineTraits> others = new ArrayList<>();
    for (int other : others(node, changed)) {
      boolean isDone = changed.contains(other) && other < node;
      others.add(isDone ? EngineKinds.named(to).traits() : engine(other));
    }
    EngineTraits own = engine(node);
    if (own.persists() && others.stream().noneMatch(EngineTraits::persists)) {
      throw new BadInputException(
          "without node %d no engine is there that persists: \"cluster add\" first"
              .formatted(node));
    }
    if (CopyNeeds.primaryRank(own) == 0
        && others.stream().noneMatch(one -> CopyNeeds.primaryRank(one) == 0)) {
      throw new BadInputException(
          "without node %d no engine is there that is fit for primaries: \"cluster add\" first"
              .formatted(node));
    }
  }

  private EngineTraits engine(int node) throws IOException {
    return EngineKinds.named(engines.kind(node)).traits();
  }

  /**
   * What a node has on a server of the user's is not deleted here, and the way back would not lead
   * there. Of one that was interrupted as it was deleted the server has gone already.
   */
  private void mustBeOurs(int node) throws IOException {
    if (EngineKinds.named(from).hasServer()
        && !cluster.hasDatabase(node)
        && !engines.isGone(node)) {
      throw new BadInputException(
          ("node %d keeps its data on a server of your own, which its engine.url names: change it"
                  + " by hand: drain it, end it, change engine.kind, delete the directory engine"
                  + " within that of the node and what it has on that server, start it")
              .formatted(node));
    }
  }

  /** Who is there when a node's turn comes: with those that were changed before, drained or not. */
  private List<Integer> others(int node, List<Integer> changed) throws IOException {
    List<Integer> others = new ArrayList<>();
    for (int other : cluster.nodes()) {
      boolean isBack = changed.contains(other) && other < node;
      if (other != node && (isBack || !cluster.isDrained(other))) {
        others.add(other);
      }
    }
    return others;
  }

  /** Whether the others have no host for a copy that a node would hand over. */
  private boolean isInPlace(int node, List<Integer> changed) throws IOException {
    Set<String> hosts = new TreeSet<>();
    for (int other : others(node, changed)) {
      hosts.add(cluster.host(other));
    }
    return hosts.size() < cluster.copies();
  }

  private List<Site> sites() throws IOException {
    List<Site> sites = new ArrayList<>();
    for (int node : cluster.undrained()) {
      sites.add(new Site(node, cluster.host(node), engine(node)));
    }
    return sites;
  }

  /** Says what would be done. */
  void preview() throws IOException, InterruptedException {
    List<Integer> nodes = plan();
    if (nodes.isEmpty()) {
      sayWhoIsAside();
      say.accept(nothingToDo());
      return;
    }
    boolean isAnyInPlace = false;
    for (int node : nodes) {
      boolean isInPlace = keepsEngine(node) && !cluster.isDrained(node) && isInPlace(node, nodes);
      isAnyInPlace |= isInPlace;
      say.accept(step(node, isInPlace));
    }
    sayWhoIsAside();
    if (!lacking().isEmpty()) {
      say.accept(
          ("placement.relaxed = true is written into ecstore.toml of all nodes first: of the"
                  + " engines that there would be, %s. Nodes that are not changed read it when they"
                  + " are started again; until then they need it for nothing")
              .formatted(String.join(", ", lacking())));
    }
    sayWhatIsFewer();
    if (isAnyInPlace) {
      say.accept(
          ("hosts are too few for the %d copies of each range without one of them: \"cluster add\""
                  + " first, to have nodes hand over what they have. What the ledger no longer has"
                  + " is copied from the others after %s, replication.long-failure")
              .formatted(cluster.copies(), ConfigText.duration(cluster.longFailure())));
    }
    say.accept(
        ("one after the other, while everything goes on, and only while all other copies are whole;"
                + " what each has in %s is deleted before it starts again. Back: %s")
            .formatted(from, back(nodes)));
  }

  private String nothingToDo() {
    return "no node of the kind %s is left to change: there is nothing to do".formatted(from);
  }

  /** The options of the way back: of these nodes alone, for others may be of that kind, too. */
  private String back(List<Integer> nodes) throws IOException {
    String named = nodes.stream().map(String::valueOf).collect(Collectors.joining(","));
    return "--from %s --to %s%s"
        .formatted(to, from, nodes.containsAll(cluster.nodes()) ? "" : " --only " + named);
  }

  /** Whether a node is to get an engine, and has the former one still. */
  private boolean keepsEngine(int node) throws IOException {
    return engines.kind(node).equals(from) && !engines.isGone(node);
  }

  /** What is done with a node. */
  private String step(int node, boolean isInPlace) throws IOException {
    if (isInPlace) {
      return ("node %d: ends, gets an empty %s engine, starts again; ranges have one copy fewer"
              + " meanwhile, until its copies are filled anew")
          .formatted(node, to);
    }
    if (keepsEngine(node)) {
      return "node %d: hands over its ranges and copies, ends, gets an empty %s engine, joins anew"
          .formatted(node, to);
    }
    return (engines.isGone(node)
            ? "node %d: was interrupted as its engine was deleted: gets an empty %s engine, starts,"
                + " and is filled"
            : "node %d: is on %s already, and is filled, or started, only")
        .formatted(node, to);
  }

  private void sayWhatIsFewer() throws IOException {
    Optional<String> fewer = fewer();
    if (fewer.isPresent()) {
      say.accept("copies of each range will lack: " + fewer.get());
    }
  }

  private void sayWhoIsAside() throws IOException {
    for (int node : only) {
      if (engines.kind(node).equals(to) && !engines.isChanging(node)) {
        say.accept("node %d: is on %s already, and stays as it is".formatted(node, to));
      }
    }
    for (int node : cluster.nodes()) {
      if (isOfKind(node) && isAside(node)) {
        say.accept(
            ("node %1$d: was drained and is down, and stays so: \"cluster start %1$d\" first, to"
                    + " change it too")
                .formatted(node));
      }
    }
  }

  /** Does it. */
  void run() throws IOException, InterruptedException {
    List<Integer> nodes = plan();
    forgetUnbegun();
    sayWhoIsAside();
    if (!nodes.isEmpty() && !lacking().isEmpty()) {
      engines.relax(say);
      say.accept("placement.relaxed = true is in ecstore.toml of all nodes");
    }
    for (int i = 0; i < nodes.size(); i++) {
      int node = nodes.get(i);
      boolean isGone = engines.isGone(node);
      if (isGone || engines.kind(node).equals(from)) {
        // Another node's change may have taken long, and an operator may have written meanwhile.
        mustBeChangeable(List.of(node));
        if (!isGone) {
          end(node);
        }
        engines.change(node, to, say);
        say.accept("node %d has an empty %s engine".formatted(node, to));
      }
      if (!cluster.isRunning(node)) {
        cluster.launch(node, say);
      }
      awaitRest(waitSeconds + Math.toIntExact(cluster.longFailure().toSeconds()), node, 0);
      engines.changed(node);
      say.accept(
          "node %d serves on %s, %d of %d"
              .formatted(node, cluster.address(node), i + 1, nodes.size()));
    }
    say.accept(
        nodes.isEmpty()
            ? nothingToDo()
            : "done; back: ecstore cluster change-engine " + back(nodes));
  }

  /** Ends a node once the others have what it has. */
  private void end(int node) throws IOException, InterruptedException {
    if (!cluster.isDrained(node) && isInPlace(node, List.of())) {
      endInPlace(node);
      return;
    }
    if (!cluster.isDrained(node)) {
      // Also where an earlier change was interrupted while a node was filled.
      awaitRest(waitSeconds, 0, node);
    }
    engines.leave(node, to);
    if (!cluster.isDrained(node)) {
      drain(node);
    }
    if (cluster.isRunning(node)) {
      cluster.stop(node);
    }
  }

  private void drain(int node) throws IOException, InterruptedException {
    if (saysDrained(node, cluster.look(ANSWER_WITHIN))) {
      // A drain goes on where the command that wanted it was interrupted.
      cluster.drained(node);
      return;
    }
    try {
      new StewardCommands(cluster, say, waitSeconds)
          .adminRequest(new AdminRequest.Drain(new NodeId(node)));
    } catch (BadInputException e) {
      // It is none that was drained for this, whatever becomes of it.
      engines.changed(node);
      throw e;
    }
  }

  private static boolean saysDrained(int node, ClusterLook look) {
    return look.nodes().stream()
        .anyMatch(each -> each.node() == node && each.state() == NodeStatus.State.DRAINED);
  }

  /** One that is down already, as after an interruption, is not started for this. */
  private void endInPlace(int node) throws IOException, InterruptedException {
    boolean runs = cluster.isRunning(node);
    if (runs) {
      awaitRest(waitSeconds, 0, 0);
      say.accept("node %d ends: ranges have one copy fewer meanwhile".formatted(node));
      cluster.stop(node);
    }
    Optional<String> lack = awaitOthers(node);
    if (lack.isPresent()) {
      if (runs) {
        cluster.launch(node, say);
      }
      throw new BadInputException(
          "node %d keeps its engine%s, for the others cannot do without it after %d s: %s"
              .formatted(node, runs ? " and is started again" : "", waitSeconds, lack.get()));
    }
  }

  /** Waits until the others have all that a node has which is down; what they lack if not. */
  private Optional<String> awaitOthers(int node) throws IOException, InterruptedException {
    Placement placement = new Placement(cluster.copies(), sites());
    long deadline = System.nanoTime() + waitSeconds * 1_000_000_000L;
    while (true) {
      ClusterLook look = cluster.look(ANSWER_WITHIN);
      placement.holdOn(sites());
      Optional<String> lack = placement.lackingWithout(node, look);
      if (lack.isEmpty() || System.nanoTime() - deadline > 0) {
        return lack;
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /**
   * Waits until all nodes serve, the copies of all ranges are where they should be and whole, and
   * the steward is at nothing, for longer than the steward waits before it begins something.
   *
   * @param seconds within which that begins
   * @param started a node that must not end meanwhile, or 0
   * @param ending a node that is drained next, or 0: where it has been already that is enough
   */
  private void awaitRest(int seconds, int started, int ending)
      throws IOException, InterruptedException {
    Placement placement = new Placement(cluster.copies(), sites());
    RestWatch watch =
        new RestWatch(Duration.ofSeconds(seconds), cluster.settle().plus(CALM), System.nanoTime());
    while (true) {
      ClusterLook look = cluster.look(ANSWER_WITHIN);
      if (saysDrained(ending, look)) {
        return;
      }
      placement.holdOn(sites());
      Optional<String> lack = placement.lacking(look).or(this::underWay);
      RestWatch.Rest rest = watch.seen(lack.isEmpty(), System.nanoTime());
      if (lack.isPresent()) {
        mustNotHaveEnded(started, look);
      }
      if (rest == RestWatch.Rest.REACHED) {
        return;
      }
      if (rest == RestWatch.Rest.LATE) {
        throw new BadInputException(
            ("the cluster has not come to rest after %d s: %s. See \"cluster status\"; asked again,"
                    + " the command goes on with the next node")
                .formatted(seconds, lack.orElse("it did so just now")));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private void mustNotHaveEnded(int node, ClusterLook look) throws IOException {
    boolean isDown =
        look.nodes().stream()
            .anyMatch(each -> each.node() == node && each.state() == NodeStatus.State.DOWN);
    if (!isDown) {
      return;
    }
    if (look.nodes().stream().allMatch(each -> each.state() == NodeStatus.State.DOWN)) {
      throw new BadInputException(
          ("the cluster was ended meanwhile, and node %d has not all its copies yet: \"cluster up\","
                  + " and asked again the command goes on with it")
              .formatted(node));
    }
    throw new BadInputException(
        "node %d has ended: %s".formatted(node, String.join(" ", cluster.lastLines(node, 1))));
  }

  /** What the steward is at. */
  private Optional<String> underWay() {
    try {
      return StewardWork.underWay(cluster::askSteward);
    } catch (ProcessClusterException | IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
