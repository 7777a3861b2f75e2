package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Session;
import org.ecstore.client.Snapshot;
import org.ecstore.client.Table;
import org.ecstore.client.error.AlreadyExistsException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.core.message.Envelope;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.sim.node.NodeMutation;
import org.ecstore.sim.node.SimCluster;
import org.ecstore.sim.node.SimHost;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.sim.world.Trace;
import org.ecstore.sim.world.World;
import org.ecstore.txn.message.TxnMessage;
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * What comes of a transaction at STRONG rests on all that was acknowledged before it, though it
 * asks the sequencer nothing at first (rule 9, decision 0094). Programs that have not heard of one
 * another run transactions by the client library, one at a time, so that each must find what those
 * before it have left; participants hear late of what was decided, and nodes go and come back.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class EarlyTriesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int STEPS = 300;
  private static final long KEYS = 16;
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  /** How transactions are begun, and what of them is validated. */
  private record Way(ReadLevel level, Isolation isolation) {
    static final Way RIGHT = new Way(ReadLevel.STRONG, Isolation.SERIALIZABLE);

    /** A bug: what an early try has read counts, whatever becomes of it. */
    static final Way NO_SECOND_TRY = new Way(ReadLevel.SESSION, Isolation.SERIALIZABLE);

    /** A bug: transactions are tried early of which no read is validated. */
    static final Way NOT_VALIDATED = new Way(ReadLevel.SESSION, Isolation.SNAPSHOT);
  }

  /** What work throws that does not like what it has read. */
  private static final class DislikedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Optional<String>> seen;

    DislikedException(List<Optional<String>> seen) {
      super("not as it should be");
      this.seen = seen;
    }
  }

  private static final class Scenario {
    private final World world;
    private final SimCluster cluster;
    private final SimRandom random;
    private final Way way;
    private final List<EcStore> programs = new ArrayList<>();

    /** What was acknowledged. */
    private final Map<Long, String> words = new TreeMap<>();

    /** The greater of the keys that were written last: its primary hears of it from another. */
    private long lastKey;

    private long written;
    private int compared;
    private int stale;
    private int committedStale;
    private int triedTwice;
    private int writtenAtOnce;
    private int runs;

    Scenario(long seed, Way way) {
      this.way = way;
      world = new World(seed, new Trace(null));
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(4, 20 * MILLI),
              NodeMutation.RIGHT,
              id ->
                  NodeSettings.defaults("sim", ClientInSim.address(id))
                      .withCopies(3)
                      .withSplitHints(List.of(stored(4), stored(8), stored(12))));
      random = world.random("early tries");
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      cluster.network().onSend(this::delay);
      for (int i = 0; i < 3; i++) {
        ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
        programs.add(
            EcStore.over(client, EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(60)), client));
      }
    }

    private static Bytes stored(long key) {
      return Tuple.of("words", key).encode();
    }

    /** A participant that something was decided for often hears nothing at all for a while. */
    private void delay(Envelope envelope) {
      if (envelope.body() instanceof TxnMessage.Decided && random.chance(0.3)) {
        long nanos = random.between(20, 400) * MILLI;
        for (SimHost host : cluster.hosts()) {
          cluster.network().slow(host.id().value(), envelope.to().value(), nanos);
        }
      }
    }

    private void trouble(long endNanos) {
      world
          .scheduler()
          .after(
              random.between(1_000, 10_000) * MILLI,
              () -> {
                if (world.nowNanos() < endNanos) {
                  SimHost host = random.pick(cluster.hosts());
                  host.crash();
                  world.scheduler().after(random.between(50, 3_000) * MILLI, host::start);
                  trouble(endNanos);
                }
              });
    }

    void run() {
      trouble(world.nowNanos() + 300 * SECOND);
      for (int i = 0; i < STEPS; i++) {
        try {
          step(random.pick(programs).with(way.level()).with(way.isolation()));
        } catch (UnknownOutcomeException e) {
          settle();
        } catch (EcStoreException e) {
          // A node was away for long: nothing was done.
        }
        CalmCluster.run(world, random.between(0, 50) * MILLI);
      }
      settle();
      programs.forEach(EcStore::close);
      assertEquals(List.of(), world.violations());
      assertTrue(compared > STEPS / 2, () -> compared + " compared");
    }

    private void step(Session session) {
      List<Long> keys =
          List.of(
              random.chance(0.6) ? lastKey : random.between(0L, KEYS - 1),
              random.between(0L, KEYS - 1));
      runs = 0;
      // What is right is tried early less often where more tries are in vain.
      switch (random.between(0, way.equals(Way.RIGHT) ? 39 : 9)) {
        case 0 -> look(session, keys);
        case 1 -> dislike(session, keys);
        case 2 -> insert(session, keys.getFirst());
        case 3 -> {
          session.execute(tx -> tx.delete(WORDS, Tuple.of(keys.getFirst())));
          words.remove(keys.getFirst());
        }
        default -> write(session, keys, random.chance(0.6) ? keys : keys.subList(1, 2));
      }
    }

    private List<Optional<String>> seen(Snapshot at, List<Long> keys) {
      runs++;
      return keys.stream().map(key -> at.get(WORDS, Tuple.of(key))).toList();
    }

    /** Whether it is what was acknowledged. */
    private boolean compare(List<Long> keys, List<Optional<String>> seen) {
      compared++;
      boolean isRight =
          keys.stream().map(key -> Optional.ofNullable(words.get(key))).toList().equals(seen);
      stale += isRight ? 0 : 1;
      return isRight;
    }

    private void look(Session session, List<Long> keys) {
      boolean _ = compare(keys, session.transact(tx -> seen(tx, keys)));
      triedTwice += runs > 1 ? 1 : 0;
    }

    private void dislike(Session session, List<Long> keys) {
      try {
        session.<DislikedException>execute(
            tx -> {
              throw new DislikedException(seen(tx, keys));
            });
      } catch (DislikedException e) {
        boolean _ = compare(keys, e.seen);
        triedTwice += runs > 1 ? 1 : 0;
      }
    }

    private void insert(Session session, long key) {
      String word = Long.toString(++written);
      boolean isThere = words.containsKey(key);
      compared++;
      try {
        session.execute(tx -> tx.insert(WORDS, Tuple.of(key), word));
        words.put(key, word);
        stale += isThere ? 1 : 0;
      } catch (AlreadyExistsException e) {
        stale += isThere ? 0 : 1;
      }
    }

    private void write(Session session, List<Long> keys, List<Long> changed) {
      String word = Long.toString(++written);
      List<Optional<String>> found =
          session.transact(
              tx -> {
                List<Optional<String>> seen = seen(tx, keys);
                changed.forEach(key -> tx.put(WORDS, Tuple.of(key), word));
                return seen;
              });
      committedStale += compare(keys, found) ? 0 : 1;
      changed.forEach(key -> words.put(key, word));
      lastKey = changed.stream().max(Long::compare).orElseThrow();
      writtenAtOnce += runs == 1 ? 1 : 0;
    }

    /** What became of a commit is not known: once that is over it is looked at. */
    private void settle() {
      CalmCluster.run(world, 60 * SECOND);
      Map<Long, String> now =
          programs
              .getFirst()
              .read(
                  ReadLevel.STRONG,
                  at -> {
                    Map<Long, String> found = new TreeMap<>();
                    for (long key = 0; key < KEYS; key++) {
                      long each = key;
                      at.get(WORDS, Tuple.of(each)).ifPresent(word -> found.put(each, word));
                    }
                    return found;
                  });
      words.clear();
      words.putAll(now);
    }
  }

  private static Scenario played(long seed, Way way) {
    Scenario scenario = new Scenario(seed, way);
    scenario.run();
    return scenario;
  }

  @ParameterizedTest
  @Seeds(few = 4, many = 60)
  void whatComesOfATransactionRestsOnAllThatWasAcknowledgedBefore(long seed) {
    Scenario scenario = played(seed, Way.RIGHT);
    assertEquals(0, scenario.stale);
    assertTrue(scenario.writtenAtOnce > STEPS / 4, () -> scenario.writtenAtOnce + " at once");
  }

  @Test
  void someAreTriedTwiceAndWouldOtherwiseBeStale() {
    int triedTwice = 0;
    int stale = 0;
    for (long seed = 1; seed <= 3; seed++) {
      triedTwice += played(seed, Way.RIGHT).triedTwice;
      Scenario wrong = played(seed, Way.NO_SECOND_TRY);
      stale += wrong.stale;
      assertEquals(0, wrong.committedStale);
    }
    assertTrue(triedTwice > 0, "tried twice");
    assertTrue(stale > 0, "stale without a second try");
  }

  @Test
  void whatIsNotValidatedMustNotBeTriedEarly() {
    int stale = 0;
    for (long seed = 1; seed <= 3; seed++) {
      stale += played(seed, Way.NOT_VALIDATED).committedStale;
    }
    assertTrue(stale > 0, "stale without validation");
  }
}
