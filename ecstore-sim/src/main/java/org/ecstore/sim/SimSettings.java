package org.ecstore.sim;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.key.Bytes;
import org.ecstore.model.NodeTraits;
import org.ecstore.replication.copy.CopySource;
import org.ecstore.replication.copy.CopyStreams;
import org.ecstore.replication.hotspot.HotReplicaSettings;
import org.ecstore.replication.load.BalanceSettings;
import org.ecstore.replication.load.HistogramSettings;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.txn.balance.RebalanceSettings;
import org.ecstore.txn.changes.ChangeReads;
import org.ecstore.txn.commit.Coordinator;
import org.ecstore.txn.commit.Participant;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.qos.control.ControlTiming;
import org.ecstore.txn.sequencer.Appender;
import org.ecstore.txn.sequencer.LedgerRetention;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;

/**
 * Draws what the nodes of a seed run with: small bounds and short times, so that all paths are met.
 */
final class SimSettings {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;

  private static final long ROOM_BYTES_MIN = 50_000;

  private SimSettings() {}

  static NodeSettings of(SwarmSettings settings) {
    SimRandom random = new SimRandom(settings.seed()).fork("node settings");
    boolean prunes = settings.prunes();
    // Checkpoints, trims and forgotten outcomes all the time.
    int forgetful = prunes && random.chance(0.4) ? 8 : 1;
    long outcomes = prunes ? outcomes(random.fork("outcomes")) : Sequencer.OUTCOMES_MAX;
    NodeSettings drawn =
        new NodeSettings(
            "sim",
            "",
            "",
            NodeTraits.UNKNOWN,
            random.between(20, 200) * MILLI,
            random.between(20, 400) * MILLI,
            random.between(100, 2_000 / forgetful) * MILLI,
            random.between(100, 3_000 / forgetful) * MILLI,
            random.between(500, 8_000 / forgetful) * MILLI,
            random.between(300, 1_500) * MILLI,
            random.between(100, 1_000) * MILLI,
            SimForger.unprovenMax(settings.seed()),
            random.chance(0.2),
            new Participant.Timing(
                random.between(100, 3_000) * MILLI,
                random.between(200, 1_500) * MILLI,
                random.between(10, 200) * MILLI,
                stepItems(random.fork("steps")),
                roomBytes(settings)),
            coordinator(random),
            new Sequencer.Bounds(
                new Appender.Bounds(
                    random.chance(0.3) ? 64 : 4 << 20,
                    random.chance(0.2) ? 2_000 : 256 << 20,
                    random.between(1, 6),
                    settings.ledger().recordBytesMax()),
                prunes ? Math.min(random.skewed(4, 200 / forgetful), outcomes) : 200_000,
                outcomes,
                prunes ? random.skewed(5, 300 / forgetful) : 20_000,
                prunes ? random.skewedNanos(100 * MILLI, 30 * SECOND / forgetful) : 3_600 * SECOND,
                prunes ? random.skewed(1, 100 / forgetful) : 1_000),
            new Steward.Settings(
                random.between(20, 300) * MILLI,
                random.between(200, 2_000) * MILLI,
                random.between(2, 30) * SECOND,
                settings.hints() ? hints(random) : List.of(),
                random.between(1, 3),
                random.between(2, 20) * SECOND,
                random.between(100, 5_000) * MILLI,
                KindsOfNodes.of(settings).relaxed()),
            streams(random.fork("streams")),
            transfers(random.fork("transfers")),
            copyShare(random.fork("share of copies")),
            hotReplicas(random.fork("slaves")),
            balance(random.fork("balance")),
            0,
            NodeSettings.LEASES_MAX,
            ChangeReads.Bounds.DEFAULT,
            ControlTiming.DEFAULT);
    return drawn.withSplitHints(drawn.steward().splitHints());
  }

  /**
   * With readers of changes: their answers are small, so that commits come in parts, and the ledger
   * is kept for them for a while, or not.
   */
  static NodeSettings withReaders(NodeSettings drawn, SwarmSettings settings) {
    SimRandom random = new SimRandom(settings.seed()).fork("readers of changes");
    LedgerRetention.Bounds kept =
        random.chance(0.3)
            ? LedgerRetention.Bounds.NONE
            : new LedgerRetention.Bounds(
                random.skewedNanos(100 * MILLI, 60 * SECOND), random.skewed(10, 100_000));
    return drawn
        .withLedgerKept(kept)
        .withChanges(
            new ChangeReads.Bounds(
                random.chance(0.5) ? 1 : random.between(1, 2_000),
                random.between(1, 16),
                (int) random.skewed(1, 4_000),
                random.skewed(1, 1 << 20)));
  }

