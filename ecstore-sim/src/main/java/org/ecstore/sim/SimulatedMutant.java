package org.ecstore.sim;

import org.ecstore.sim.mutant.MutantProgram;
import org.ecstore.sim.mutant.SeedEnd;
import org.ecstore.sim.mutant.SeedEnd.Found;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.probe.Probe;
import org.ecstore.sim.world.Promises;
import org.ecstore.sim.world.Violation;

/** The simulation of one seed with nodes that are mutants; loaded by the mutant's class loader. */
public final class SimulatedMutant implements MutantProgram {
  @Override
  public SeedEnd run(long seed, long stepsMax) {
    Probe.begin(stepsMax);
    try {
      SimResult result = Simulation.run(seed, NodeMutation.RIGHT);
      return result.violations().stream()
          .findFirst()
          .map(SimulatedMutant::end)
          .orElseGet(() -> end(Found.NOT_AT_ALL, ""));
    } catch (Probe.OutOfSteps e) {
      return end(Found.NO_PROGRESS, String.valueOf(e.getMessage()));
    } catch (VerifyError e) {
      // Not the mutant's fault.
      throw e;
    } catch (OutOfMemoryError _) {
      return end(Found.FAILURE, "no memory is left");
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      return end(Found.FAILURE, String.valueOf(e));
    }
  }

  private static SeedEnd end(Violation first) {
    Found how =
        first.rule().equals(Promises.NO_FAILURE)
            ? Found.FAILURE
            : Promises.isProgress(first.rule()) ? Found.NO_PROGRESS : Found.VIOLATION;
    String detail = first.rule() + ": " + first.detail();
    return end(how, detail.lines().findFirst().orElse(""));
  }

  private static SeedEnd end(Found found, String detail) {
    return new SeedEnd(found, detail, Probe.reached(), Probe.steps());
  }
}
