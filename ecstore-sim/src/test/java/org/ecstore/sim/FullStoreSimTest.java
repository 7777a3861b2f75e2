package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.engines.memory.MemoryStore;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.copy.CopyBuilder;
import org.ecstore.replication.copy.CopyTable;
import org.ecstore.replication.copy.EngineWriter;
import org.ecstore.sim.FailOverSimTest.Held;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The store of a node has no room, and does what deletes, as a full Redis (decision 0108): it makes
 * room by itself, and by nothing else.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class FullStoreSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int NODES = 4;
  private static final int HOSTS = 5;
  private static final int COPIES = 3;
  private static final int KEYS = 40;
  private static final int VALUE_BYTES = 2_000;
  private static final Duration DEADLINE = Duration.ofSeconds(20);

  /** Enough for what a node writes down of itself, and for few values. */
  private static final long LITTLE_ROOM = 3 * VALUE_BYTES;

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final World world = new World(1, new Trace(null));
  private boolean nothingGoesAhead;
  private boolean nothingIsGivenUp;
  private boolean isAskedAtOnce;

  /** After which the builder gives up; half a minute's, unless a test says less. */
  private int refusalsMax = Integer.MAX_VALUE;

  private int givenUp;

  private final class Parts extends FrequentCheckpoints {
    @Override
    public EngineWriter writer(NodeContext context) {
      return new EngineWriter(context) {
        @Override
        protected boolean goesAhead() {
          return !nothingGoesAhead && super.goesAhead();
        }
      };
    }

    @Override
    public CopyBuilder builder(
        NodeContext context, CopyTable copies, EngineWriter writer, NodeSettings settings) {
      return new CopyBuilder(context, copies, writer, settings.copyFetches()) {
        @Override
        protected boolean isTooFull(int refusals) {
          boolean isGivenUp =
              !nothingIsGivenUp && (super.isTooFull(refusals) || refusals >= refusalsMax);
          givenUp += isGivenUp ? 1 : 0;
          return isGivenUp;
        }
      };
    }

    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      return new Steward(context, sequencer, members, settings.steward(), settings.balance()) {
        @Override
        protected boolean isPutOff(NodeId node) {
          return !isAskedAtOnce && super.isPutOff(node);
        }
      };
    }
  }

  private final SimCluster cluster =
      CalmCluster.of(
          world,
          HOSTS,
          new Parts(),
          id ->
              NodeSettings.defaults("sim", ClientInSim.address(id))
                  .withCopies(COPIES)
                  .withRetention(SECOND)
                  .withTimeout(30 * SECOND, 5 * SECOND));

  private ClientInSim started(int nodes) {
    cluster.hosts().subList(0, nodes).forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    return new ClientInSim(world, cluster.network(), cluster.hosts().subList(0, nodes));
  }

  private static Backend backend(ClientInSim client) {
    return new Backend(
        client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1);
  }

  private static Bytes key(int number) {
    return Bytes.utf8(Character.toString('a' + number % 26) + number);
  }

  private void write(Backend backend, int number) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(key(number), Bytes.wrap(new byte[VALUE_BYTES]));
    tx.commit();
  }

  /** All keys, and waits until they are in the stores. */
  private void fill(ClientInSim client, Backend backend) {
    for (int number = 0; number < KEYS; number++) {
      write(backend, number);
    }
    client.pause(60 * SECOND);
  }

  private SimHost following() {
    return FailOverSimTest.copies(cluster, Copy.State.FOLLOWING).values().stream()
        .flatMap(List::stream)
        .filter(held -> held.copy().keys().contains(key(0)))
        .map(held -> cluster.hosts().get((int) held.node().value() - 1))
        .filter(host -> !host.equals(CalmCluster.leader(cluster)))
        .findFirst()
        .orElseThrow();
  }

  private static String trouble(SimHost host) {
    return ((Node) Objects.requireNonNull(host.machine())).inspect().engineRefuses().orElse("");
  }

  @ParameterizedTest
  @CsvSource({"false, false", "true, false", "false, true", "true, true"})
  void aNodeThatIsFullMakesRoomOfWhatOthersTakeOver(boolean startsAgain, boolean isPlanted) {
    nothingGoesAhead = isPlanted;
    ClientInSim client = started(NODES);
    try (Backend backend = backend(client)) {
      fill(client, backend);
      SimHost full = following();
      MemoryStore disk = cluster.disk(full);
      if (startsAgain) {
        full.crash();
      }
      disk.room(disk.bytes());
      full.start();
      int refused = 0;
      int seconds = 0;
      for (; seconds < 180 && (refused == 0 || !trouble(full).isEmpty()); seconds++) {
        write(backend, seconds % KEYS);
        client.pause(SECOND);
        refused += trouble(full).isEmpty() ? 0 : 1;
      }
      int since = refused;
      assertTrue(since > 5, () -> "it had no room for " + since + " s only");
      assertEquals(isPlanted, !trouble(full).isEmpty(), () -> "after " + since + " s");
    }
    assertEquals(List.of(), world.violations());
  }

  /** A node comes to which ranges are brought that do not fit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aCopyForWhichThereIsNoRoomIsGivenUpAndItsNodeGoesOn(boolean isPlanted) {
    nothingIsGivenUp = isPlanted;
    ClientInSim client = started(NODES - 1);
    try (Backend backend = backend(client)) {
      fill(client, backend);
      SimHost small = cluster.hosts().get(NODES - 1);
      cluster.disk(small).room(LITTLE_ROOM);
      small.start();
      int stuck = 0;
      long least = Long.MAX_VALUE;
      for (int seconds = 0; seconds < 180; seconds++) {
        client.pause(SECOND);
        stuck += trouble(small).contains("start the store again") ? 1 : 0;
        least = stuck > 0 ? Math.min(least, cluster.disk(small).bytes()) : least;
      }
      assertTrue(stuck > 0, "others are told before it is given up");
      assertEquals(!isPlanted, givenUp > 0);
      assertEquals(isPlanted, least >= VALUE_BYTES, "what is given up is cleared");
      cluster.disk(small).room(Long.MAX_VALUE);
      client.pause(120 * SECOND);
      assertEquals("", trouble(small));
      assertFalse(cluster.disk(small).look(KeyRange.ALL).isEmpty());
    }
    assertEquals(List.of(), world.violations());
  }

  private boolean isWhole() {
    Map<Bytes, NodeId> primaries = FailOverSimTest.primaries(cluster);
    Map<Bytes, List<Held>> following = FailOverSimTest.copies(cluster, Copy.State.FOLLOWING);
    return !primaries.isEmpty()
        && primaries.keySet().stream()
            .allMatch(range -> following.getOrDefault(range, List.of()).size() == COPIES - 1);
  }

  /** A holder of the values goes; the node that is next to get a copy has no room for them. */
  private SimHost withoutRoomAtTheNext(ClientInSim client) {
    refusalsMax = 5;
    try (Backend backend = backend(client)) {
      fill(client, backend);
    }
    following().crash();
    SimHost next = holdNone().getFirst();
    cluster.disk(next).room(cluster.disk(next).bytes() + LITTLE_ROOM);
    return next;
  }

  private List<SimHost> holdNone() {
    return cluster.hosts().stream()
        .filter(host -> cluster.disk(host).bytes() < VALUE_BYTES)
        .toList();
  }

  /** For two minutes, or until it is whole again. */
  private void awaitWhole(ClientInSim client) {
    client.pause(35 * SECOND);
    for (int seconds = 35; seconds < 120 && !isWhole(); seconds++) {
      client.pause(SECOND);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeWithoutRoomIsLeftOutWhereAnotherHasSome(boolean isPlanted) {
    isAskedAtOnce = isPlanted;
    ClientInSim client = started(HOSTS);
    withoutRoomAtTheNext(client);
    awaitWhole(client);
    assertTrue(givenUp > 0, "it was asked");
    assertEquals(!isPlanted, isWhole(), () -> FailOverSimTest.all(cluster));
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aNodeWithoutRoomIsAskedEverLaterWhereNoOtherIsThere(boolean isPlanted) {
    isAskedAtOnce = isPlanted;
    ClientInSim client = started(HOSTS);
    SimHost next = withoutRoomAtTheNext(client);
    holdNone().getLast().crash();
    awaitWhole(client);
    assertFalse(isWhole());
    assertTrue(givenUp > 2, () -> "asked " + givenUp + " times");
    assertEquals(isPlanted, givenUp > 10, () -> "asked " + givenUp + " times");
    cluster.disk(next).room(Long.MAX_VALUE);
    awaitWhole(client);
    assertTrue(isWhole(), () -> FailOverSimTest.all(cluster));
    assertEquals(List.of(), world.violations());
  }
}
