package org.ecstore.tools.terminal;

import java.io.Console;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * A progress bar on standard error, shown only to a user at a terminal and gone when closed, so
 * that results are never mixed with it.
 */
public final class TerminalProgress implements AutoCloseable {
  private static final int WIDTH = 78;
  private static final int REDRAW_MILLIS = 200;

  private final @Nullable ProgressBar bar;

  private TerminalProgress(@Nullable ProgressBar bar) {
    this.bar = bar;
  }

  /** Starts a bar for work of about so many steps. */
  public static TerminalProgress start(String task, long steps) {
    if (!Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false)) {
      return new TerminalProgress(null);
    }
    return new TerminalProgress(
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
            .clearDisplayOnFinish()
            .build());
  }

  /** So many steps more are done. */
  public void step(long steps) {
    if (bar != null) {
      bar.stepBy(steps);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
