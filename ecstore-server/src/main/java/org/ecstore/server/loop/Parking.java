package org.ecstore.server.loop;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** No work beside the event loop's: its thread sleeps until it is woken. */
final class Parking implements SideWork {
  private volatile @Nullable Thread thread;

  @Override
  public void begin() {
    thread = Thread.currentThread();
  }

  @Override
  public void runReady() {}

  @Override
  public void runHanded() {}

  @Override
  public void await(long nanos) {
    LockSupport.parkNanos(this, nanos);
  }

  @Override
  public void wake() {
    LockSupport.unpark(thread);
  }

  @Override
  public void end() {}
}
