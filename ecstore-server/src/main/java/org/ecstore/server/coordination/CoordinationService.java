package org.ecstore.server.coordination;

import java.util.function.Consumer;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Event;
import org.ecstore.id.NodeId;

/** Coordination as a process reaches it: within itself, or on ZooKeeper. */
public interface CoordinationService extends AutoCloseable {
  /**
   * Coordination for a node of this process.
   *
   * @param sink takes results and news on the threads of this service; must not block or throw
   */
  Coordination handle(NodeId node, Consumer<Event> sink);

  /**
   * Ends a member: its node was closed or killed. The others learn of it; it hears no more news.
   */
  void end(NodeId node);

  /**
   * Says that an incarnation of a node of another process looks dead: its port refuses connections.
   * Where that is found out otherwise only when its session ends, it ends its membership now. A
   * node that lives nevertheless announces itself again.
   */
  default void suspect(NodeId node, long incarnation) {}

  /** Answers what was begun and lets everything go. Later calls are answered Unknown. */
  @Override
  void close();
}
