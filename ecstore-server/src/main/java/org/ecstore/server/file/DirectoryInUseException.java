package org.ecstore.server.file;

import java.io.IOException;
import java.nio.file.Path;

/** Another process, or another part of this one, works in the directory. */
public final class DirectoryInUseException extends IOException {
  private static final long serialVersionUID = 1L;

  private final String holder;

  DirectoryInUseException(Path directory, String holder, String advice) {
    super(
        directory
            + " is in use by "
            + holder
            + ": "
            + advice
            + ", or choose another directory. Two at once would destroy it.");
    this.holder = holder;
  }

  /** What works in it, for people: with its process id and what it does, as far as it has said. */
  public String holder() {
    return holder;
  }
}
