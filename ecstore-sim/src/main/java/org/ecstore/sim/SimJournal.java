package org.ecstore.sim;

import org.ecstore.core.port.Journal;

/** What nodes tell their operators, in the trace. */
record SimJournal(World world, SimHost host) implements Journal {
  @Override
  public void info(String text) {
    world.line(host.id().toString(), "says: " + text);
  }

  @Override
  public void warn(String text) {
    world.line(host.id().toString(), "warns: " + text);
  }
}
