package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.overlay.ClusterState;
import org.ecstore.core.overlay.ClusterStateCodec;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Isolation;
import org.ecstore.model.NodeTraits;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.ledger.SteppedLedger;
import org.ecstore.sim.node.KindsOfNodes;
import org.ecstore.sim.node.LaggingCoordination;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimCoordination;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.Life;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage.BuildRequest;
import org.ecstore.txn.node.Node;
import org.ecstore.txn.node.NodeInspection.CopyView;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.ecstore.txn.steward.Steward;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A copy in memory is placed whose node reads the ledger late, while clients commit (rule 7,
 * decision 0106). With a ledger that is trimmed meanwhile the copy is lost, made anew, and lost
 * again.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class PlacedInMemorySimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = Bytes.utf8("k");
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final List<EngineTraits> ENGINES =
      List.of(KindsOfNodes.BOTH, KindsOfNodes.BOTH, KindsOfNodes.MEMORY);

  private final World world = new World(1, new Trace(null));
  private final SessionToken session = new SessionToken(ReadPoint.ZERO);

  /** By the first key of a range, under which ids the copy in memory was lost. */
  private final Map<Bytes, Set<RangeId>> lost = new TreeMap<>();

  private boolean isPlanted;

  /** Whether the steward does not learn what has come of the changes that place copies there. */
  private boolean isFateUnknown;

  private final Set<MapVersion> unknown = new TreeSet<>();
  private long buildNanos = 600 * SECOND;

  /** For how long the node cannot read the ledger, from when it begins to build a copy. */
  private long cutNanos;

  private int trims;

  /** Sequencers that write a checkpoint every few records, where they may. */
  private final class Parts extends NodeParts {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      Sequencer.Bounds bounds = settings.sequencer();
      Sequencer.Bounds often =
          new Sequencer.Bounds(
              bounds.appender(), 10, bounds.outcomesMax(), 10, bounds.retentionNanos(), 1);
      return new Sequencer(context, ledgerView, often, members, activated);
    }

    @Override
    public Steward steward(
        NodeContext context,
        Sequencer sequencer,
        Supplier<List<Member>> members,
        NodeSettings settings) {
      Steward.Settings of = settings.steward();
      Steward.Settings with =
          new Steward.Settings(
              of.retryNanos(),
              of.askTimeoutNanos(),
              buildNanos,
              of.splitHints(),
              of.copies(),
              of.longFailureNanos(),
              of.settledNanos());
      return isPlanted
          ? new PlantedKinds.OvertakesPlaced().steward(context, sequencer, members, settings)
          : new Steward(context, sequencer, members, with, settings.balance());
    }
  }

  private SimCluster started() {
    NodeParts parts = new Parts();
    SimCluster cluster =
        new SimCluster(
            world,
            CalmCluster.settings(ENGINES.size(), 20 * MILLI),
            new NodeMutation(
                    "trims often",
                    (self, settings, ports) -> new Node(self, settings, parts, ports),
                    NodeMutation.ClientBehaviour.RIGHT)
                .over(SteppedLedger::new, this::coordination),
            id ->
                NodeSettings.defaults("sim", ClientInSim.address(id))
                    .withCopies(ENGINES.size())
                    .withRetention(SECOND)
                    .withTimeout(3_600 * SECOND, SECOND)
                    .withTraits(NodeTraits.UNKNOWN.with("", ENGINES.get((int) id.value() - 1))));
    cluster.ledger().onTrim(() -> trims++);
    cluster.hosts().subList(0, 2).forEach(SimHost::start);
    CalmCluster.run(world, 60 * SECOND);
    SimHost inMemory = cluster.hosts().getLast();
    cluster
        .network()
        .onSend(
            envelope -> {
              if (envelope.body() instanceof BuildRequest) {
                cluster.ledger().cutOff(inMemory.id(), cutNanos);
              }
            });
    inMemory.start();
    return cluster;
  }

  private SimCoordination coordination(World of, SwarmSettings.CoordinationFaults faults) {
    SimCoordination right = new LaggingCoordination(of, faults);
    return port(
        SimCoordination.class,
        (_, method, given) -> {
          Object answer = method.invoke(right, given);
          return answer instanceof Coordination toIt && given[0] instanceof Life life
              ? port(Coordination.class, (_, call, with) -> called(toIt, life, call, with))
              : answer;
        });
  }

  private static <T> T port(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** The compare-and-set of such a change is done, and its reply is lost. */
  private @Nullable Object called(Coordination to, Life life, Method call, Object[] with)
      throws ReflectiveOperationException {
    if (isFateUnknown
        && call.getName().equals("compareAndSet")
        && with[1].equals(Steward.KEY)
        && isPlacedNow(ClusterStateCodec.decode((Bytes) with[3]))) {
      to.compareAndSet(Long.MAX_VALUE, Steward.KEY, (Long) with[2], (Bytes) with[3]);
      life.post(new Event.CoordinationDone((Long) with[0], new CoordinationResult.Unknown("")));
      return null;
    }
    return call.invoke(to, with);
  }

  /** Whether the last change of a state is new, and gives the node in memory a copy. */
  private boolean isPlacedNow(ClusterState state) {
    NodeId inMemory = new NodeId(ENGINES.size());
    MapChange last = state.lastChange().orElseThrow();
    return last.reason().contains("gets another copy on " + inMemory)
        && unknown.add(last.version());
  }

  private static List<CopyView> inMemory(SimCluster cluster) {
    return ((Node) Objects.requireNonNull(cluster.hosts().getLast().machine())).inspect().copies();
  }

  /** Writes twenty times a second, for so long. */
  private void write(SimCluster cluster, ClientInSim client, Backend backend, long nanos) {
    long until = world.nowNanos() + nanos;
    while (world.nowNanos() < until) {
      BytesTransaction tx =
          backend.transaction(
              ReadLevel.SESSION,
              Isolation.SERIALIZABLE,
              session,
              new TimeLimit(DEADLINE, Optional.empty()));
      tx.put(KEY, Bytes.EMPTY);
      try {
        tx.commit();
      } catch (EcStoreException e) {
        world.line("client", "not written: " + e.getMessage());
      }
      client.pause(SECOND / 20);
      inMemory(cluster).stream()
          .filter(copy -> copy.state() == Copy.State.LOST)
          .forEach(
              copy ->
                  lost.computeIfAbsent(copy.keys().start(), _ -> new TreeSet<>()).add(copy.id()));
    }
  }

  private static Backend backend(ClientInSim client) {
    return new Backend(
        client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1);
  }

  private void assertFollows(SimCluster cluster) {
    List<Copy.State> states = inMemory(cluster).stream().map(CopyView::state).distinct().toList();
    assertEquals(List.of(Copy.State.FOLLOWING), states, () -> FailOverSimTest.all(cluster));
    assertEquals(List.of(), world.violations());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatACopyInMemoryReadsFirstIsKeptForIt(boolean planted) {
    isPlanted = planted;
    cutNanos = 15 * SECOND;
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend = backend(client)) {
      write(cluster, client, backend, 60 * SECOND);
      int before = trims;
      write(cluster, client, backend, 60 * SECOND);
      assertTrue(trims > before, "once the copy is there the ledger is trimmed");
    }
    if (planted) {
      assertTrue(lost.values().stream().anyMatch(ids -> ids.size() > 1), () -> "lost: " + lost);
    } else {
      assertEquals(Map.of(), lost);
      assertFollows(cluster);
    }
  }

  /** It may be recorded all the same, and is here: the steward finds it when it looks anew. */
  @Test
  void alsoWhereTheStewardDoesNotLearnThatItIsPlaced() {
    isFateUnknown = true;
    cutNanos = 15 * SECOND;
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend = backend(client)) {
      write(cluster, client, backend, 120 * SECOND);
    }
    assertFalse(unknown.isEmpty());
    assertTrue(trims > 0, "the ledger is trimmed");
    assertEquals(Map.of(), lost);
    assertFollows(cluster);
  }

  @Test
  void forNoLongerThanACopyMayTakeToBeBuilt() {
    buildNanos = 20 * SECOND;
    cutNanos = 5 * buildNanos;
    SimCluster cluster = started();
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    try (Backend backend = backend(client)) {
      write(cluster, client, backend, 3 * buildNanos);
      int before = trims;
      write(cluster, client, backend, buildNanos);
      assertTrue(trims > before, "it cannot read, and the ledger is trimmed");
      assertEquals(Map.of(), lost);
      cutNanos = 0;
      write(cluster, client, backend, 5 * buildNanos);
    }
    assertFalse(lost.isEmpty(), "it was given up");
    assertFollows(cluster);
  }
}
