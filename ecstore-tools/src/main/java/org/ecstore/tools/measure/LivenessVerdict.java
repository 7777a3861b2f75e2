package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What a liveness run is judged by: the lease of all of it, the rest of its second half, by which
 * the cluster has come to go on without the frozen member, or the one whose database server was
 * hurt.
 *
 * @param leaseMin for how long one snapshot had to answer
 * @param leaseHeld one did
 * @param commitsGoOn each sample has commits, and they are at least half as many a second as in the
 *     quarter of the run before
 * @param trimMovesOn the ledger is trimmed further at the end than in the middle, and of the last
 *     quarter of the run it keeps no more than {@link #KEPT_FACTOR} times what it kept of the
 *     quarter before, and what is committed in {@link #KEPT_SLACK_SECONDS}
 * @param memoryFlat what is left of the heap at its least rises by no more than {@link #RISE_MAX}
 *     percent, and no window had more than its room
 * @param keptBefore records of the ledger that are not trimmed, in the mean of the third quarter
 * @param kept the same of the last quarter
 * @param heapRise percent of its mean by which the heap rises in the second half, by least squares
 *     through the least sample of each {@link #PARTS fifth} of it
 * @param heapSlope percent of its mean that the heap grows a minute, by least squares through all
 *     samples; for people
 * @param windowSlope the same of the window; for people
 */
record LivenessVerdict(
    Duration leaseMin,
    boolean leaseHeld,
    boolean commitsGoOn,
    boolean trimMovesOn,
    boolean memoryFlat,
    double keptBefore,
    double kept,
    double heapRise,
    double heapSlope,
    double windowSlope) {
  /**
   * Percent in the second half, however long that is: of ten minutes' run one percent a minute, of
   * an hour's a sixth of that.
   */
  static final double RISE_MAX = 5;

  /**
   * Into how many parts the second half is cut: a window fills and is emptied in turns, of which a
   * run has some ten, so that each part has an end of one. The heap's least is there.
   */
  static final int PARTS = 5;

  /** What the ledger keeps rises and falls with the rounds of folds that let it be trimmed. */
  static final double KEPT_FACTOR = 1.1;

  /** What is committed meanwhile may be kept beside that: some rounds of folds. */
  static final double KEPT_SLACK_SECONDS = 10;

  /**
   * Twice the half minute after which folds go ahead of a snapshot (decision 0050): from there on
   * it is held by what the window keeps for it.
   */
  static final Duration LEASE_MIN = Duration.ofSeconds(60);

  /** The least number of samples of which halves and quarters say anything. */
  static final int SAMPLES_MIN = 8;

  /** For how long one snapshot must answer in a run: a quarter of one that is short. */
  private static Duration leastLease(Duration run) {
    Duration quarter = run.dividedBy(4);
    return quarter.compareTo(LEASE_MIN) < 0 ? quarter : LEASE_MIN;
  }

  /**
   * Judges.
   *
   * @param run how long it was to be
   * @param longestLease for how long one snapshot has answered; zero if none has
   * @param windowBytesMax what a window has room for
   * @throws IllegalArgumentException if there are fewer samples than {@link #SAMPLES_MIN}
   */
  static LivenessVerdict of(
      List<LivenessSample> samples, Duration run, Duration longestLease, long windowBytesMax) {
    if (samples.size() < SAMPLES_MIN) {
      throw new IllegalArgumentException(
          "%d samples are too few to judge by: %d are needed"
              .formatted(samples.size(), SAMPLES_MIN));
    }
    Duration leaseMin = leastLease(run);
    int middle = samples.size() / 2;
    int quarters = middle + (samples.size() - middle) / 2;
    List<LivenessSample> before = samples.subList(middle / 2, middle);
    List<LivenessSample> last = samples.subList(middle, samples.size());
    boolean goOn =
        last.stream().allMatch(sample -> sample.commits() > 0)
            && mean(last, LivenessSample::perSecond) >= mean(before, LivenessSample::perSecond) / 2;
    double keptBefore = mean(samples.subList(middle, quarters), LivenessVerdict::untrimmed);
    double kept = mean(samples.subList(quarters, samples.size()), LivenessVerdict::untrimmed);
    double slack = KEPT_SLACK_SECONDS * perSecond(last);
    boolean trims = last.getLast().trimmed() > last.getFirst().trimmed();
    double rise = rise(last);
    boolean fits = last.stream().allMatch(sample -> sample.windowBytes() <= windowBytesMax);
    return new LivenessVerdict(
        leaseMin,
        longestLease.compareTo(leaseMin) >= 0,
        goOn,
        trims && kept <= keptBefore * KEPT_FACTOR + slack,
        fits && rise <= RISE_MAX,
        keptBefore,
        kept,
        rise,
        slope(last, LivenessSample::heapBytes),
        slope(last, LivenessSample::windowBytes));
  }

  boolean isKept() {
    return leaseHeld && commitsGoOn && trimMovesOn && memoryFlat;
  }

  private static double untrimmed(LivenessSample sample) {
    return Math.max(0, sample.durable() - sample.trimmed());
  }

  /** New records of the ledger. */
  private static double perSecond(List<LivenessSample> samples) {
    LivenessSample first = samples.getFirst();
    LivenessSample last = samples.getLast();
    return (last.durable() - first.durable()) / (last.seconds() - first.seconds());
  }

  /** By how much the line through the least samples of parts rises from end to end. */
  private static double rise(List<LivenessSample> samples) {
    int parts = Math.min(PARTS, samples.size());
    List<LivenessSample> least = new ArrayList<>();
    for (int i = 0; i < parts; i++) {
      samples.subList(samples.size() * i / parts, samples.size() * (i + 1) / parts).stream()
          .min(Comparator.comparingLong(LivenessSample::heapBytes))
          .ifPresent(least::add);
    }
    double minutes = (samples.getLast().seconds() - samples.getFirst().seconds()) / 60;
    return slope(least, LivenessSample::heapBytes) * minutes;
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
