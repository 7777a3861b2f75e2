package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.retry.Backoff;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.client.routing.TimeLimit;
import org.ecstore.client.session.Backend;
import org.ecstore.client.session.BytesTransaction;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.replication.copy.Copy;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.sim.check.LedgerModel;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage.Ask;
import org.ecstore.txn.message.TxnMessage.Asker;
import org.ecstore.txn.message.TxnMessage.Submit;
import org.ecstore.txn.node.NodeMemory;
import org.ecstore.txn.node.NodeParts;
import org.ecstore.txn.node.NodeSettings;
import org.ecstore.txn.sequencer.Sequencer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A copy lags so far behind that a sequencer may forget no outcome and has room for no more (rule
 * 7): it takes nothing, and goes on once the copy has read on, or is given up.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class ManyOutcomesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final Bytes KEY = Bytes.utf8("k");
  private static final int NODES = 3;
  private static final int OUTCOMES = 60;
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  private final SessionToken session = new SessionToken(ReadPoint.ZERO);
  private final World world = new World(1, new Trace(null));
  private final NodeParts parts = new Forgetful();
  private final Map<NodeId, Sequencer> sequencers = new TreeMap<>();
  private boolean forgetsWhatItRefused;
  private int retries;

  private final class Forgetful extends FrequentCheckpoints {
    @Override
    public Sequencer sequencer(
        NodeContext context,
        LedgerView ledgerView,
        NodeSettings settings,
        Supplier<List<Member>> members,
        Runnable activated) {
      Sequencer made =
          new Sequencer(context, ledgerView, often(settings), members, activated) {
            @Override
            protected boolean mayComeAgain(TxnId txn) {
              return !forgetsWhatItRefused && super.mayComeAgain(txn);
            }
          };
      sequencers.put(context.self(), made);
      return made;
    }
  }

  private final SimCluster cluster =
      CalmCluster.of(
          world,
          NODES,
          parts,
          id ->
              NodeSettings.defaults("sim", ClientInSim.address(id))
                  .withCopies(NODES)
                  .withRetention(SECOND)
                  .withTimeout(300 * SECOND, 5 * SECOND)
                  .withMemory(new NodeMemory(0, 1 << 20, 1 << 20, 1 << 20, OUTCOMES, 1_000)));

  /** What waited for so long that its snapshot is too old by then is begun again. */
  private void write(Backend backend) {
    boolean done = false;
    while (!done) {
      try {
        tryToWrite(backend);
        done = true;
      } catch (SnapshotTooOldException | UnknownOutcomeException e) {
        retries++;
      }
    }
  }

  private void tryToWrite(Backend backend) {
    BytesTransaction tx =
        backend.transaction(
            ReadLevel.SESSION,
            Isolation.SERIALIZABLE,
            session,
            new TimeLimit(DEADLINE, Optional.empty()));
    tx.put(KEY, Bytes.EMPTY);
    tx.commit();
  }

  private SimHost lagging() {
    return FailOverSimTest.copies(cluster, Copy.State.FOLLOWING).values().stream()
        .flatMap(List::stream)
        .filter(held -> held.copy().keys().contains(KEY))
        .map(FailOverSimTest.Held::node)
        .filter(node -> !cluster.coordination().leader().equals(Optional.of(node)))
        .map(node -> cluster.hosts().get((int) node.value() - 1))
        .findFirst()
        .orElseThrow();
  }

  private ClientInSim started() {
    cluster.hosts().forEach(SimHost::start);
    ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
    client.pause(60 * SECOND);
    return client;
  }

  private static Backend backend(ClientInSim client) {
    return new Backend(
        client, client, new Backoff(MILLI, SECOND), Duration.ofSeconds(5), DEADLINE, 1);
  }

  /** A node whose copy holds back what sequencers may forget, as it is away. */
  private SimHost lagsFromNowOn(ClientInSim client, Backend backend) {
    write(backend);
    client.pause(5 * SECOND);
    SimHost gone = lagging();
    gone.crash();
    return gone;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void goesOnOnceACopyThatLagsIsBackOrIsGivenUp(boolean comesBack) {
    ClientInSim client = started();
    try (Backend backend = backend(client)) {
      SimHost gone = lagsFromNowOn(client, backend);
      long began = world.nowNanos();
      if (comesBack) {
        world.scheduler().after(20 * SECOND, gone::start);
      }
      for (int number = 0; number < 3 * OUTCOMES; number++) {
        write(backend);
      }
      long seconds = (world.nowNanos() - began) / SECOND;
      assertTrue(retries > 0);
      assertTrue(seconds >= (comesBack ? 15 : 25), () -> "was full for " + seconds + " s only");
      // Long before a node that is gone is given up elsewhere.
      assertTrue(seconds < 100, () -> "was full for " + seconds + " s");
    }
    assertEquals(List.of(), world.violations());
  }

  private Sequencer leading() {
    NodeId leader = cluster.coordination().leader().orElseThrow();
    return Objects.requireNonNull(sequencers.get(leader));
  }

  private static Submit submission(TxnId txn, NodeId from, Position snapshot) {
    return new Submit(
        1,
        txn,
        from,
        1,
        new ReadPoint(snapshot, MapVersion.ZERO),
        Isolation.SERIALIZABLE,
        List.of(),
        List.of(new KeyWrite(KEY, Optional.of(Bytes.EMPTY))),
        CatalogStamp.at(0));
  }

  /**
   * A participant asks about what the sequencer has refused for want of room (decision 0062): an
   * abort would take the room that its next try waits for. With the planted bug it does.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aQuestionAboutWhatWaitsForRoomTakesNone(boolean isPlanted) {
    forgetsWhatItRefused = isPlanted;
    ClientInSim client = started();
    try (Backend backend = backend(client)) {
      SimHost gone = lagsFromNowOn(client, backend);
      while (leading().outcomesKept() < OUTCOMES) {
        write(backend);
      }
      TxnId txn = new TxnId(7, 7);
      Position snapshot = leading().durable();
      Sequencer sequencer = leading();
      world
          .scheduler()
          .after(
              1,
              () -> {
                sequencer.submit(gone.id(), submission(txn, gone.id(), snapshot));
                sequencer.ask(gone.id(), new Ask(2, txn, snapshot, Asker.PARTICIPANT));
              });
      client.pause(SECOND / 2);
      LedgerModel model = new LedgerModel();
      model.catchUp(cluster.ledger().durable());
      assertEquals(isPlanted, model.decision(txn) != null);
    }
  }
}
