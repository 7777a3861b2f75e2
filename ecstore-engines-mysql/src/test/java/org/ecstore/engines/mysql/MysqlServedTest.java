package org.ecstore.engines.mysql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.Ownership;
import org.ecstore.engines.store.ServedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.engines.store.StoreException;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store against a server that is killed, stopped, filled and set in other ways. */
@ResourceLock(MariaDbUnderTest.LOCK)
public final class MysqlServedTest extends ServedStoreContract {
  private final MariaDbUnderTest database = MariaDbUnderTest.get();

  /** How a store on it is opened. */
  public static final class Opening extends ServedStoreContract.Opening {
    @Override
    protected OrderedStore open(Path directory, String url, String store) {
      return MysqlStore.open(directory, MariaDbUnderTest.hasty(url, store));
    }
  }

  MysqlServedTest() {
    super(MariaDbUnderTest.get(), new Opening());
  }

  @Test
  @Timeout(120)
  void aServerKilledInMidWriteLosesNoneOfWhatItConfirmed() throws Exception {
    long kept = 0;
    for (int kill = 0; kill < 3; kill++) {
      StoreChild child = child(kept + 1);
      try (child) {
        child.awaitWritten(kept + 40);
        database.kill();
        // It goes on with the batch whose outcome it does not know.
        child.awaitWritten(child.written() + 40);
      }
      assertEquals("", child.failure());
      try (OrderedStore store = open(directory(), name)) {
        kept = StoreChild.sequence(store);
        assertTrue(kept >= child.written(), kept + " of " + child.written());
        assertEquals(StoreChild.rows(kept), rows(store));
      }
    }
  }

  @Test
  @Timeout(60)
  void aServerThatLostWhatItHadConfirmedIsFoundOut() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "on disk"));
      database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 0");
      store.write(put("a", 2, "not on disk"));
      assertEquals(StoreException.Reason.UNAVAILABLE, reason(store::sync), "it is set wrongly");
      database.kill();
      assertFoundLost(store);
    }
    try (OrderedStore store = open(directory(), name)) {
      assertEquals("on disk", rows(store).getFirst().value().toUtf8());
    }
  }

  @Test
  void aServerThatConfirmsBeforeItsDiskDoesIsRefused() throws Exception {
    database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 2");
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("innodb_flush_log_at_trx_commit"),
          refused::getMessage);
    } finally {
      database.asRoot("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    }
    open(directory(), name).close();
  }

  @Test
  void aServerThatTakesNoRowOfTheGreatestLengthIsRefused() throws Exception {
    database.asRoot("SET GLOBAL max_allowed_packet = 1048576");
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(
          String.valueOf(refused.getMessage()).contains("max_allowed_packet"), refused::getMessage);
    } finally {
      database.asRoot("SET GLOBAL max_allowed_packet = 2097152");
    }
  }

  @Test
  void tablesThatAreGoneAreALossAndNoEmptyStore() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asRoot("DROP TABLE ecstore." + new Tables(name).owner());
      assertLost(store);
    }
  }

  /** As MariaDB and MySQL word it. */
  @Test
  void aFullDiskIsNoRoomAndAnotherErrorOfTheSystemIsNot() {
    assertEquals(
        StoreException.Reason.NO_ROOM,
        ofSystem("Got error 28 \"No space left on device\" from storage engine InnoDB"));
    assertEquals(
        StoreException.Reason.NO_ROOM,
        ofSystem("Got error 28 - 'No space left on device' from storage engine"));
    assertEquals(
        StoreException.Reason.NO_ROOM, ofSystem("Error writing file 'x' (errno: 28 \"No space\")"));
    assertEquals(
        StoreException.Reason.UNAVAILABLE,
        ofSystem("Got error 128 \"Out of memory in engine\" from storage engine InnoDB"));
  }

  private StoreException.Reason ofSystem(String text) {
    return new MysqlServer(database.settings(name))
        .failed("write", new SQLException(text, "HY000", 1030), new Ownership("token", 0))
        .reason();
  }

  @Test
  void aFullServerSaysSoAndGoesOnWhenThereIsRoom() throws Exception {
    database.asRoot("SET GLOBAL innodb_file_per_table = OFF");
    try (OrderedStore store = MysqlStore.open(directory(), database.settings(name))) {
      List<Row> rows = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        rows.add(new Row(Bytes.utf8("k" + i), new Position(1), Bytes.wrap(new byte[4_000])));
      }
      StoreException full = null;
      for (int i = 0; full == null; i++) {
        assertTrue(i < 100, "it is never full");
        long version = i;
        List<Row> more =
            rows.stream()
                .map(
                    r -> new Row(r.key().concat(Bytes.utf8("." + version)), r.version(), r.value()))
                .toList();
        try {
          store.write(new StoreBatch(more, List.of(), List.of()));
        } catch (StoreException e) {
          full = e;
        }
      }
      assertEquals(StoreException.Reason.NO_ROOM, full.reason(), full::getMessage);
      assertTrue(store.size(KeyRange.ALL).records() > 0);
      store.clear(KeyRange.ALL);
      writeAgain(store, put("a", 1, "fits"));
      assertEquals("fits", rows(store).getFirst().value().toUtf8());
    } finally {
      database.asRoot("SET GLOBAL innodb_file_per_table = ON");
    }
  }
}
