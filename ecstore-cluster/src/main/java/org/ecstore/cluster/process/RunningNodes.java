package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.client.net.AddressList;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.server.NodeRuntime;
import org.ecstore.server.file.DirectoryInUseException;
import org.ecstore.server.file.DirectoryLock;
import org.ecstore.server.shutdown.ShutdownHooks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of a cluster's nodes, which are begun and ended one by one, with their guards and
 * the database servers under them. What the nodes have then, and whether they serve, is not looked
 * at.
 */
final class RunningNodes {
  private static final Logger LOG = LoggerFactory.getLogger(RunningNodes.class);

  /** What has just ended may keep its port for a moment. */
  private static final Duration PORT_WITHIN = Duration.ofSeconds(1);

  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  /** Most commands have done their work in less. */
  private static final Duration SAY_AFTER = Duration.ofSeconds(1);

  /** What "down" waits for a command that starts nodes. */
  private static final Duration TURN_WITHIN = Duration.ofSeconds(10);

  private static final long LOOK_MILLIS = 50;

  private final ClusterFiles files;
  private final ClusterEyes eyes;
  private final Guards guards;
  private final DrainedNodes drained;
  private final NodeLauncher launcher;
  private final EngineFiles engines;
  private final Duration startWithin;

  /**
   * The processes of the nodes in a directory.
   *
   * @param startWithin how long a command that begins nodes waits for another one
   */
  RunningNodes(
      ClusterFiles files,
      ClusterEyes eyes,
      Guards guards,
      DrainedNodes drained,
      NodeLauncher launcher,
      Duration startWithin) {
    this.files = files;
    this.engines = new EngineFiles(files);
    this.startWithin = startWithin;
    this.eyes = eyes;
    this.guards = guards;
    this.drained = drained;
    this.launcher = launcher;
  }

  /** Whether a node's process is there, paused or not. */
  boolean runs(int node) throws IOException {
    return eyes.process(node).isPresent();
  }

  /** The process of a node that has to run. */
  private OwnProcess running(int node) throws IOException {
    files.config(node);
    return eyes.process(node)
        .orElseThrow(() -> new ProcessClusterException("node " + node + " does not run"));
  }

  /**
   * The turn of a command that begins nodes: one at a time has it, by the lock of the directory.
   * What ends the cluster meanwhile does not wait for that: it takes the mark of the turn away
   * first, and looks for processes then. The command that has the turn begins a process first, and
   * looks for the mark then. So either the process is seen and ended, or that command ends it.
   */
  final class Turn implements AutoCloseable {
    private final DirectoryLock lock;

    private Turn(DirectoryLock lock) {
      this.lock = lock;
    }

    /**
     * Starts a node that does not run; a guard that is about to do so gives way, and one that has
     * done so meanwhile is left alone.
     *
     * @throws ProcessClusterException if the cluster was ended meanwhile, or another process has
     *     the node's port
     */
    void begin(int node, Consumer<String> progress) throws IOException, InterruptedException {
      mustGoOn(node);
      engines.settle(node, progress);
      beginDatabase(node, progress);
      mustBeFree(node);
      if (runs(node)) {
        guards.wantUp(node);
      } else {
        endGuard(node);
        drained.forget(node);
        guards.wantUp(node);
        launcher.launch(node);
      }
      mustGoOn(node);
    }

    /** Has a node that runs do so on; starts its database server, if it has one that does not. */
    void keep(int node, Consumer<String> progress) throws IOException, InterruptedException {
      // A "down" that was interrupted may have left its mark.
      guards.wantUp(node);
      beginDatabase(node, progress);
    }

    /** Starts the database server under a node, if it has one that does not run. */
    void beginDatabase(int node, Consumer<String> progress)
        throws IOException, InterruptedException {
      startDatabase(node, progress);
      mustGoOn(node);
    }

    /** Where the server was ended with the cluster that is what is said, not how to mend it. */
    private void startDatabase(int node, Consumer<String> progress)
        throws IOException, InterruptedException {
      try {
        files.databases().start(node, files.config(node).engineAccess(), progress);
      } catch (ProcessClusterException e) {
        mustGoOn(node);
        throw e;
      }
    }

