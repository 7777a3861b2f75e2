package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.ecstore.cluster.config.ServerConfig;
import org.ecstore.server.NodeRuntime;

/**
 * The processes of a cluster's nodes, which are begun and ended one by one, with their guards and
 * the database servers under them. What the nodes have then, and whether they serve, is not looked
 * at.
 */
final class RunningNodes {
  /** What has just ended may keep its port for a moment. */
  private static final Duration PORT_WITHIN = Duration.ofSeconds(1);

  private static final Duration END_WITHIN = Duration.ofSeconds(10);

  private final ClusterFiles files;
  private final ClusterEyes eyes;
  private final Guards guards;
  private final DrainedNodes drained;
  private final NodeLauncher launcher;

  RunningNodes(
      ClusterFiles files,
      ClusterEyes eyes,
      Guards guards,
      DrainedNodes drained,
      NodeLauncher launcher) {
    this.files = files;
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

  /** Starts the database server under a node, if it has one that does not run. */
  void beginDatabase(int node, Consumer<String> progress) throws IOException, InterruptedException {
    files.databases().start(node, files.config(node).engineAccess(), progress);
  }

  /**
   * Starts a node that does not run; a guard that is about to do so gives way. The lock of the
   * directory is held where something is noted of a change of its engine.
   */
  void begin(int node, Consumer<String> progress) throws IOException, InterruptedException {
    files.settleEngine(node, progress);
    beginDatabase(node, progress);
    guards.wantDown(node);
    guards.awaitEnd(node);
    guards.forget(node);
    mustBeFree(node);
    drained.forget(node);
    guards.wantUp(node);
    launcher.launch(node);
  }

  /**
   * Another cluster may have been made while this one was down, and a guard would try for ever. A
   * node that never ran says so itself, and ends.
   */
  private void mustBeFree(int node) throws IOException, InterruptedException {
    ServerConfig.Listen listen = files.config(node).listen();
    if (Files.exists(files.log(node))
        && !FreePorts.awaitFree(listen.host(), listen.port(), PORT_WITHIN)) {
      throw new ProcessClusterException(
          "node %d is to listen on %s:%d, which another process has: end that one, or change listen.port in %s"
              .formatted(node, listen.host(), listen.port(), files.configFile(node)));
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
   * do not run stay so.
   */
  void down() throws IOException, InterruptedException {
    List<OwnProcess> signalled = new ArrayList<>();
    Optional<Exception> failed = Optional.empty();
    // All of them first: what is interrupted after that leaves none that comes back.
    for (int node : files.nodes()) {
      guards.wantDown(node);
    }
    // With one that was added by a process that saw no mark yet.
    TreeSet<Integer> nodes = files.nodes();
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
