package org.ecstore.bookstore.web;

import java.nio.file.Path;
import java.time.Instant;
import org.ecstore.bookstore.Bookstore;
import org.ecstore.bookstore.ecstore.EcStoreFiller;
import org.ecstore.bookstore.population.TpcwPopulation;
import org.ecstore.client.EcStore;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole application over HTTP, filled, on a store in this JVM. */
final class FilledShop implements AutoCloseable {
  static final TpcwPopulation POPULATION =
      new TpcwPopulation(100, 60, Instant.parse("2026-06-01T00:00:00Z"));

  private final ConfigurableApplicationContext context;

  private FilledShop(ConfigurableApplicationContext context) {
    this.context = context;
  }

  /** Fills an empty directory and starts the application on it. */
  static FilledShop open(Path directory) throws Exception {
    try (EcStore store = EcStore.open(directory)) {
      EcStoreFiller.fill(store, POPULATION, records -> {});
    }
    return new FilledShop(
        started(
            "--server.port=0",
            "--ecstore.directory=" + directory,
            // Selenium warns of browsers that are newer than it.
            "--logging.level.org.openqa.selenium=error"));
  }

  /**
   * The application, started with properties; never two at a time, as each start sets up the one
   * logging of the process.
   */
  static synchronized ConfigurableApplicationContext started(String... properties) {
    return SpringApplication.run(BookstoreApplication.class, properties);
  }

  /** Where it answers, without a slash at the end. */
  String root() {
    return "http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port");
  }

  /** The data that its pages show. */
  Bookstore data() {
    return context.getBean(Bookstore.class);
  }

  @Override
  public void close() {
    context.close();
  }
}
