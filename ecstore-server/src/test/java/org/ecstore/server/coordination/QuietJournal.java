package org.ecstore.server.coordination;

import org.ecstore.core.port.Journal;

/** Nobody listens. */
final class QuietJournal implements Journal {
  @Override
  public void info(String text) {}

  @Override
  public void warn(String text) {}
}
