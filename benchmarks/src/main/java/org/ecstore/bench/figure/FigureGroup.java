package org.ecstore.bench.figure;

import java.util.List;

/** Figures that come from the same runs. */
public interface FigureGroup {
  /** Their numbers in the paper. */
  List<Integer> numbers();

  /** About how many pieces of work {@link #run} reports. */
  int steps(boolean quick);

  /** Runs what is needed for all of them. */
  List<FigureReport> run(FigureRun run);
}
