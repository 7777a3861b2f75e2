package org.ecstore.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/** The threads that do a process's network work, shared by its nodes. */
public final class NetLoops implements AutoCloseable {
  private static final int THREADS_MAX = 4;
  private static final long CLOSE_MILLIS_MAX = 5_000;

  private final EventLoopGroup group;

  private NetLoops(EventLoopGroup group) {
    this.group = group;
  }

  /** A few threads, as many as half the processors but at least one. */
  public static NetLoops start() {
    int threads = Math.clamp(Runtime.getRuntime().availableProcessors() / 2, 1, THREADS_MAX);
    return new NetLoops(
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("ecstore-net", true), NioIoHandler.newFactory()));
  }

  EventLoopGroup group() {
    return group;
  }

  /** Ends the threads; transports that use them are closed before. */
  @Override
  public void close() {
    group
        .shutdownGracefully(0, CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MILLIS_MAX);
  }
}
