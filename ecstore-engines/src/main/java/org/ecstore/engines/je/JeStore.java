package org.ecstore.engines.je;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.Transaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;

/**
 * The versions of keys in one open {@link JeEnvironment}. Blocking. Changes come from one thread at
 * a time; reads from any.
 */
final class JeStore {
  private static final int PRUNE_VERSIONS_MAX = 256;
  private static final int PRUNE_KEYS_MAX = 2_048;
  private static final int CLEAR_VERSIONS_MAX = 2_048;

  private final JeEnvironment environment;
  private final Database versions;
  private final Deletions deletions = new Deletions();
  private final JeReads reads;
  private final Runnable step;

  private JeStore(JeEnvironment environment, Runnable step) {
    this.environment = environment;
    this.versions = environment.data();
    this.step = step;
    this.reads = new JeReads(versions, deletions, step);
  }

  /** Opens what is in a directory, or begins anew in an empty one. */
  static JeStore open(Path directory, JeSettings settings) {
    return open(directory, settings, () -> {});
  }

  /**
   * Opens it.
   *
   * @param step runs before each move of a cursor and each write, so that a test can let one call
   *     make a step beside another
   */
  static JeStore open(Path directory, JeSettings settings, Runnable step) {
    return new JeStore(JeEnvironment.open(directory, settings, "versions"), step);
  }

  /** False once a failure has made it unusable: it must be closed, and may be opened anew. */
  boolean isValid() {
    return environment.isValid();
  }

  /** The environment, for tests that break it. */
  Environment environment() {
    return environment.environment();
  }

  /** The reads. */
  JeReads reads() {
    return reads;
  }

  /** Transactions ever committed in this directory, as reported to callers. */
  long transactions() {
    return environment.transactions();
  }

  private void delete(Consumer<Transaction> deletes) {
    deletions.during(() -> environment.transact(deletes));
  }

  /** Applies batches in order, together. */
  void apply(List<EngineBatch> batches) {
    environment.transact(
        transaction -> {
          for (EngineBatch batch : batches) {
            for (VersionedWrite write : batch.writes()) {
              step.run();
              byte[] record = VersionKey.of(write.key(), write.version(), write.value().isEmpty());
              Bytes value = write.value().orElse(Bytes.EMPTY);
              versions.put(
                  transaction, new DatabaseEntry(record), new DatabaseEntry(value.array()));
            }
            batch.metadata().forEach(entry -> environment.put(transaction, entry));
          }
        });
  }

  EngineResult.Metadata metadata() {
    return new EngineResult.Metadata(environment.metadata());
  }

  /** Deletes every version in a range, some to a transaction. */
  void clear(KeyRange keys) {
    Interval interval = Interval.of(keys);
    Optional<byte[]> rest = Optional.of(interval.start());
    while (rest.isPresent()) {
      List<byte[]> last = new ArrayList<>(1);
      byte[] from = rest.get();
      delete(
          transaction -> {
            try (VersionCursor cursor = VersionCursor.open(versions, transaction, step)) {
              boolean found = cursor.seek(from);
              for (int deleted = 0; found && interval.goesOn(cursor); deleted++) {
                if (deleted == CLEAR_VERSIONS_MAX) {
                  last.add(cursor.record());
                  return;
                }
                cursor.delete();
                found = cursor.next();
              }
            }
          });
      rest = last.stream().findFirst();
    }
  }

  /** One step of pruning. */
  EngineResult.Pruned prune(KeyRange keys, Position floor, Position tombstoneFloor) {
    Prune prune = new Prune(keys, floor, tombstoneFloor);
    delete(prune::step);
    return new EngineResult.Pruned(prune.deleted, prune.rest);
  }

  /** A step of pruning, in one transaction and of bounded work. */
  private final class Prune {
    private final KeyRange keys;
    private final Position floor;
    private final Position tombstoneFloor;
    private int deleted;
    private Optional<KeyRange> rest = Optional.empty();

    Prune(KeyRange keys, Position floor, Position tombstoneFloor) {
      this.keys = keys;
      this.floor = floor;
      this.tombstoneFloor = tombstoneFloor;
    }

    void step(Transaction transaction) {
      Interval interval = Interval.of(keys);
      try (VersionCursor cursor = VersionCursor.open(versions, transaction, step)) {
        boolean found = cursor.seek(interval.start());
        for (int seen = 0; found && interval.goesOn(cursor); seen++) {
          if (seen == PRUNE_KEYS_MAX || deleted >= PRUNE_VERSIONS_MAX) {
            rest = Optional.of(KeyRange.between(cursor.key(), keys.end()));
            return;
          }
          byte[] newest = cursor.record();
          found = cursor.nextAtOrBelow(floor);
          if (found && cursor.isOf(newest)) {
            found = below(cursor, transaction);
          }
        }
      }
    }

    /**
     * Deletes what is older than the version the cursor stands on, and then that version if it is a
     * tombstone that no reader needs: last, since a reader beside this must not see what it hid.
     * Moves to the next key; leaves a rest, and the tombstone, if there is too much for one step.
     */
    private boolean below(VersionCursor cursor, Transaction transaction) {
      byte[] readable = cursor.record();
      boolean found = cursor.next();
      while (found && cursor.isOf(readable)) {
        if (deleted >= PRUNE_VERSIONS_MAX) {
          rest = Optional.of(KeyRange.between(cursor.key(), keys.end()));
          return false;
        }
        cursor.delete();
        deleted++;
        found = cursor.next();
      }
      if (VersionKey.isTombstone(readable)
          && VersionKey.version(readable).isAtOrBelow(tombstoneFloor)) {
        step.run();
        versions.delete(transaction, new DatabaseEntry(readable));
        deleted++;
      }
      return found;
    }
  }

  /** Makes durable what was committed. */
  void sync() {
    environment.sync();
  }

  /** Closes it. */
  void close() {
    environment.close();
  }
}
