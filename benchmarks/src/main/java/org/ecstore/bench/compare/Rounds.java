package org.ecstore.bench.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.server.shutdown.ShutdownHooks;

/**
 * Rounds in which each store has its turn, in another order each time, while all others are held
 * still: what the machine does besides, and how it changes, falls on all of them alike.
 */
public final class Rounds {
  /** Measures a store that runs alone. */
  public interface Client {
    /**
     * One cell.
     *
     * @throws IOException if it comes to nothing; the message says why
     */
    ObjectNode measure(StartedTarget store, Cell cell) throws IOException, InterruptedException;
  }

  /** Lets a store that was held still come to rest before it is measured. */
  public interface Settling {
    /** Waits. */
    void await() throws InterruptedException;
  }

  private final Map<String, StartedTarget> stores;
  private final List<Cell> cells;
  private final Client client;
  private final Settling settling;
  private final Consumer<String> progress;
  private final KeptCells kept;
  private int done;
  private int all;

  /**
   * For stores that are held still.
   *
   * @param stores by their names
   * @param progress is told each result
   */
  public Rounds(
      Map<String, StartedTarget> stores,
      List<Cell> cells,
      Client client,
      Settling settling,
      Consumer<String> progress) {
    this(stores, cells, client, settling, progress, KeptCells.none());
  }

  /**
   * As above.
   *
   * @param kept has what need not be measured, and gets what was
   */
  public Rounds(
      Map<String, StartedTarget> stores,
      List<Cell> cells,
      Client client,
      Settling settling,
      Consumer<String> progress,
      KeptCells kept) {
    this.stores = stores;
    this.cells = List.copyOf(cells);
    this.client = client;
    this.settling = settling;
    this.progress = progress;
    this.kept = kept;
  }

  /**
   * Runs so many rounds; the seed decides their order. What fails is noted, and does not end it.
   *
   * @throws InterruptedException also if this process is ending: what fails then fails because of
   *     that
   */
  public void run(int rounds, long seed, Comparison comparison) throws InterruptedException {
    Random random = new Random(seed);
    done = 0;
    all = rounds * stores.size() * cells.size();
    for (int round = 1; round <= rounds; round++) {
      List<String> order = new ArrayList<>(stores.keySet());
      Collections.shuffle(order, random);
      // The same for all stores of a round: what updates leave behind meets the same reads.
      List<Cell> mixed = new ArrayList<>(cells);
      Collections.shuffle(mixed, random);
      for (String name : order) {
        turn(round, name, mixed, comparison);
      }
    }
  }

  private void turn(int round, String name, List<Cell> mixed, Comparison comparison)
      throws InterruptedException {
    StartedTarget store = Objects.requireNonNull(stores.get(name), name);
    List<Cell> left = new ArrayList<>();
    for (Cell cell : mixed) {
      kept.of(round, name, cell)
          .ifPresentOrElse(
              result -> comparison.add(round, name, cell, result), () -> left.add(cell));
    }
    done += mixed.size() - left.size();
    if (left.isEmpty()) {
      return; // It stays as it is.
    }
    try {
      store.resume();
      settling.await();
      while (!left.isEmpty()) {
        Cell cell = left.removeFirst();
        measure(round, store, name, cell, comparison);
      }
    } catch (IOException e) {
      for (Cell cell : left) {
        failed(round, name, cell, e, comparison);
      }
    } finally {
      pause(round, store, name);
    }
  }

  private void measure(
      int round, StartedTarget store, String name, Cell cell, Comparison comparison)
      throws InterruptedException {
    try {
      ObjectNode result = client.measure(store, cell);
      comparison.add(round, name, cell, result);
      progress.accept(
          "%d of %d, ".formatted(++done, all)
              + title(round, name, cell)
              + "%,.0f per s".formatted(result.path("throughput").asDouble())
              + errors(result));
      keep(round, name, cell, result);
    } catch (IOException e) {
      failed(round, name, cell, e, comparison);
    }
  }

  /** That a result cannot be kept is no failure of its store. */
  private void keep(int round, String name, Cell cell, ObjectNode result) {
    try {
      kept.keep(round, name, cell, result);
    } catch (IOException e) {
      progress.accept(title(round, name, cell) + "is not kept: " + e.getMessage());
    }
  }

  /** A store that answers nothing but errors would else only seem slow. */
  private static String errors(ObjectNode result) {
    long errors = result.path("errors").asLong();
    return errors == 0
        ? ""
        : ", %,d errors: %s".formatted(errors, result.path("errorsByKind").toString());
  }

  private void failed(int round, String name, Cell cell, IOException e, Comparison comparison)
      throws InterruptedException {
    if (ShutdownHooks.hasBegun()) {
      throw new InterruptedException("this process is ending");
    }
    comparison.failed(round, name, cell, String.valueOf(e.getMessage()));
    progress.accept(
        "%d of %d, ".formatted(++done, all) + title(round, name, cell) + e.getMessage());
  }

  /** One that has ended needs no pause, and its measurements have failed. */
  private void pause(int round, StartedTarget store, String name) throws InterruptedException {
    try {
      store.pause();
    } catch (IOException e) {
      progress.accept("round " + round + ", " + name + " cannot be stopped: " + e.getMessage());
    }
  }

  private static String title(int round, String name, Cell cell) {
    return "round " + round + ", " + name + ", " + cell.title() + ": ";
  }
}
