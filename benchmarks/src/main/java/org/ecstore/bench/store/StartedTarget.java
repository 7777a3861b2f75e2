package org.ecstore.bench.store;

import java.io.IOException;

/**
 * A target whose processes were started here. It can be held still while another one is measured.
 */
public interface StartedTarget extends Target {
  /** What a client process elsewhere on this machine is told to connect to. */
  String address();

  /** Stops its processes (SIGSTOP): they use no processor until {@link #resume}. */
  void pause() throws IOException, InterruptedException;

  /** Lets its processes go on, and returns when it serves. */
  void resume() throws IOException, InterruptedException;
}
