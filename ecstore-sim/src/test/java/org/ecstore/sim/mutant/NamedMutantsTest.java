package org.ecstore.sim.mutant;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.ecstore.sim.world.Promises;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each question that is asked of a run, or at its end, finds a change of the protocol that no seed
 * had shown without it. Where the seed that it was found at shows it no more, the next ones are
 * tried: that only costs time.
 */
@Order(1)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@Tag("slow")
final class NamedMutantsTest {
  private static final int SEEDS_MAX = 60;

  /** Those that take some seeds more are asked every night. */
  private static Stream<Arguments> questions() {
    return Boolean.getBoolean("ecstore.long") ? Stream.concat(soon(), later()) : soon();
  }

  private static Stream<Arguments> soon() {
    return Stream.of(
        Arguments.of(
            "org.ecstore.core.overlay.Restructuring#enterBeside("
                + "Lorg/ecstore/core/overlay/BatonTree;Lorg/ecstore/id/NodeId;"
                + "Lorg/ecstore/id/NodeId;Lorg/ecstore/key/Bytes;)"
                + "Lorg/ecstore/core/overlay/TreeChange;@2:NEGATED",
            1,
            Promises.OVERLAY),
        Arguments.of(
            "org.ecstore.txn.balance.Balancer#rejoin("
                + "Lorg/ecstore/core/overlay/ClusterState;Lorg/ecstore/txn/balance/ClusterLoads;"
                + "Lorg/ecstore/txn/balance/Balancer$Cluster;Ljava/util/List;)"
                + "Ljava/util/Optional;@8:NEVER_JUMPS",
            2,
            Promises.BALANCE_RESTS),
        Arguments.of(
            "org.ecstore.txn.sequencer.Appender#flush()V@4:ALWAYS_JUMPS", 15, Promises.ENTRIES_FIT),
        Arguments.of(
            "core.map.RangeMap#overlapping ifnonnull ALWAYS_JUMPS", 1, Promises.NO_FAILURE),
        Arguments.of(
            "txn.node.Node#handle NodeContext.replied DROPPED_CALL",
            1,
            Promises.REFUSES_A_SHORT_LEDGER));
  }

  private static Stream<Arguments> later() {
    return Stream.of(
        Arguments.of(
            "txn.commit.Participant#takeAway ifne ALWAYS_JUMPS", 14, Promises.ROOM_IS_WHOLE),
        Arguments.of(
            "org.ecstore.txn.node.StandingBack#tend(ZZZ)V@6:NEVER_JUMPS",
            31,
            Promises.DRAINED_STANDS_BACK),
        Arguments.of(
            "core.overlay.PrimaryPreferences#lambda$of$0 the answer ALWAYS_TRUE",
            25,
            Promises.STAYS_PUT),
        Arguments.of(
            "txn.node.Leases#lambda$forget$0 if_icmpne NEVER_JUMPS", 11, Promises.LEASES_HOLD),
        Arguments.of(
            "org.ecstore.txn.sequencer.LeaderWatch#look("
                + "Lorg/ecstore/core/port/Coordination$Member;Ljava/util/List;J)V@4:NEGATED",
            12,
            Promises.LEADERS_REPLACED),
        Arguments.of(
            "org.ecstore.txn.steward.Merge#obstacle(Lorg/ecstore/txn/steward/Steward;"
                + "Lorg/ecstore/core/overlay/ClusterState;Lorg/ecstore/core/map/RangeDescriptor;"
                + "Lorg/ecstore/core/map/RangeDescriptor;)Ljava/util/Optional;@4:ALWAYS_JUMPS",
            25,
            Promises.REQUESTS_DONE),
        Arguments.of(
            "org.ecstore.txn.steward.AdminRequests#isTakenOut("
                + "Lorg/ecstore/txn/steward/Steward;Lorg/ecstore/id/NodeId;)Z@1:NEVER_JUMPS",
            25,
            Promises.COPIES_STAY));
  }

  @ParameterizedTest
  @MethodSource("questions")
  void aQuestionFindsWhatItWasMadeFor(String name, long seed, String promise) {
    MutantSettings settings =
        new MutantSettings(
            OptionalInt.empty(), "", name, 1, 1, seed, SEEDS_MAX, MutantSettings.STEPS_MAX, 600, 1);
    List<MutantResult> results = new MutantRuns(settings).run(result -> {});
    assertEquals(1, results.size(), results::toString);
    MutantResult result = results.getFirst();
    assertEquals(MutantResult.State.FOUND, result.state(), result::toString);
    assertTrue(result.detail().startsWith(promise), result::toString);
  }
}
