package org.ecstore.cluster.process;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.cluster.layout.EngineMark;
import org.ecstore.server.file.DirectoryLock;

/**
 * The engines that the nodes of a cluster are on, and how a node gets one of another kind: it is
 * noted that it leaves its engine, it hands over what it has and goes down, it is given the other
 * engine, and it is started again. What is interrupted in between can be done again, or undone.
 */
public final class ClusterEngines {
  /** What those that wait are told of. */
  private static final String CHANGE = "change-engine";

  private final ClusterFiles files;
  private final EngineFiles engines;
  private final RunningNodes processes;

  ClusterEngines(ClusterFiles files, RunningNodes processes) {
    this.files = files;
    this.engines = new EngineFiles(files);
    this.processes = processes;
  }

  /** The kind of a node's engine, by its configuration. */
  public String kind(int node) throws IOException {
    return files.config(node).engineKind();
  }

  /** Whether copies may be on engines that lack what they need (rule 23), by all nodes. */
  public boolean relaxed() throws IOException {
    for (int node : files.nodes()) {
      if (!files.config(node).replication().relaxed()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Has the configurations of all nodes say that copies may be on engines that lack what they need
   * (rule 23). Nodes that run read it when they are started again: until then they ask for nothing
   * but an engine that persists and one for primaries.
   *
   * @param progress is told what is waited for
   * @throws ProcessClusterException if a node could not read its configuration then; nothing has
   *     changed
   */
  public void relax(Consumer<String> progress) throws IOException, InterruptedException {
    try (DirectoryLock _ = processes.awaitLock(CHANGE, progress)) {
      files.relax();
    }
  }

  /**
   * Finds out whether the configuration of a node can be given an engine of a kind; changes
   * nothing.
   *
   * @throws ProcessClusterException if it cannot; says why, and what to do
   */
  public void mustTake(int node, String kind) throws IOException {
    engines.mustTake(node, kind);
  }

  /**
   * Looks for the programs of the server that an engine of a kind has, if it has one, and fetches
   * them if they are not on this machine.
   *
   * @throws ProcessClusterException if there are none; says what to do
   */
  public void mustHaveProgramsOf(String kind, Consumer<String> progress)
      throws InterruptedException {
    files.databases().mustHavePrograms(List.of(kind), progress);
  }

  /**
   * Notes that a node is to hand over what it has, to get an engine of another kind then: so that a
   * node which was drained for that is known from one that was drained to stay so.
   */
  public void leave(int node, String kind) throws IOException {
    engines.leave(node, kind);
  }

  /**
   * Gives a node that is down an engine of a kind, and nothing in it. Of a node that was drained
   * nothing is lost; of another one its copies are, and are made anew from others.
   *
   * @param progress is told what of the configuration goes with the former engine
   * @throws ProcessClusterException if it runs, or could not read its configuration then; nothing
   *     has changed
   */
  public void change(int node, String kind, Consumer<String> progress)
      throws IOException, InterruptedException {
    try (DirectoryLock _ = processes.awaitLock(CHANGE, progress)) {
      if (processes.runs(node)) {
        throw new ProcessClusterException("node " + node + " runs: its engine cannot be changed");
      }
      engines.change(node, kind, progress);
    }
  }

  /**
   * From which kind to which a node's engine is being changed: it hands over what it has to get
   * another one, or got one, and it was not said since that it has its copies again, nor its
   * configuration changed by hand. Whether a command is at it, or was interrupted, is not known.
   */
  public Optional<String> underWay(int node) throws IOException {
    return engines.underWay(node).map(EngineMark::change);
  }

  /** Whether there is a change {@link #underWay}. */
  public boolean isChanging(int node) throws IOException {
    return underWay(node).isPresent();
  }

  /**
   * Whether it is noted that a node hands over what it has to get another engine. It may not have
   * begun to: that is noted before it is asked to.
   */
  public boolean isLeaving(int node) throws IOException {
    return engines.underWay(node).map(EngineMark::isLeaving).orElse(false);
  }

  /**
   * Whether {@link #change} was interrupted after it began to delete: the configuration names the
   * former engine still.
   */
  public boolean isGone(int node) throws IOException {
    return engines.isGone(node);
  }

  /**
   * Has a node keep the engine that it has: a change that deletes nothing any more, or has not
   * begun to, is forgotten. Safe beside other processes that change or start it.
   *
   * @param progress is told what is waited for
   * @return from which kind to which it was; absent if there was none
   */
  public Optional<String> keep(int node, Consumer<String> progress)
      throws IOException, InterruptedException {
    if (!engines.hasMark(node)) {
      return Optional.empty();
    }
    try (DirectoryLock _ = processes.awaitLock(CHANGE, progress)) {
      return keepNow(node).map(EngineMark::change);
    }
  }

  /** As {@link #keep}, for what has the lock of the directory already. */
  Optional<EngineMark> keepNow(int node) throws IOException {
    return engines.keep(node);
  }

  /**
   * Remembers that no change of a node's engine is under way any more: it has its copies again, or
   * keeps what it has.
   */
  public void changed(int node) throws IOException {
    engines.forget(node);
  }
}
