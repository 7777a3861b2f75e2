package org.ecstore.tools.terminal;

import org.ecstore.tools.quickstart.Progress;
import org.jspecify.annotations.Nullable;

/** A bar for each phase, for a user at a terminal. */
public final class PhaseBars implements Progress, AutoCloseable {
  private volatile @Nullable TerminalProgress bar;

  @Override
  public void phase(String name, long steps) {
    close();
    bar = TerminalProgress.start(name, steps);
  }

  @Override
  public void step(long steps) {
    TerminalProgress current = bar;
    if (current != null) {
      current.step(steps);
    }
  }

  @Override
  public void close() {
    TerminalProgress last = bar;
    if (last != null) {
      last.close();
    }
  }
}
