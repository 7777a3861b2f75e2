package org.ecstore.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.loop.SideWork;
import org.ecstore.wire.UnsafeAccess;

/**
 * Who does the network work of a process's nodes: threads that they share, or each node's event
 * loop. A thread beside the event loop can work at the same time, but each request and each reply
 * has to wake one, which costs more than the work where there are few processors. Netty 4.1 knows
 * threads only.
 */
public final class NetLoops implements AutoCloseable {
  static {
    UnsafeAccess.avoid("io.netty.noUnsafe", "true");
  }

  private static final int THREADS_MAX = 4;
  private static final int PROCESSORS_FOR_THREADS = 4;
  private static final long CLOSE_MILLIS_MAX = 5_000;

  /** What a {@link LaneLoop} is made of. */
  private static final String LANE_LOOP = "io.netty.channel.ManualIoEventLoop";

  private final Optional<EventLoopGroup> threads;

  private NetLoops(Optional<EventLoopGroup> threads) {
    this.threads = threads;
  }

  /** What is best on this machine. */
  public static NetLoops start() {
    int processors = Runtime.getRuntime().availableProcessors();
    return processors < PROCESSORS_FOR_THREADS && loopsCan()
        ? onLoops()
        : onThreads(Math.clamp(processors / 2, 1, THREADS_MAX));
  }

  /** So many threads, shared by the nodes. */
  static NetLoops onThreads(int count) {
    return new NetLoops(Optional.of(newGroup(count)));
  }

  /** By a class that Netty 4.1 and 4.2 both have; 4.2 makes of it what it wants instead. */
  @SuppressWarnings("deprecation")
  private static EventLoopGroup newGroup(int count) {
    return new NioEventLoopGroup(count, new DefaultThreadFactory("ecstore-net", true));
  }

  /** Whether this is Netty 4.2: an application that embeds a store may bring 4.1. */
  private static boolean loopsCan() {
    try {
      Class.forName(LANE_LOOP, false, NetLoops.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
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
