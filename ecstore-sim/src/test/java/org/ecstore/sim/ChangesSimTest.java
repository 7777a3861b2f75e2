package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.sim.node.NodeMutation;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * Readers of changes (rule 29) in worlds with all faults; `bin/ecstore sim --readers` runs more.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class ChangesSimTest {
  @ParameterizedTest
  @Seeds(few = 12, many = 400)
  void readersAreToldEveryCommitOnceInOrder(long seed) {
    SimResult result = Simulation.run(seed, NodeMutation.RIGHT.withReaders());
    assertEquals(List.of(), result.violations());
  }
}