    private void mustGoOn(int node) throws IOException, InterruptedException {
      if (!Files.exists(files.turnMark())) {
        end(List.of(node));
        throw new ProcessClusterException(
            "the cluster in %s was ended meanwhile, by \"cluster down\": node %d does not run"
                .formatted(files.directory(), node));
      }
    }

    @Override
    public void close() throws IOException {
      try (lock) {
        Files.deleteIfExists(files.turnMark());
      }
    }
  }

  /**
   * Takes the turn, once no other command has it or the lock.
   *
   * @param what the command does, for those that wait then
   * @param progress is told what is waited for, if that takes longer
   */
  Turn awaitTurn(String what, Consumer<String> progress) throws IOException, InterruptedException {
    DirectoryLock lock = awaitLock(what, progress);
    boolean isTaken = false;
    try {
      Files.write(files.turnMark(), new byte[0]);
      isTaken = true;
      return new Turn(lock);
    } finally {
      if (!isTaken) {
        lock.close();
      }
    }
  }

  /**
   * Takes the lock of the directory: others work in it for some seconds each.
   *
   * @param what the command does, for those that wait then
   * @param progress is told what is waited for, if that takes longer
   * @throws DirectoryInUseException if another has it for longer than nodes may take to start
   */
  DirectoryLock awaitLock(String what, Consumer<String> progress)
      throws IOException, InterruptedException {
    long begun = System.nanoTime();
    boolean isSaid = false;
    while (true) {
      try {
        return DirectoryLock.acquire(files.directory(), "cluster " + what);
      } catch (DirectoryInUseException e) {
        long waited = System.nanoTime() - begun;
        if (waited > startWithin.toNanos()) {
          throw e;
        }
        if (!isSaid && waited > SAY_AFTER.toNanos()) {
          progress.accept("waits for %s in %s".formatted(e.holder(), files.directory()));
          isSaid = true;
        }
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /** Has the guard of a node end that does not run, or was just started by it. */
  private void endGuard(int node) throws IOException, InterruptedException {
    guards.wantDown(node);
    Optional<OwnProcess> begun = eyes.process(node);
    if (begun.isPresent()) {
      begun.get().signal("KILL");
      awaitEnd(node, begun.get());
    }
    guards.awaitEnd(node);
    guards.forget(node);
  }

  /**
   * Another cluster may have been made while this one was down, and a guard would try for ever. A
   * node that never ran says so itself, and ends.
   */
  private void mustBeFree(int node) throws IOException, InterruptedException {
    ServerConfig.Listen listen = files.config(node).listen();
    if (Files.exists(files.log(node))
        && !runs(node)
        && !FreePorts.awaitFree(listen.host(), listen.port(), PORT_WITHIN)
        && !runs(node)) {
      throw new ProcessClusterException(
          "node %d is to listen on %s, which another process has: end that one, or change listen.port in %s"
              .formatted(
                  node, AddressList.text(listen.host(), listen.port()), files.configFile(node)));
    }
  }

  /** SIGKILL; returns when the process is gone, to stay so until it is started. */
  void kill(int node) throws IOException, InterruptedException {
    Optional<OwnProcess> process = wantDown(node);
    if (process.isPresent()) {
      process.get().signal("KILL");
      awaitEnd(node, process.get());
    }
    guards.awaitEnd(node);
  }

  /**
   * From now on a node stays down once its process ends.
   *
   * @return its process, unless only its guard runs
   * @throws ProcessClusterException if neither runs
   */
  private Optional<OwnProcess> wantDown(int node) throws IOException, InterruptedException {
    if (guards.process(node).isEmpty()) {
      running(node);
    }
    guards.wantDown(node);
    return eyes.process(node);
  }

  /** SIGTERM: the node departs safely. Returns when the process is gone, to stay so. */
  void stop(int node) throws IOException, InterruptedException {
    Optional<OwnProcess> process = wantDown(node);
    if (process.isPresent()) {
      process.get().signal("CONT");
      process.get().signal("TERM");
      awaitDeparture(node, process.get());
    }
    guards.awaitEnd(node);
  }

  /** It hands over, folds, and ends, each within its time. */
  private void awaitDeparture(int node, OwnProcess process)
      throws IOException, InterruptedException {
    Duration within =
        files.config(node).stopWithin().plus(NodeRuntime.FOLD_WITHIN).plus(END_WITHIN);
    if (!process.awaitEnd(within)) {
      throw new ProcessClusterException(
          "node "
              + node
              + " has not ended within "
              + within.toSeconds()
              + " s; its log is "
              + files.log(node));
    }
  }

  /** SIGSTOP: once this returns the process does nothing until {@link #resume}. */
  void pause(int node) throws IOException, InterruptedException {
    OwnProcess process = running(node);
    process.signal("STOP");
    if (!process.awaitPaused(END_WITHIN)) {
      throw new ProcessClusterException("node " + node + " does not stop");
    }
  }

  /** SIGCONT. */
  void resume(int node) throws IOException, InterruptedException {
    running(node).signal("CONT");
  }

  /**
   * Ends all nodes at once, without hand-over, and then the database servers under them. Those that
   * do not run stay so. A command that begins some is waited for a short while, if it does not end
   * at once: it begins no more, and ends what it has begun meanwhile.
   */
  void down() throws IOException, InterruptedException {
    Duration within = startWithin.compareTo(TURN_WITHIN) < 0 ? startWithin : TURN_WITHIN;
    endAll();
    Optional<DirectoryLock> lock = awaitTurns(within);
    try {
      // One that was killed has ended nothing, and another one may have the next turn by now.
      if (lock.isEmpty() || isAnyThere()) {
        endAll();
      }
    } finally {
      lock.ifPresent(DirectoryLock::close);
    }
  }

  private void endAll() throws IOException, InterruptedException {
    Files.deleteIfExists(files.turnMark());
    // All of them first: what is interrupted after that leaves none that comes back.
    for (int node : files.nodes()) {
      guards.wantDown(node);
    }
    // With one that was added by a process that saw no mark yet.
    end(files.nodes());
  }

  /**
   * Waits until no command begins nodes.
   *
   * @return the lock of the directory; absent if another still holds it, or it cannot be taken,
   *     which keeps nothing from being ended
   */
  private Optional<DirectoryLock> awaitTurns(Duration within) throws InterruptedException {
    // While this process ends none of its threads starts anything, or gives the turn back.
    long nanos = ShutdownHooks.hasBegun() ? 0 : within.toNanos();
    long begun = System.nanoTime();
    while (Files.isDirectory(files.directory())) {
      try {
        return Optional.of(DirectoryLock.acquire(files.directory(), "cluster down"));
      } catch (DirectoryInUseException e) {
        if (System.nanoTime() - begun >= nanos) {
          LOG.info("what it begins it ends itself: {}", e.getMessage());
          return Optional.empty();
        }
      } catch (IOException e) {
        LOG.warn("whether a command begins nodes is not known: {}", e.toString());
        return Optional.empty();
      }
      Thread.sleep(LOOK_MILLIS);
    }
    return Optional.empty();
  }

  private boolean isAnyThere() throws IOException {
    for (int node : files.nodes()) {
      if (runs(node)
          || guards.process(node).isPresent()
          || files.databases().process(node).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /** Ends some nodes, to stay so, and the database servers under them. */
  private void end(Collection<Integer> nodes) throws IOException, InterruptedException {
    List<OwnProcess> signalled = new ArrayList<>();
    Optional<Exception> failed = Optional.empty();
    for (int node : nodes) {
      guards.wantDown(node);
    }
    for (int node : nodes) {
      try {
        Optional<OwnProcess> process = eyes.process(node);
        if (process.isPresent()) {
          signalled.add(process.get());
          process.get().signal("CONT");
          process.get().signal("INT");
        }
      } catch (IOException | ProcessClusterException e) {
        // The others have to be ended all the same.
        failed = Optional.of(failed.orElse(e));
      }
    }
    for (OwnProcess process : signalled) {
      if (!process.awaitEnd(END_WITHIN)) {
        process.signal("KILL");
        process.awaitEnd(END_WITHIN);
      }
    }
    for (int node : nodes) {
      guards.awaitEnd(node);
    }
    files.databases().end(nodes);
    if (failed.isPresent()) {
      throw new ProcessClusterException(String.valueOf(failed.get().getMessage()), failed.get());
    }
  }

  private static void awaitEnd(int node, OwnProcess process) throws InterruptedException {
    if (!process.awaitEnd(END_WITHIN)) {
      throw new ProcessClusterException(
          "node " + node + " (process " + process.pid() + ") does not end");
    }
  }
}
