package org.ecstore.client;

import java.util.Random;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;

/** A store on a fake cluster of three nodes, its ranges cut where a test says. */
final class StoreFixture implements AutoCloseable {
  static final Table<String> WORDS = Table.of("words", Codec.utf8());

  final FakeTime time;
  final FakeCluster cluster;
  final EcStore store;

  StoreFixture(long seed) {
    this(seed, EcStoreOptions.DEFAULT);
  }

  StoreFixture(long seed, EcStoreOptions options) {
    time = new FakeTime(seed);
    cluster = new FakeCluster(time, "n1:1", "n2:1", "n3:1");
    store = EcStore.over(cluster, options, time);
  }

  static Tuple key(long number) {
    return Tuple.of(number);
  }

  static Bytes stored(long number) {
    return WORDS.key(key(number));
  }

  /** Cuts the table at a few random keys and deals its ranges to the nodes. */
  void scatter(Random random, int keys) {
    for (int i = random.nextInt(5); i > 0; i--) {
      Bytes at = stored(random.nextInt(keys));
      cluster.store().split(at);
      cluster.store().move(at, "n" + (1 + random.nextInt(3)) + ":1");
    }
  }

  @Override
  public void close() {
    store.close();
  }
}
