package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a liveness run is judged by: the lease of all of it, the rest of its second half, by which
 * the cluster has come to go on without the frozen member, or the one whose database server was
 * hurt.
 *
 * @param leaseHeld a snapshot was held and has answered: without one the run shows nothing of it
 * @param commitsGoOn each sample has commits, and they are at least half as many a second as in the
 *     quarter of the run before
 * @param trimMovesOn the ledger is trimmed further at the end than in the middle
 * @param memoryFlat the heap grows by no more than {@link #SLOPE_MAX} percent of its level a
 *     minute, and no window had more than its room
 * @param heapSlope percent of its mean that the heap grows a minute, by least squares
 * @param windowSlope the same of the window; for people
 */
record LivenessVerdict(
    boolean leaseHeld,
    boolean commitsGoOn,
    boolean trimMovesOn,
    boolean memoryFlat,
    double heapSlope,
    double windowSlope) {
  /** Percent a minute: a window fills and is emptied in turns, and a run has some ten of these. */
  static final double SLOPE_MAX = 3;

  /** The least number of samples of which halves and quarters say anything. */
  static final int SAMPLES_MIN = 8;

  /**
   * Judges.
   *
   * @param longestLease for how long one snapshot has answered; zero if none has
   * @param windowBytesMax what a window has room for
   * @throws IllegalArgumentException if there are fewer samples than {@link #SAMPLES_MIN}
   */
  static LivenessVerdict of(
      List<LivenessSample> samples, Duration longestLease, long windowBytesMax) {
    if (samples.size() < SAMPLES_MIN) {
      throw new IllegalArgumentException(
          "%d samples are too few to judge by: %d are needed"
              .formatted(samples.size(), SAMPLES_MIN));
    }
    int middle = samples.size() / 2;
    List<LivenessSample> last = samples.subList(middle, samples.size());
    List<LivenessSample> before = samples.subList(middle / 2, middle);
    boolean goOn =
        last.stream().allMatch(sample -> sample.commits() > 0)
            && mean(last, LivenessSample::perSecond) >= mean(before, LivenessSample::perSecond) / 2;
    double heap = slope(last, LivenessSample::heapBytes);
    boolean fits = last.stream().allMatch(sample -> sample.windowBytes() <= windowBytesMax);
    return new LivenessVerdict(
        longestLease.isPositive(),
        goOn,
        last.getLast().trimmed() > last.getFirst().trimmed(),
        fits && heap <= SLOPE_MAX,
        heap,
        slope(last, LivenessSample::windowBytes));
  }

  boolean isKept() {
    return leaseHeld && commitsGoOn && trimMovesOn && memoryFlat;
  }

  private static double mean(
      List<LivenessSample> samples, ToDoubleFunction<LivenessSample> number) {
    return samples.stream().mapToDouble(number).average().orElse(0);
  }

  /** The slope of the line of least squares, in percent of the mean a minute. */
  private static double slope(
      List<LivenessSample> samples, ToDoubleFunction<LivenessSample> number) {
    double level = mean(samples, number);
    double middle = mean(samples, LivenessSample::seconds);
    double both = 0;
    double square = 0;
    for (LivenessSample sample : samples) {
      double time = sample.seconds() - middle;
      both += time * (number.applyAsDouble(sample) - level);
      square += time * time;
    }
    return level > 0 && square > 0 ? both / square * 60 / level * 100 : 0;
  }
}
