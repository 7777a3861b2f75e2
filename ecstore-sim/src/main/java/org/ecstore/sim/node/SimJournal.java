package org.ecstore.sim.node;

import org.ecstore.core.port.OperatorLog;
import org.ecstore.sim.world.World;

/** What nodes tell their operators, in the trace. */
record SimJournal(World world, SimHost host) implements OperatorLog {
  @Override
  public void info(String text) {
    world.line(host.id().toString(), "says: " + text);
  }

  @Override
  public void warn(String text) {
    world.line(host.id().toString(), "warns: " + text);
  }
}
