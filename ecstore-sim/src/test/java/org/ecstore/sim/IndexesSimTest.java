package org.ecstore.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Index;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.Table;
import org.ecstore.client.Transaction;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
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
import org.ecstore.txn.node.NodeSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;

/**
 * An index never differs from its table at any snapshot (rule 27, decision 0064): programs with and
 * without it write by the client library on simulated nodes that go and come back, transactions
 * stay open meanwhile, and the index is made, built, made anew and dropped.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class IndexesSimTest {
  private static final long MILLI = SwarmSettings.MILLI;
  private static final long SECOND = SwarmSettings.SECOND;
  private static final int STEPS = 150;

  /** A program: its store, and what it declares. */
  private static final class Program implements AutoCloseable {
    final EcStore store;
    final Table<String> words = Table.of("words", Codec.utf8());
    final List<ManualTransaction> open = new ArrayList<>();

    Program(World world, SimCluster cluster) {
      ClientInSim client = new ClientInSim(world, cluster.network(), cluster.hosts());
      store = EcStore.over(client, EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(20)), client);
    }

    @Override
    public void close() {
      open.forEach(ManualTransaction::rollback);
      store.close();
    }
  }

  private static final class Scenario {
    private final World world;
    private final SimCluster cluster;
    private final SimRandom random;
    private final Program first;
    private final Program second;
    private final Program unknowing;
    private final Index<String> index;
    private final Index<String> ofSecond;
    private int refused;
    private int compared;

    Scenario(long seed, NodeMutation variant) {
      world = new World(seed, new Trace(null));
      cluster =
          new SimCluster(
              world,
              CalmCluster.settings(4, 20 * MILLI),
              variant,
              id -> NodeSettings.defaults("sim", ClientInSim.address(id)).withCopies(3));
      random = world.random("indexes");
      cluster.hosts().forEach(SimHost::start);
      CalmCluster.run(world, 60 * SECOND);
      first = new Program(world, cluster);
      second = new Program(world, cluster);
      unknowing = new Program(world, cluster);
      index = declared(first);
      ofSecond = declared(second);
    }

    private static Index<String> declared(Program program) {
      return program.words.indexEach("by-letter", IndexesSimTest::letters);
    }

    void run() {
      trouble(world.nowNanos() + 600 * SECOND);
      for (int step = 0; step < STEPS; step++) {
        try {
          step();
        } catch (WrongArgumentException e) {
          refused++;
        } catch (EcStoreException e) {
          // A conflict, or a node was away for long: nothing was done, or it was not known whether.
        }
        CalmCluster.run(world, random.between(1, 500) * MILLI);
        compare(random.chance(0.5) ? first : second);
      }
      List.of(first, second, unknowing).forEach(Program::close);
      try (Program last = new Program(world, cluster)) {
        Index<String> declared = declared(last);
        last.store.catalog().open(last.words).forEach(last.store.catalog()::build);
        assertEquals(List.of(), last.store.catalog().verify(declared).differences());
        compare(last);
      }
      assertEquals(List.of(), world.violations());
    }

    private void trouble(long endNanos) {
      world
          .scheduler()
          .after(
              random.between(1_000, 15_000) * MILLI,
              () -> {
                if (world.nowNanos() < endNanos) {
                  SimHost host =
                      random.chance(0.5)
                          ? CalmCluster.leader(cluster)
                          : random.pick(cluster.hosts());
                  host.crash();
                  world.scheduler().after(random.between(50, 3_000) * MILLI, host::start);
                  trouble(endNanos);
                }
              });
    }

    private void step() {
      Program program = random.chance(0.5) ? first : second;
      switch (random.between(0, 11)) {
        case 0 -> first.store.catalog().open(first.words);
        case 1 -> program.store.catalog().build(program == first ? index : ofSecond);
        case 2 -> program.store.catalog().rebuild(program == first ? index : ofSecond);
        case 3 -> program.store.catalog().drop("words", "by-letter");
        case 4, 5 -> begin(random.chance(0.5) ? unknowing : program);
        case 6, 7 -> commit(random.chance(0.5) ? unknowing : program);
        case 8, 9 -> unknowing.store.with(isolation()).execute(tx -> write(unknowing, tx));
        default -> program.store.with(isolation()).execute(tx -> write(program, tx));
      }
    }

    private Isolation isolation() {
      return random.chance(0.5) ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
    }

    private void begin(Program program) {
      if (program.open.size() < 3) {
        ManualTransaction tx = program.store.with(isolation()).begin();
        program.open.add(tx);
        write(program, tx);
      }
    }

    private void commit(Program program) {
      if (!program.open.isEmpty()) {
        try (ManualTransaction tx = program.open.removeFirst()) {
          tx.commit();
        }
      }
    }

    private void write(Program program, Transaction tx) {
      for (int i = random.between(0, 3); i >= 0; i--) {
        Tuple key = Tuple.of(random.between(0L, 15L));
        if (random.chance(0.3)) {
          tx.delete(program.words, key);
        } else {
          tx.put(program.words, key, word());
        }
      }
    }

    private String word() {
      StringBuilder word = new StringBuilder();
      for (int i = random.between(0, 3); i >= 0; i--) {
        word.append((char) ('a' + random.between(0, 4)));
      }
      return word.toString();
    }

    /** At one snapshot the index is what its table makes of it, if it may be read then. */
    private void compare(Program program) {
      Index<String> by = program.words.indexes().getFirst();
      try {
        program.store.read(
            random.chance(0.5) ? ReadLevel.SESSION : ReadLevel.STRONG,
            at -> {
              List<Tuple> found = at.scan(by).stream().map(entry -> entry.key()).sorted().toList();
              List<Tuple> expected = new ArrayList<>();
              at.scan(program.words)
                  .forEach(entry -> letters(entry.value()).forEach(_ -> expected.add(entry.key())));
              assertEquals(expected, found, () -> "at " + at.readPoint());
              return null;
            });
        compared++;
      } catch (EcStoreException e) {
        // It is not there, not built, being dropped; or a node was away for long.
      }
    }
  }

  private static TreeSet<String> letters(String word) {
    TreeSet<String> letters = new TreeSet<>();
    word.chars().forEach(letter -> letters.add(String.valueOf((char) letter)));
    return letters;
  }

  @ParameterizedTest
  @Seeds(few = 3, many = 40)
  void anIndexNeverDiffersFromItsTable(long seed) {
    Scenario scenario = new Scenario(seed, NodeMutation.RIGHT);
    scenario.run();
    assertTrue(scenario.compared > 3, () -> scenario.compared + " times read");
    assertTrue(scenario.refused > 3, () -> scenario.refused + " times refused");
  }

  @Test
  void writesOfProgramsThatDoNotKnowOfItAreNoticed() {
    NodeMutation planted =
        Objects.requireNonNull(
            new TreeMap<>(new PlantedCatalogs().plants()).get("catalog-is-not-checked"));
    assertThrows(
        AssertionError.class,
        () -> {
          for (long seed = 1; seed <= 10; seed++) {
            new Scenario(seed, planted).run();
          }
        });
  }
}
