package org.ecstore.bookstore.mariadb;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.ecstore.bookstore.population.BatchedFill;
import org.ecstore.bookstore.population.TpcwPopulation;

/** Fills a database with a new shop: in transactions of some hundred records, by some threads. */
public final class MariaDbFiller {
  private static final int BATCH = 500;

  private static final String FILLED =
      "INSERT INTO shop (id, items, customers, orders, opened) VALUES (1, ?, ?, ?, ?)";

  private final MariaDbSettings settings;
  private final TpcwPopulation population;
  private final LongConsumer progress;

  private MariaDbFiller(
      MariaDbSettings settings, TpcwPopulation population, LongConsumer progress) {
    this.settings = settings;
    this.population = population;
    this.progress = progress;
  }

  /** Writes what belongs to some numbers. */
  private interface Writer {
    void write(Connection connection, List<Long> numbers) throws SQLException;
  }

  /**
   * A table, or some with the same numbers.
   *
   * @param records that are told to be written for each number
   */
  private record Part(long count, long records, Writer writer) {}

  /**
   * Makes the tables and fills them.
   *
   * @param progress is told how many records were written since it was told last, of {@link
   *     TpcwPopulation#records()}; by any thread
   * @throws IllegalStateException if there is a shop, or a part of one
   * @throws MariaDbException if the database cannot do it
   */
  public static void fill(
      MariaDbSettings settings, TpcwPopulation population, LongConsumer progress)
      throws InterruptedException {
    try {
      new MariaDbFiller(settings, population, progress).fill();
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  /** Drops the tables of a shop, or of a part of one. */
  public static void drop(MariaDbSettings settings) {
    try (Connection connection = connect(settings)) {
      for (String table : SqlTables.NAMES.reversed()) {
        Sql.execute(connection, "DROP TABLE IF EXISTS " + table);
      }
    } catch (SQLException e) {
      throw failed(e);
    }
  }

  private static MariaDbException failed(Throwable e) {
    return new MariaDbException("the shop cannot be filled: " + e.getMessage(), e);
  }

  private static Connection connect(MariaDbSettings settings) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", settings.user());
    properties.setProperty("password", settings.password());
    properties.setProperty("useServerPrepStmts", "true");
    properties.setProperty("useBulkStmts", "true");
    return DriverManager.getConnection(settings.url(), properties);
  }

  private void fill() throws SQLException, InterruptedException {
    try (Connection connection = connect(settings)) {
      make(connection);
    }
    for (Part part : parts()) {
      write(part);
    }
    try (Connection connection = connect(settings)) {
      // The optimizer knows the tables before the first page is asked for.
      Sql.execute(connection, "ANALYZE TABLE " + String.join(", ", SqlTables.NAMES));
      finish(connection);
    }
  }

  private static void make(Connection connection) throws SQLException {
    if (SqlTables.isMade(connection)) {
      throw new IllegalStateException(
          SqlTables.isFilled(connection)
              ? "there is a shop in this database: name another one, or drop its tables first"
              : "the filling of this shop was broken off: drop its tables first");
    }
    for (String table : SqlTables.create()) {
      Sql.execute(connection, table);
    }
    SqlPopulation.countries(connection);
  }

  private void finish(Connection connection) throws SQLException {
    Sql.update(
        connection,
        FILLED,
        arguments ->
            arguments
                .add(population.items())
                .add(population.customers())
                .add(population.orders())
                .add(population.opened()));
  }

  private List<Part> parts() {
    SqlPopulation rows = new SqlPopulation(population);
    return List.of(
        new Part(population.authors(), 1, rows::authors),
        new Part(population.items(), 2, rows::items),
        new Part(population.addresses(), 1, rows::addresses),
        new Part(population.customers(), 1, rows::customers),
        new Part(population.orders(), 2, rows::orders));
  }

  private void write(Part part) throws InterruptedException {
    try {
      BatchedFill.run(
          part.count(),
          BATCH,
          () -> rowsOf(part.writer()),
          numbers -> progress.accept(numbers * part.records()));
    } catch (ExecutionException e) {
      throw failed(Objects.requireNonNullElse(e.getCause(), e));
    }
  }

  /** By a connection of its own. */
  private BatchedFill.Writer rowsOf(Writer writer) throws SQLException {
    Connection connection = connect(settings);
    connection.setAutoCommit(false);
    return new BatchedFill.Writer() {
      @Override
      public void write(long from, long to) throws SQLException {
        writer.write(connection, LongStream.rangeClosed(from, to).boxed().toList());
        connection.commit();
      }

      @Override
      public void close() {
        try {
          connection.close();
        } catch (SQLException e) {
          throw failed(e);
        }
      }
    };
  }
}
