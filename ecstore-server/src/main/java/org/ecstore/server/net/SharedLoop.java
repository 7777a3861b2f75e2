package org.ecstore.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import java.util.concurrent.TimeUnit;
import org.ecstore.server.loop.SideWork;

/**
 * An event loop that runs on the thread of an event loop: a request that arrives is handled, and
 * what is ready goes out, without waking another thread.
 */
final class SharedLoop implements SideWork {
  private static final long MILLI = 1_000_000L;

  /** How long closing channels may take until they are left to the system. */
  private static final long END_NANOS_MAX = 2_000_000_000L;

  private final ManualIoEventLoop loop = new ManualIoEventLoop(null, NioIoHandler.newFactory());

  EventLoopGroup group() {
    return loop;
  }

  @Override
  public void begin() {
    loop.setOwningThread(Thread.currentThread());
  }

  @Override
  public void runReady() {
    loop.runNow();
  }

  /** Without a question to the selector, which costs more than most of what there is to do. */
  @Override
  public void runHanded() {
    int _ = loop.runNonBlockingTasks(0);
  }

  /**
   * Whole milliseconds, rounded up: the selector knows no less, and asked for less than half of one
   * it does not wait at all. The event loop would turn without a pause before each of its timers.
   */
  @Override
  public void await(long nanos) {
    loop.run((nanos + MILLI - 1) / MILLI * MILLI);
  }

  @Override
  public void wake() {
    // A task and not only a wake-up: one of these that comes between two waits would be lost.
    if (!loop.isShuttingDown() && !loop.inEventLoop()) {
      loop.execute(SharedLoop::nothing);
    }
  }

  private static void nothing() {}

  @Override
  public void end() {
    var _ = loop.shutdownGracefully(0, END_NANOS_MAX, TimeUnit.NANOSECONDS);
    long deadline = System.nanoTime() + 2 * END_NANOS_MAX;
    while (!loop.isTerminated() && deadline - System.nanoTime() > 0) {
      loop.run(END_NANOS_MAX);
    }
  }
}
