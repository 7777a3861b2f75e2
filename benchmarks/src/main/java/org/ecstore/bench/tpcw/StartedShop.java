package org.ecstore.bench.tpcw;

import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.ecstore.bench.store.EcStoreTarget;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.ecstore.EcStoreBookstore;
import org.ecstore.bookstore.ecstore.EcStoreFiller;
import org.ecstore.bookstore.mariadb.MariaDbBookstore;
import org.ecstore.bookstore.mariadb.MariaDbFiller;
import org.ecstore.bookstore.mariadb.MariaDbSettings;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.bookstore.web.Signature;
import org.ecstore.client.EcStore;
import org.ecstore.cluster.process.ProcessCluster;
import org.ecstore.model.Isolation;

/** A store that was started here, with a shop in it. */
public final class StartedShop {
  /** As users name the stores that have a shop. */
  public static final List<String> STORES = List.of("ecstore", "mariadb");

  /** Of MariaDB, the password too: a server of a measurement that only this machine reaches. */
  private static final String MARIADB_USER = "bench";

  private static final int KEY_BYTES = 32;

  /** Of the shop's application, in Base64: browsers have cookies of earlier visits by it. */
  private final String key = newKey();

  private final StartedTarget target;
  private final Isolation isolation;
  private final int connections;

  /**
   * On a store of ecStore, or of MariaDB.
   *
   * @param connections to MariaDB at once; ecStore's client has its own
   */
  public StartedShop(StartedTarget target, Isolation isolation, int connections) {
    this.target = target;
    this.isolation = isolation;
    this.connections = connections;
  }

  private static String newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return Base64.getEncoder().encodeToString(key);
  }

  /** By what the shop's application knows who has logged in. */
  Signature signature() {
    return Signature.by(key);
  }

  /** The store. */
  public StartedTarget target() {
    return target;
  }

  /** The processes of ecStore's nodes; absent of another store. */
  public Optional<ProcessCluster> cluster() {
    return target instanceof EcStoreTarget nodes ? nodes.cluster() : Optional.empty();
  }

  private boolean isEcStore() {
    return target instanceof EcStoreTarget;
  }

  /**
   * Fills it.
   *
   * @param progress is told how many records more are written, of {@link TpcwPopulation#records()}
   */
  public void fill(TpcwPopulation population, LongConsumer progress) throws InterruptedException {
    if (!isEcStore()) {
      MariaDbFiller.fill(settings(), population, progress);
      return;
    }
    try (EcStore store = EcStore.connect(target.address())) {
      EcStoreFiller.fill(store, population, progress);
    }
  }

  /** Opens its shop; closing that closes its connections. */
  public Bookstore open() {
    if (!isEcStore()) {
      return MariaDbBookstore.open(settings());
    }
    return EcStoreBookstore.owning(EcStore.connect(target.address()), isolation);
  }

  /** What the shop's application is told of the store. */
  public Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(ofStore());
    properties.put("bookstore.key", key);
    return properties;
  }

  private Map<String, String> ofStore() {
    return isEcStore()
        ? Map.of(
            "bookstore.store",
            "ecstore",
            "ecstore.nodes",
            target.address(),
            "ecstore.isolation",
            isolation.name())
        : Map.of(
            "bookstore.store",
            "mariadb",
            "bookstore.url",
            url(target),
            "bookstore.user",
            MARIADB_USER,
            "bookstore.password",
            MARIADB_USER,
            "bookstore.isolation",
            settings().isolation().name(),
            "bookstore.connections",
            Integer.toString(connections),
            "spring.profiles.active",
            "mariadb");
  }

  private static String url(StartedTarget target) {
    return "jdbc:mariadb://" + target.address() + "/ycsb";
  }

  private MariaDbSettings settings() {
    MariaDbSettings.Isolation theirs =
        isolation == Isolation.SERIALIZABLE
            ? MariaDbSettings.Isolation.SERIALIZABLE
            : MariaDbSettings.Isolation.REPEATABLE_READ;
    return MariaDbSettings.of(url(target), MARIADB_USER, MARIADB_USER, connections).with(theirs);
  }
}
