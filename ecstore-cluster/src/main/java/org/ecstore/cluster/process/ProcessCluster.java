package org.ecstore.cluster.process;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.client.net.AddressList;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.cluster.flags.JvmFlags;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.cluster.provision.CommandWords;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.StatusReport;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.server.secret.SecretFile;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A cluster of processes on this machine's loopback address, all that it is in one directory. The
 * processes outlive this object and the process it is in; another one finds them again. Safe for
 * use by several threads, as long as they mind different nodes.
 */
public final class ProcessCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessCluster.class);
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);

  private final ClusterFiles files;
  private final Duration startWithin;
  private final NodeLauncher launcher;
  private final DrainedNodes drained;
  private final Guards guards;
  private final NodeProbe probe = new NodeProbe(ANSWER_WITHIN);
  private Optional<Path> secretFile = Optional.empty();
  private final ClusterEyes eyes;
  private final RunningNodes processes;
  private final ClusterEngines engines;
  private final StewardLine stewardLine;
  private final List<ShutdownHooks.Task> hook = new ArrayList<>();

  private ProcessCluster(
      ClusterFiles files, Duration startWithin, NewCluster made, boolean guarded) {
    this.files = files;
    this.startWithin = startWithin;
    this.drained = new DrainedNodes(files);
    this.guards = new Guards(files);
    this.eyes = new ClusterEyes(files, drained, guards, probe);
    this.stewardLine = StewardLine.of(files, eyes, probe, () -> Optional.of(secret()));
    this.launcher =
        NodeLauncher.of(files, guarded ? Optional.of(guards) : Optional.empty(), made.classPath());
    this.processes = new RunningNodes(files, eyes, guards, drained, launcher, startWithin);
    this.engines = new ClusterEngines(files, processes);
  }

  /**
   * The cluster in a directory, running or not, or a place for one. Nothing is started or written.
   * Nodes that are started here are started again when they have ended by themselves.
   *
   * @param startWithin how long nodes may take until they serve
   */
  public static ProcessCluster in(Path directory, Duration startWithin) {
    return in(directory, startWithin, NewCluster.DEFAULT);
  }

  /**
   * As {@link #in(Path, Duration)}.
   *
   * @param made what a cluster gets that is made here
   */
  public static ProcessCluster in(Path directory, Duration startWithin, NewCluster made) {
    return new ProcessCluster(new ClusterFiles(directory, made), startWithin, made, true);
  }

  /**
   * As {@link #in(Path, Duration, NewCluster)}, for the time of a command: its nodes are ended when
   * it is closed, and when the process that it is in ends, unless that is killed. None is started
   * again that has ended by itself.
   */
  public static ProcessCluster during(Path directory, Duration startWithin, NewCluster made) {
    return during(directory, startWithin, made, false);
  }

  /**
   * As above.
   *
   * @param guarded whether nodes are started again that have ended by themselves
   */
  public static ProcessCluster during(
      Path directory, Duration startWithin, NewCluster made, boolean guarded) {
    return during(new ClusterFiles(directory, made), startWithin, made, guarded);
  }

  /** As above, over files. */
  static ProcessCluster during(
      ClusterFiles files, Duration startWithin, NewCluster made, boolean guarded) {
    ProcessCluster cluster = new ProcessCluster(files, startWithin, made, guarded);
    cluster.hook.add(ShutdownHooks.at(ShutdownHooks.Step.PROCESSES, cluster::endAll));
    return cluster;
  }

  /** Has operators' requests proven by another file than that of the directory. Call first. */
  public void secretFrom(Path file) {
    secretFile = Optional.of(file);
  }

  /**
   * What is settled of a cluster while its other commands wait, before a node is begun: what was
   * seen earlier may have changed since, as by a node that was drained, or a cluster that was made.
   */
  @FunctionalInterface
  public interface Settling {
    /**
     * Settles it. What it throws ends the command, and nothing has been done.
     *
     * @param provisioning in place of {@link ProcessCluster#provisionBy}
     * @return how many nodes there shall be beside those drained
     */
    int nodes(Provisioning provisioning) throws IOException, InterruptedException;
  }

  /** What {@link ProcessCluster#provisionBy} does, for what has its turn already. */
  @FunctionalInterface
  public interface Provisioning {
    /** As {@link ProcessCluster#provisionBy}. */
    List<Integer> by(String mainClass, List<String> arguments) throws IOException;
  }

  /**
   * Starts whatever does not run, and returns when all nodes serve. In an empty directory a cluster
   * is made; one with fewer nodes gets more. Nodes that were drained are left out, unless ZooKeeper
   * or the ledger cannot do without them.
   *
   * @param nodes that there shall be beside those drained
   * @param progress is told what happens, line by line
   * @throws ProcessClusterException if there are more nodes than that, or one ends, or does not
   *     serve in time, or a range of a cluster that is made shall have more copies than there are
   *     nodes
   */
  public void up(int nodes, Consumer<String> progress) throws IOException, InterruptedException {
    mustNotBeMoreThan(nodes);
    up(_ -> nodes, progress);
  }

  /**
   * Starting a cluster takes no node out of it.
   *
   * @throws ProcessClusterException if there are more nodes beside those drained
   */
  public void mustNotBeMoreThan(int nodes) throws IOException {
    drained.mustNotBeMoreThan(nodes);
  }

  /**
   * As {@link #up(int, Consumer)}, of as many nodes as are settled once no other command works in
   * the directory.
   *
   * @return how many
   */
  public int up(Settling settling, Consumer<String> progress)
      throws IOException, InterruptedException {
    int nodes;
    TreeSet<Integer> serving = new TreeSet<>();
    try (RunningNodes.Turn turn = processes.awaitTurn("up", progress)) {
      nodes = settling.nodes(this::provisionNow);
      drained.mustNotBeMoreThan(nodes);
      mustHavePrograms(files.nodes().isEmpty(), progress);
      files.makeSecret();
      int missing = nodes - drained.others().size();
      if (missing > 0) {
        files.addNodes(missing);
      }
      TreeSet<Integer> indispensable = drained.indispensable(processes::runs);
      for (int node : files.nodes()) {
        if (processes.runs(node)) {
          turn.keep(node, progress);
          progress.accept("node " + node + " runs");
        } else if (drained.is(node) && !indispensable.contains(node)) {
          progress.accept(DrainedNodes.leftOut(node));
          continue;
        } else {
          if (drained.is(node)) {
            progress.accept(DrainedNodes.comesBack(node));
          }
          turn.begin(node, progress);
          progress.accept("node " + node + " started");
        }
        serving.add(node);
      }
    }
    awaitServing(serving, progress);
    return nodes;
  }

  /**
   * Looks for the programs of all database servers that do not run yet, so that none is missing
   * once the first node runs.
   *
   * @param made whether the cluster is made now
   */
  private void mustHavePrograms(boolean made, Consumer<String> progress)
      throws IOException, InterruptedException {
    TreeSet<String> kinds = new TreeSet<>(made ? files.kindsOfMore() : List.of());
    for (int node : drained.others()) {
      if (hasDatabase(node) && databasePid(node).isEmpty()) {
        kinds.add(engines.kind(node));
      }
    }
    files.databases().mustHavePrograms(kinds, progress);
  }

  /** The nodes there are, running or not, but those that were drained. */
  public List<Integer> undrained() throws IOException {
    return List.copyOf(drained.others());
  }

  /** Remembers that a node has nothing any more: from now on {@link #up} leaves it out. */
  public void drained(int node) throws IOException {
    drained.remember(node);
  }

  /**
   * Starts a node that does not run, and returns when it serves. One that was drained joins anew;
   * of one that runs its database server is started, if that has ended.
   *
   * @throws ProcessClusterException if it runs, ends, or does not serve in time
   */
  public void start(int node) throws IOException, InterruptedException {
    start(node, _ -> {});
  }

  /**
   * As above.
   *
   * @param progress is told what happens beside that, line by line
   */
  public void start(int node, Consumer<String> progress) throws IOException, InterruptedException {
    launch(node, progress);
    awaitServing(new TreeSet<>(List.of(node)), _ -> {});
  }

  /** As {@link #start(int, Consumer)}, but returns at once. */
  public void launch(int node, Consumer<String> progress) throws IOException, InterruptedException {
    files.config(node);
    // Another command may be about to start it, or to give it another engine.
    try (RunningNodes.Turn turn = processes.awaitTurn("start " + node, progress)) {
      if (!processes.runs(node)) {
        turn.begin(node, progress);
      } else if (hasDatabase(node) && databasePid(node).isEmpty()) {
        turn.beginDatabase(node, progress);
      } else {
        throw new ProcessClusterException(
            eyes.status(node, ANSWER_WITHIN).join().state() == State.DRAINED
                ? DrainedNodes.runsOn(node)
                : "node " + node + " runs already");
      }
    }
  }

  /** Waits until a node serves. */
  public void awaitServing(int node) throws IOException, InterruptedException {
    awaitServing(new TreeSet<>(List.of(node)), _ -> {});
  }

  private void awaitServing(TreeSet<Integer> nodes, Consumer<String> progress)
      throws IOException, InterruptedException {
    new ServingWatch(files, eyes, drained, startWithin).await(nodes, progress);
  }

  /** Adds a node, and returns its number when it serves. */
  public int addNode() throws IOException, InterruptedException {
    return addNode(_ -> {});
  }

  /**
   * As above.
   *
   * @param progress is told what happens beside that, line by line
   */
  public int addNode(Consumer<String> progress) throws IOException, InterruptedException {
    int node;
    try (RunningNodes.Turn turn = processes.awaitTurn("add", progress)) {
      files.makeSecret();
      files.addNodes(1);
      node = files.nodes().last();
      turn.begin(node, progress);
    }
    awaitServing(node);
    return node;
  }

  /**
   * What {@link #provisionBy} has nodes run, as {@code provisioner.command}.
   *
   * @throws IllegalArgumentException if no command can name the directory
   */
  public static CommandWords provisioner(Path directory) {
    return CommandWords.of(List.of("sh", ClusterFiles.provisionScript(directory).toString()));
  }

  /**
   * Has nodes add and remove nodes by a program of this process's Java and class path: writes the
   * script that runs it, and names that in the configuration of each node that has named nothing
   * for this yet. The program is run with {@code add N} or {@code remove N} behind its arguments.
   *
   * @return the nodes that run, and know of it once they are started again
   */
  public List<Integer> provisionBy(String mainClass, List<String> arguments)
      throws IOException, InterruptedException {
    try (DirectoryLock _ = processes.awaitLock("up", _ -> {})) {
      return provisionNow(mainClass, arguments);
    }
  }

  private List<Integer> provisionNow(String mainClass, List<String> arguments) throws IOException {
    List<Integer> later = new ArrayList<>();
    Path script = files.provisionScript();
    DurableFiles.replace(
        files.directory(),
        String.valueOf(script.getFileName()),
        Bytes.utf8(launcher.script(mainClass, arguments)));
    for (int node : files.provisionBy(provisioner(files.directory()))) {
      if (processes.runs(node)) {
        later.add(node);
      }
    }
    return later;
  }

  /**
   * Sees to it that there is a node of a number, made like the first one, and that its process
   * runs; returns when it answers, whether it has a place yet or not. Safe beside other processes
   * that do the same.
   *
   * @param progress is told what happens beside that, line by line
   * @return false if it was there already
   * @throws ProcessClusterException if it was taken away before, the cluster is down, or the node
   *     ends or does not answer in time
   */
  public boolean provide(int node, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (RunningNodes.Turn turn = processes.awaitTurn("provision add " + node, progress)) {
      mustBeUp(node);
      if (!files.nodes().contains(node)) {
        files.addLikeFirst(node);
      } else if (drained.is(node)) {
        throw new ProcessClusterException(
            "node %1$d was taken away, and no number is used twice: take another, or let it join"
                    .formatted(node)
                + " anew by \"cluster start %d\"".formatted(node));
      } else if (processes.runs(node)
          || (guards.process(node).isPresent() && !guards.isWantedDown(node))) {
        return false;
      }
      turn.begin(node, progress);
      try {
        mustBeUp(node);
      } catch (ProcessClusterException e) {
        // It was ended meanwhile, by a process that knew nothing of this node.
        processes.kill(node);
        throw e;
      }
    }
    new ServingWatch(files, eyes, drained, startWithin).awaitAnswer(node);
    return true;
  }

  /** A cluster that was ended gets no node: another of its nodes runs, and shall. */
  private void mustBeUp(int node) throws IOException {
    for (int other : files.nodes()) {
      if (other != node && !guards.isWantedDown(other) && processes.runs(other)) {
        return;
      }
    }
    throw new ProcessClusterException(
        "no node of the cluster in %s runs: \"cluster up\" starts it".formatted(files.directory()));
  }

  /**
   * Ends the process of a node that has nothing any more, for good: {@link #up} leaves it out, and
   * its directory stays. Safe beside other processes that do the same.
   *
   * @return false if it had gone already
   * @throws ProcessClusterException if it has ranges, or no node says that it has none; if
   *     ZooKeeper or the ledger cannot do without it; or if it does not end in time
   */
  public boolean dismiss(int node) throws IOException, InterruptedException {
    return dismiss(node, _ -> {});
  }

  /**
   * As above.
   *
   * @param progress is told what is waited for
   */
  public boolean dismiss(int node, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (DirectoryLock _ = processes.awaitLock("provision remove " + node, progress)) {
      ServerConfig config = files.config(node);
      boolean isUp = processes.runs(node) || guards.process(node).isPresent();
      if (!isUp && drained.is(node)) {
        return false;
      }
      drained.mustBeDispensable(node, config);
      List<NodeStatus> all = status();
      DrainedNodes.mustHaveNothing(node, all, map(all));
      // It does not go for another engine, whatever was noted once.
      engines.keepNow(node);
      // Before it ends: an interrupted call leaves none that "up" would start.
      drained.remember(node);
      if (isUp) {
        processes.stop(node);
      }
      files.databases().end(List.of(node));
      return true;
    }
  }

  /** SIGKILL; returns when the process is gone, to stay so until it is started. */
  public void kill(int node) throws IOException, InterruptedException {
    processes.kill(node);
  }

  /** SIGTERM: the node departs safely. Returns when the process is gone, to stay so. */
  public void stop(int node) throws IOException, InterruptedException {
    processes.stop(node);
  }

  /** SIGSTOP: once this returns the process does nothing until {@link #resume}. */
  public void pause(int node) throws IOException, InterruptedException {
    processes.pause(node);
  }

  /** SIGCONT. */
  public void resume(int node) throws IOException, InterruptedException {
    processes.resume(node);
  }

  /** Whether a node keeps its data on a server that is started and ended with the cluster. */
  public boolean hasDatabase(int node) {
    return files.databases().has(node);
  }

  /** The id of the process of a node's database server; absent if none runs. */
  public Optional<Long> databasePid(int node) throws IOException {
    return files.databases().process(node).map(OwnProcess::pid);
  }

  /** SIGKILL to the database server under a node, which goes on. */
  public void killDatabase(int node) throws IOException, InterruptedException {
    files.databases().kill(node);
  }

  /** SIGSTOP to the database server under a node, which goes on. */
  public void pauseDatabase(int node) throws IOException, InterruptedException {
    files.databases().signal(node, "STOP");
  }

  /** SIGCONT to the database server under a node. */
  public void resumeDatabase(int node) throws IOException, InterruptedException {
    files.databases().signal(node, "CONT");
  }

  /** Starts the database server under a node, if it has one that does not run. */
  public void startDatabase(int node) throws IOException, InterruptedException {
    try (RunningNodes.Turn turn = processes.awaitTurn("start " + node, _ -> {})) {
      turn.beginDatabase(node, _ -> {});
    }
  }

  /**
   * Ends all nodes at once, without hand-over, and then the database servers under them. Those that
   * do not run stay so. A command that starts some is waited for a short while, if it does not end
   * at once: it starts no more, and ends what it has started meanwhile.
   */
  public void down() throws IOException, InterruptedException {
    processes.down();
  }

  private void endAll() {
    try {
      down();
    } catch (IOException | RuntimeException e) {
      LOG.warn("the cluster's processes may still run: {}", e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** The engines that its nodes are on, and how one gets another. */
  public ClusterEngines engines() {
    return engines;
  }

  /** What a node shares with others that fail together with it, by its configuration. */
  public String host(int node) throws IOException {
    return files.config(node).host();
  }

  /** For how long a node must be gone until its copies are made anew on others. */
  public Duration longFailure() throws IOException {
    return files.config(files.nodes().first()).replication().longFailure();
  }

  /** For how long a node must be back until ranges go back to it. */
  public Duration settle() throws IOException {
    return files.config(files.nodes().first()).replication().settle();
  }

  /** Whether a node was drained, and has not been started since. */
  public boolean isDrained(int node) {
    return drained.is(node);
  }

  /** Whether making it was interrupted: then it has no nodes, and is made by {@link #up}. */
  public boolean isUnfinished() {
    return files.isUnfinished();
  }

  /** The nodes there are, running or not. */
  public List<Integer> nodes() throws IOException {
    return List.copyOf(files.nodes());
  }

  /** How many copies each range should have, by the configuration of the first node. */
  public int copies() throws IOException {
    return files.config(files.nodes().first()).replication().copies();
  }

  /**
   * How many processors each node may keep busy, by the configuration of the first; absent if all.
   */
  public Optional<BigDecimal> capacity() throws IOException {
    return files.config(files.nodes().first()).capacity();
  }

  /** What {@code EcStore.connect} takes: the addresses of all nodes, running or not. */
  public String addresses() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int node : files.nodes()) {
      addresses.add(address(node));
    }
    return String.join(",", addresses);
  }

  /** Where clients reach a node. */
  public String address(int node) throws IOException {
    return files.address(node);
  }

  /** Where a node listens beside that: for ZooKeeper, and for its bookie. */
  public List<String> otherAddresses(int node) throws IOException {
    ServerConfig config = files.config(node);
    List<String> addresses = new ArrayList<>();
    if (config.coordination() instanceof ServerConfig.Coordination.ZooKeeper zooKeeper) {
      zooKeeper.embedded().stream()
          .flatMap(embedded -> embedded.ensemble().stream())
          .filter(member -> member.id() == node)
          .forEach(
              member -> {
                addresses.add(member.clientAddress());
                addresses.add(AddressList.text(member.host(), member.quorumPort()));
                addresses.add(AddressList.text(member.host(), member.electionPort()));
              });
    }
    config
        .bookie()
        .ifPresent(bookie -> addresses.add(AddressList.text(bookie.host(), bookie.port())));
    return addresses;
  }

  /** Where a node serves metrics, {@code host:port}; absent if it does not. */
  public Optional<String> metricsAddress(int node) throws IOException {
    return files
        .config(node)
        .metrics()
        .map(served -> AddressList.text(served.host(), served.port()));
  }

  /** The id of a node's process; absent if it does not run. */
  public Optional<Long> pid(int node) throws IOException {
    return eyes.process(node).map(OwnProcess::pid);
  }

  /**
   * What a node's virtual machine has for heap, buffers and collector, by its command line; what
   * its directory has for it if it does not run.
   */
  public String flags(int node) throws IOException {
    List<String> running =
        JvmFlags.ofMemory(eyes.process(node).map(OwnProcess::words).orElse(List.of()));
    return String.join(" ", running.isEmpty() ? files.flags(node) : running);
  }

  /** What its nodes know each other by. */
  public ClusterSecret secret() throws IOException {
    return SecretFile.read(secretFile.orElse(files.secretFile()));
  }

  /** Whether a node's process is there, paused or not. */
  public boolean isRunning(int node) throws IOException {
    return processes.runs(node);
  }

  /** Where a node logs. */
  public Path log(int node) {
    return files.log(node);
  }

  /** The last lines that a node logged, or printed if that was later. */
  public List<String> lastLines(int node, int count) throws IOException {
    return ClusterFiles.lastLines(files.lastSaid(node), count);
  }

  /** How many lines of a node's log have a text in them, of all times that it was started. */
  public long linesWith(int node, String text) throws IOException {
    return files.linesWith(node, text);
  }

  /** What the guard of a node has to say of it: that it ended by itself, and how. */
  public List<String> endings(int node) throws IOException {
    return guards.said(node);
  }

  /** How all nodes are; takes some seconds if one does not answer. */
  public List<NodeStatus> status() throws IOException {
    return eyes.status(files.nodes(), ANSWER_WITHIN);
  }

  /** How one node is, without a question to the others. */
  public NodeStatus status(int node) throws IOException {
    return eyes.status(node, ANSWER_WITHIN).join();
  }

  /** The node that is the sequencer, if one says so; of two, the one that knows more. */
  public Optional<Integer> sequencer() throws IOException {
    return new ClusterLook(status(), Optional.empty()).sequencer();
  }

  /**
   * How the cluster is. All nodes are asked everything at once, so that this takes no longer than
   * the one that answers last may, whatever is down.
   *
   * @param within what a node that runs is to answer
   */
  public ClusterLook look(Duration within) throws IOException {
    return eyes.look(within);
  }

  /**
   * What the nodes that answer know of all ranges, served or not: the newest map that one of them
   * has; absent if none has one.
   */
  public Optional<StatusReport> map(List<NodeStatus> all) {
    return eyes.map(all, ANSWER_WITHIN);
  }

  /**
   * Asks the nodes that run, one after the other, until one of them has the steward's answer. The
   * steward may hear the request several times.
   *
   * @throws StewardSilentException if none has; it says why
   * @throws ProcessClusterException if none runs
   */
  public Decided askSteward(ClientRequest request) throws IOException {
    return askSteward(request, Decided.class);
  }

  /** As above, of what has another kind of answer. */
  public <T extends ClientReply> T askSteward(ClientRequest request, Class<T> kind)
      throws IOException {
    return stewardLine.ask(request, kind);
  }

  /** Lets go of the connections; the processes stay, but of one for the time of a command. */
  @Override
  public void close() {
    if (!hook.isEmpty()) {
      endAll();
      hook.forEach(ShutdownHooks.Task::close);
    }
    probe.close();
  }
}
