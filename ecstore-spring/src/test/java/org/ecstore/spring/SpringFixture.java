package org.ecstore.spring;

import java.util.function.UnaryOperator;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.spi.Connector;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A store on a fake cluster as a bean of an application. */
final class SpringFixture implements AutoCloseable {
  static final Table<Long> BALANCES = Table.of("balances", Codec.longs());

  final ThreadCommits commits = new ThreadCommits();
  final FakeTime time = new FakeTime(1);
  final FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1");
  final EcStore store;
  final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

  SpringFixture(Class<?>... configurations) {
    this(EcStoreOptions.DEFAULT, way -> way, configurations);
  }

  /**
   * One with other options.
   *
   * @param way to the cluster, in place of its own
   */
  SpringFixture(EcStoreOptions options, UnaryOperator<Connector> way, Class<?>... configurations) {
    store = EcStore.over(way.apply(cluster), options.observer(commits), time);
    context.registerBean(EcStore.class, () -> store);
    context.registerBean(ThreadCommits.class, () -> commits);
    if (configurations.length > 0) {
      context.register(configurations);
      context.refresh();
    }
  }

  @Override
  public void close() {
    context.close();
    store.close();
  }
}
