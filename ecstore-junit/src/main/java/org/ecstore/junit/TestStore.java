package org.ecstore.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.TupleRange;
import org.ecstore.client.embedded.FaultyCluster;
import org.ecstore.client.embedded.FaultyClusterProvider;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/** A store in a directory of its own, used by one test at a time. */
final class TestStore {
  private static final String OWN = "ecstore";
  private static final Tuple CATALOG = Tuple.of("catalog");
  private static final Tuple BEHIND_CATALOG = Tuple.of("catalog\0");

  private final Path directory;
  private final EcStore store;
  private final Optional<TestCluster> cluster;
  private final Semaphore turn = new Semaphore(1);
  private boolean isUsed;

  private TestStore(Path directory, EcStore store, Optional<TestCluster> cluster) {
    this.directory = directory;
    this.store = store;
    this.cluster = cluster;
  }

  /**
   * Opens one of so many nodes.
   *
   * @param seed of a cluster
   */
  static TestStore open(int nodes, long seed) {
    Path directory;
    try {
      directory = Files.createTempDirectory("ecstore-test");
    } catch (IOException e) {
      throw new UncheckedIOException("no directory for a store", e);
    }
    try {
      return nodes == 1
          ? new TestStore(directory, EcStore.open(directory.resolve("store")), Optional.empty())
          : openCluster(directory, nodes, seed);
    } catch (RuntimeException e) {
      delete(directory);
      throw e;
    }
  }

  private static TestStore openCluster(Path directory, int nodes, long seed) {
    FaultyCluster started = FaultyClusterProvider.startAny(directory.resolve("cluster"), nodes);
    try {
      TestCluster cluster = new TestCluster(started, seed);
      return new TestStore(directory, cluster.store(), Optional.of(cluster));
    } catch (RuntimeException e) {
      started.close();
      throw e;
    }
  }

  EcStore store() {
    return store;
  }

  Path directory() {
    return directory;
  }

  /** Absent where there is one node, which nothing happens to. */
  Optional<TestCluster> cluster() {
    return cluster;
  }

  /** A test begins; it waits for the one that has the store. */
  void begin() throws InterruptedException {
    turn.acquire();
  }

  /** Has a cluster whole, and empties what the tests before have left, unless that is kept. */
  void prepare(String test, boolean keep) {
    cluster.ifPresent(whole -> whole.begin(test));
    if (isUsed && !keep) {
      empty();
    }
    isUsed = true;
  }

  /** It has ended. */
  void end() {
    turn.release();
  }

  /** What the catalog says stays, as a program that opens its tables again would find it. */
  private void empty() {
    store.catalog().tables().forEach(table -> store.catalog().truncate(table.name()));
    List<String> names = others();
    while (!names.isEmpty()) {
      for (String name : names) {
        store.deleteRange(Table.of(name, Codec.bytes()), TupleRange.all());
      }
      names = others();
    }
    Table<Bytes> own = Table.of(OWN, Codec.bytes());
    store.deleteRange(own, TupleRange.before(CATALOG));
    store.deleteRange(own, TupleRange.from(BEHIND_CATALOG));
  }

  private List<String> others() {
    return store.tables().stream().filter(name -> !name.equals(OWN)).toList();
  }

  void close() {
    try {
      cluster.ifPresentOrElse(TestCluster::close, store::close);
    } finally {
      delete(directory);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // What is left of it is in the system's directory of temporary files.
    }
  }
}
