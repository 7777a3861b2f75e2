package org.ecstore.sim.world;

import org.ecstore.core.ledger.RecordParts;

/**
 * What kind of world a seed lives in: which faults there are and how strong, the sizes of things,
 * and what the run promises. Each seed leaves out about half of the faults: a fault that is always
 * on hides what only shows without it ("swarm testing").
 */
public record SwarmSettings(
    long seed,
    Promise promise,
    int nodes,
    int newcomers,
    int clients,
    int listKeys,
    int rowKeys,
    long safetyNanos,
    int stepEventsMax,
    long thinkNanosMax,
    boolean hints,
    boolean prunes,
    NetworkFaults network,
    LedgerFaults ledger,
    CoordinationFaults coordination,
    EngineFaults engine,
    Nemesis nemesis) {

  /** What the clients of a run ask for, hence what is checked. */
  public enum Promise {
    /** SERIALIZABLE and STRONG: strict serializability. */
    STRICT,
    /** SERIALIZABLE and SESSION or BOUNDED: serializability in session order. */
    SERIALIZABLE_SESSION,
    /** SNAPSHOT and SESSION or BOUNDED: snapshot isolation in session order. */
    SNAPSHOT_SESSION,
    /** Each transaction draws its isolation and level. */
    MIXED
  }

  /** Message delays and losses, between nodes and, for delays, between clients and nodes. */
  public record NetworkFaults(
      long delayNanosMin,
      long delayNanosMax,
      double loss,
      double duplicate,
      double straggler,
      long stragglerNanosMax,
      boolean ordered) {}

  /**
   * The ledger's delays and failures.
   *
   * @param fenceNanosMax what the steps of a take-over take together, about
   * @param segmentEntriesMax after so many entries a new segment is begun
   * @param strangersTrim whether who does not write any more still trims
   * @param callFailed one step of a take-over, a roll or a trim: not done, or done without a reply
   * @param casUnknown the same for the compare-and-set of the segment list
   * @param recordBytesMax the sequencer splits longer records into parts, each a raw record
   * @param readBytesMax a read hands over about so many bytes at most
   */
  public record LedgerFaults(
      long appendNanosMax,
      long fenceNanosMax,
      long readNanosMax,
      long readLagNanosMax,
      int segmentEntriesMax,
      boolean strangersTrim,
      double callFailed,
      double casUnknown,
      double lostReply,
      double lostAppend,
      double rejected,
      double readFailed,
      double lazyTrim,
      int recordBytesMax,
      int readBytesMax) {
    /** With records and reads as long as they are without the simulator. */
    public LedgerFaults(
        long appendNanosMax,
        long fenceNanosMax,
        long readNanosMax,
        long readLagNanosMax,
        int segmentEntriesMax,
        boolean strangersTrim,
        double callFailed,
        double casUnknown,
        double lostReply,
        double lostAppend,
        double rejected,
        double readFailed,
        double lazyTrim) {
      this(
          appendNanosMax,
          fenceNanosMax,
          readNanosMax,
          readLagNanosMax,
          segmentEntriesMax,
          strangersTrim,
          callFailed,
          casUnknown,
          lostReply,
          lostAppend,
          rejected,
          readFailed,
          lazyTrim,
          RecordParts.RECORD_BYTES_MAX,
          Integer.MAX_VALUE);
    }
  }

  /** The coordination service's delays and failures. */
  public record CoordinationFaults(
      long callNanosMax,
      long eventNanosMax,
      long sessionNanos,
      long staleNanosMax,
      double casUnknown,
      double hintFlap) {}

  /** The engines' delays and failures. */
  public record EngineFaults(
      long readNanosMax,
      long applyNanosMax,
      double failed,
      double stall,
      long stallNanosMax,
      boolean keepsUnsynced) {}

  /** Mean times between the greater misfortunes; 0 means never. */
  public record Nemesis(
      long crashNanos,
      long clusterCrashNanos,
      long partitionNanos,
      long pauseNanos,
      long breakNanos,
      long hintFlapNanos,
      long hintSplitNanos,
      long sessionNanos,
      long clockNanos,
      long ledgerCutNanos,
      double atMapChange,
      double atTrim,
      double atTakeOver,
      double atVote,
      long downNanosMax,
      long partitionLengthNanosMax,
      long pauseLengthNanosMax,
      long leaveNanos,
      long reshapeNanos) {}

  public static final long MICRO = 1_000L;
  public static final long MILLI = 1_000_000L;
  public static final long SECOND = 1_000_000_000L;

  /** The settings of a seed. */
  public static SwarmSettings of(long seed) {
    SimRandom random = new SimRandom(seed).fork("swarm");
    boolean calm = random.chance(0.08);
    int nodes = random.between(1, 5);
    int clients = random.between(1, 5);
    long safety = random.between(20, 180) * SECOND;
    // So that a run has some hundred transactions, however long and with however many clients.
    long think = 4L * clients * safety / random.between(100, 800);
    return new SwarmSettings(
        seed,
        Promise.values()[random.between(0, 3)],
        nodes,
        random.chance(0.5) ? 0 : random.between(1, 3),
        clients,
        random.between(1, 8),
        random.between(2, 24),
        safety,
        random.chance(0.4) ? 1 : random.between(2, 64),
        think,
        random.chance(0.7),
        random.chance(0.6),
        network(random.fork("network"), calm),
        ledger(random.fork("ledger"), calm),
        coordination(random.fork("coordination"), calm),
        engine(random.fork("engine"), calm),
        nemesis(random.fork("nemesis"), calm));
  }

  private static double odds(SimRandom random, boolean calm, double strongest) {
    boolean on = !calm && random.chance(0.5);
    double strength = random.skewed(1, 1000) / 1000.0 * strongest;
    return on ? strength : 0;
  }

  private static long length(SimRandom random, long usual, long strongest) {
    return random.chance(0.5) ? usual : random.skewedNanos(usual, strongest);
  }

  private static long every(SimRandom random, boolean calm, long least, long most) {
    boolean on = !calm && random.chance(0.4);
    long mean = random.between(least, most);
    return on ? mean : 0;
  }

  private static NetworkFaults network(SimRandom random, boolean calm) {
    long least = random.between(20, 500) * MICRO;
    return new NetworkFaults(
        least,
        least + length(random, 200 * MICRO, 30 * MILLI),
        odds(random, calm, 0.2),
        odds(random, calm, 0.2),
        odds(random, calm, 0.1),
        random.between(50, 5_000) * MILLI,
        random.chance(0.3));
  }

  private static LedgerFaults ledger(SimRandom random, boolean calm) {
    SimRandom parts = random.fork("parts");
    boolean splits = parts.chance(0.4);
    return new LedgerFaults(
        length(random, 2 * MILLI, 300 * MILLI),
        length(random, 10 * MILLI, 2 * SECOND),
        length(random, 2 * MILLI, 200 * MILLI),
        length(random, 1, 2 * SECOND),
        (int) random.skewed(2, 60),
        random.chance(0.5),
        odds(random, calm, 0.15),
        odds(random, calm, 0.3),
        odds(random, calm, 0.03),
        odds(random, calm, 0.03),
        odds(random, calm, 0.03),
        odds(random, calm, 0.2),
        odds(random, calm, 1),
        splits ? parts.between(64, 300) : RecordParts.RECORD_BYTES_MAX,
        splits && parts.chance(0.7) ? (int) parts.skewed(1, 2_000) : Integer.MAX_VALUE);
  }

  private static CoordinationFaults coordination(SimRandom random, boolean calm) {
    return new CoordinationFaults(
        length(random, 2 * MILLI, 500 * MILLI),
        length(random, 5 * MILLI, 2 * SECOND),
        random.skewed(300, 8_000) * MILLI,
        length(random, 1, 2 * SECOND),
        odds(random, calm, 0.4),
        odds(random, calm, 0.2));
  }

  private static EngineFaults engine(SimRandom random, boolean calm) {
    return new EngineFaults(
        length(random, 200 * MICRO, 100 * MILLI),
        length(random, 500 * MICRO, 300 * MILLI),
        odds(random, calm, 0.05),
        odds(random, calm, 0.02),
        random.between(100, 5_000) * MILLI,
        random.chance(0.5));
  }

  private static Nemesis nemesis(SimRandom random, boolean calm) {
    return new Nemesis(
        every(random, calm, 2 * SECOND, 20 * SECOND),
        every(random, calm, 10 * SECOND, 60 * SECOND),
        every(random, calm, 3 * SECOND, 20 * SECOND),
        every(random, calm, 3 * SECOND, 20 * SECOND),
        every(random, calm, SECOND / 2, 10 * SECOND),
        every(random, calm, 2 * SECOND, 20 * SECOND),
        every(random, calm, 2 * SECOND, 30 * SECOND),
        every(random, calm, 2 * SECOND, 30 * SECOND),
        every(random, calm, 2 * SECOND, 30 * SECOND),
        every(random, calm, 2 * SECOND, 30 * SECOND),
        odds(random, calm, 0.6),
        odds(random, calm, 0.6),
        odds(random, calm, 0.25),
        odds(random, calm, 0.4),
        random.skewedNanos(50 * MILLI, 10 * SECOND),
        length(random, 2 * SECOND, 15 * SECOND),
        random.skewedNanos(100 * MILLI, 10 * SECOND),
        every(random, calm, 2 * SECOND, 20 * SECOND),
        every(random, calm, SECOND / 2, 8 * SECOND));
  }
}
