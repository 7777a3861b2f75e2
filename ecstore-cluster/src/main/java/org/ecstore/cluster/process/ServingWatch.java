package org.ecstore.cluster.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.ecstore.cluster.process.NodeStatus.State;
import org.ecstore.protocol.ClientReply.Inspected;

/** Waits until nodes that were started serve. */
final class ServingWatch {
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(3);
  private static final long LOOK_MILLIS = 50;

  private final ClusterFiles files;
  private final ClusterEyes eyes;
  private final DrainedNodes drained;
  private final Duration startWithin;

  /**
   * Over a cluster.
   *
   * @param startWithin how long nodes may take until they serve
   */
  ServingWatch(ClusterFiles files, ClusterEyes eyes, DrainedNodes drained, Duration startWithin) {
    this.files = files;
    this.eyes = eyes;
    this.drained = drained;
    this.startWithin = startWithin;
  }

  /**
   * Returns when all of some nodes serve, or have been found to be drained.
   *
   * @param progress is told of each
   * @throws ProcessClusterException if one ends, or does not serve in time
   */
  void await(TreeSet<Integer> nodes, Consumer<String> progress)
      throws IOException, InterruptedException {
    TreeSet<Integer> waiting = new TreeSet<>(nodes);
    long deadline = System.nanoTime() + startWithin.toNanos();
    while (true) {
      List<NodeStatus> all = eyes.status(waiting, ANSWER_WITHIN);
      for (NodeStatus each : all) {
        if (each.state() == State.SERVING) {
          drained.forget(each.node());
          waiting.remove(each.node());
          progress.accept("node " + each.node() + " serves on " + each.address());
        } else if (each.state() == State.DRAINED) {
          drained.remember(each.node());
          waiting.remove(each.node());
          progress.accept(DrainedNodes.leftOut(each.node()));
        } else if (each.state() == State.DOWN) {
          throw ended(each.node());
        }
      }
      if (waiting.isEmpty()) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProcessClusterException(
            "not all nodes serve within " + startWithin.toSeconds() + " s: " + lacks(all));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private ProcessClusterException ended(int node) throws IOException {
    Path said = files.lastSaid(node);
    return new ProcessClusterException(
        "node "
            + node
            + " has ended; the last line of "
            + said
            + ": "
            + ClusterFiles.lastLine(said));
  }

  /**
   * Returns when a node answers, whether it serves yet or not.
   *
   * @throws ProcessClusterException if it ends, or does not answer in time
   */
  void awaitAnswer(int node) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + startWithin.toNanos();
    while (true) {
      List<NodeStatus> now = eyes.status(new TreeSet<>(List.of(node)), ANSWER_WITHIN);
      State state = now.getFirst().state();
      if (state == State.DOWN) {
        throw ended(node);
      }
      if (state != State.SILENT && state != State.RESTARTING) {
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new ProcessClusterException(
            "no answer within %d s: %s".formatted(startWithin.toSeconds(), lacks(now)));
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private String lacks(List<NodeStatus> all) {
    return all.stream()
        .filter(each -> each.state() != State.SERVING)
        .map(
            each ->
                "node "
                    + each.node()
                    + ": "
                    + each.seen()
                        .map(Inspected::waitsFor)
                        .or(each::guard)
                        .orElse("it does not answer")
                    + " (its log is "
                    + files.log(each.node())
                    + ")")
        .collect(Collectors.joining("; "));
  }
}
