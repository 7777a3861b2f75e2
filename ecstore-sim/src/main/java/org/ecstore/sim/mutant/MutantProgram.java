package org.ecstore.sim.mutant;

/** Runs seeds within the class loader of one mutant; found there as a service. */
public interface MutantProgram {
  /**
   * Runs one seed.
   *
   * @param stepsMax a run whose loops go round more often than that makes no progress
   */
  SeedEnd run(long seed, long stepsMax);
}