  /**
   * What transactions with intents may weigh together on a node: in some seeds several times what
   * the heaviest of a run weighs. Not where a record of that weight would be split into hundreds of
   * parts, or a window of versions be full with it.
   */
  private static long roomBytes(SwarmSettings settings) {
    SimRandom random = new SimRandom(settings.seed()).fork("room for votes");
    boolean fits =
        !settings.prunes() && settings.ledger().recordBytesMax() == RecordParts.RECORD_BYTES_MAX;
    return fits && random.chance(0.7)
        ? random.between(ROOM_BYTES_MIN, 2 * ROOM_BYTES_MIN)
        : Long.MAX_VALUE;
  }

  /** A key or two at a time, so that what others do comes between; or all there are. */
  private static int stepItems(SimRandom random) {
    return random.chance(0.5) ? random.between(1, 3) : 1_000;
  }

  /** Room for a commit or two, so that who lags is sent on to the ledger; or for all there is. */
  private static CopyStreams.Bounds streams(SimRandom random) {
    return new CopyStreams.Bounds(
        random.chance(0.5) ? CopyStreams.Bounds.DEFAULT.updateBytesMax() : random.between(1, 1_000),
        random.chance(0.6) ? CopyStreams.Bounds.DEFAULT.keptBytesMax() : random.skewed(100, 5_000),
        random.chance(0.6)
            ? CopyStreams.Bounds.DEFAULT.keptTogetherBytesMax()
            : random.skewed(200, 20_000));
  }

  /**
   * Room for some tens, so that a copy that lags keeps a sequencer from taking more; or for all.
   */
  private static long outcomes(SimRandom random) {
    return random.chance(0.3) ? random.between(20, 200) : Sequencer.OUTCOMES_MAX;
  }

  /** A few rows at a time, so that writes come between the chunks of a copy; or all at once. */
  private static CopySource.Bounds transfers(SimRandom random) {
    return random.chance(0.3)
        ? CopySource.Bounds.DEFAULT
        : new CopySource.Bounds(
            random.between(1, 8), random.chance(0.5) ? 1 << 20 : random.between(1, 200));
  }

  /** Without a rest, mostly; or with such that copies take two or three times as long. */
  private static double copyShare(SimRandom random) {
    return random.chance(0.8) ? 1 : 1.0 / random.between(2, 3);
  }

  /** Hot-spot replicas for next to nothing, soon dropped again, with too little room: or none. */
  private static HotReplicaSettings hotReplicas(SimRandom random) {
    if (random.chance(0.3)) {
      return HotReplicaSettings.NONE;
    }
    return new HotReplicaSettings(
        random.between(1, 8),
        random.chance(0.2) ? 3_000 : 1 << 20,
        random.chance(0.2) ? 300 : 1 << 20,
        random.between(300, 5_000) * MILLI,
        random.between(50, 1_000) * MILLI,
        random.chance(0.5) ? 0 : 0.25,
        new HistogramSettings(random.between(2, 10), 8, 2, random.between(200, 5_000) * MILLI),
        new BalanceSettings(
            0.05,
            1.2,
            4,
            4,
            random.between(1, 10),
            1,
            3,
            0,
            0.001,
            random.between(500, 20_000) * MILLI));
  }

  /** Ranges that are soon too large, too busy or too small; or only an operator says so. */
  private static RebalanceSettings balance(SimRandom random) {
    return new RebalanceSettings(
        random.chance(0.5),
        random.between(200, 5_000) * MILLI,
        random.between(500, 20_000),
        random.chance(0.3) ? 0 : random.between(1, 20),
        random.chance(0.3) ? 0 : random.between(1, 20) * SECOND,
        random.between(100, 5_000));
  }

  private static List<Bytes> hints(SimRandom random) {
    List<Bytes> hints = new ArrayList<>();
    for (int place = random.between(10, 60); place < SimKeys.places(); ) {
      hints.add(SimKeys.bound(place));
      place += random.between(10, 60);
    }
    return hints;
  }

  private static Coordinator.Bounds coordinator(SimRandom random) {
    long vote = random.between(200, 3_000) * MILLI;
    long again = random.between(50, 500) * MILLI;
    int most = random.chance(0.2) ? 2 : 1_000;
    int least = random.fork("admission").chance(0.5) ? 1 : most;
    return new Coordinator.Bounds(vote, again, least, most);
  }
}
