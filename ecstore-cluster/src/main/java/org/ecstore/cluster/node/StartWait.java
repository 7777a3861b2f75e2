package org.ecstore.cluster.node;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.ecstore.cluster.bookkeeper.bookie.BookKeeperStartException;
import org.ecstore.cluster.node.StopSignals.Stop;
import org.ecstore.cluster.zookeeper.server.ZooKeeperStartException;
import org.ecstore.id.NodeId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for what the start of a node needs, and tells people once what it waits for. */
final class StartWait {
  private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);
  private static final Duration AGAIN = Duration.ofMillis(200);

  private final NodeId node;
  private final StopSignals signals;
  private final Consumer<String> notices;

  /**
   * Of a node.
   *
   * @param signals a request to stop ends the waiting
   * @param notices is told what is waited for
   */
  StartWait(NodeId node, StopSignals signals, Consumer<String> notices) {
    this.node = node;
    this.signals = signals;
    this.notices = notices;
  }

  /** Something that needs ZooKeeper. */
  interface Step<T> {
    T run() throws IOException;
  }

  /**
   * Tries until ZooKeeper answers; it may be away for a moment at any time. Absent if a request to
   * stop came first.
   */
  <T> Optional<T> until(Step<T> step) throws IOException {
    boolean said = false;
    while (signals.wanted() == Stop.NONE) {
      IOException away;
      try {
        return Optional.of(step.run());
      } catch (ZooKeeperStartException e) {
        if (!e.isTemporary()) {
          throw e;
        }
        away = e;
      } catch (BookKeeperStartException e) {
        if (!e.isTemporary()) {
          throw e;
        }
        away = e;
      }
      if (!said) {
        said = true;
        say("waits for ZooKeeper: " + away.getMessage());
      }
      pause();
    }
    return Optional.empty();
  }

  /** Waits a moment. */
  void pause() {
    LockSupport.parkNanos(AGAIN.toNanos());
  }

  /** Tells people what the node is at. */
  void say(String what) {
    String line = "node " + node.value() + " " + what;
    LOG.warn(line);
    notices.accept(line);
  }
}
