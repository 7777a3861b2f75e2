package org.ecstore.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.loop.SideWork;

/**
 * Who does the network work of a process's nodes: threads that they share, or each node's event
 * loop. A thread beside the event loop can work at the same time, but each request and each reply
 * has to wake one, which costs more than the work where there are few processors.
 */
public final class NetLoops implements AutoCloseable {
  private static final int THREADS_MAX = 4;
  private static final int PROCESSORS_FOR_THREADS = 4;
  private static final long CLOSE_MILLIS_MAX = 5_000;

  private final Optional<EventLoopGroup> threads;

  private NetLoops(Optional<EventLoopGroup> threads) {
    this.threads = threads;
  }

  /** What is best on this machine. */
  public static NetLoops start() {
    int processors = Runtime.getRuntime().availableProcessors();
    return processors < PROCESSORS_FOR_THREADS
        ? onLoops()
        : onThreads(Math.clamp(processors / 2, 1, THREADS_MAX));
  }

  /** So many threads, shared by the nodes. */
  static NetLoops onThreads(int count) {
    return new NetLoops(
        Optional.of(
            new MultiThreadIoEventLoopGroup(
                count, new DefaultThreadFactory("ecstore-net", true), NioIoHandler.newFactory())));
  }

  /** No threads: each event loop does the network work of its node. */
  static NetLoops onLoops() {
    return new NetLoops(Optional.empty());
  }

  /** What one node needs of this, for its event loop and its transport. */
  public NodeLoops forNode() {
    if (threads.isPresent()) {
      return new NodeLoops(threads.get(), SideWork.none());
    }
    SharedLoop loop = new SharedLoop();
    return new NodeLoops(loop.group(), loop);
  }

  /** Ends the threads; transports that use them are closed before. */
  @Override
  public void close() {
    threads.ifPresent(
        group ->
            group
                .shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_MILLIS_MAX));
  }
}
