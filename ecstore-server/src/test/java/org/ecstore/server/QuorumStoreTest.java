package org.ecstore.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.QuorumRead;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.QuorumWrite;
import org.ecstore.client.Table;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quorums by the client's interface, on a store of one node with one copy of each range. */
final class QuorumStoreTest {
  private static final Table<String> TABLE = Table.of("t", Codec.utf8());
  private static final Tuple KEY = Tuple.of("k");

  @TempDir Path directory;

  @Test
  void oneCopyIsAQuorumOfOne() {
    try (EcStore store = EcStore.open(directory)) {
      QuorumStore quorum = store.quorum(1, 1, 1);
      assertEquals(Optional.empty(), quorum.get(TABLE, KEY).value());
      QuorumWrite written = quorum.put(TABLE, KEY, "v");
      assertFalse(written.isUnderReplicated(), written::toString);
      QuorumRead<String> read = quorum.get(TABLE, KEY);
      assertEquals(Optional.of("v"), read.value());
      assertEquals(Optional.of(written.number()), read.version());
      assertEquals(1, read.copies().size());
      assertFalse(read.mayBeStale());
      assertEquals(Optional.of("v"), store.read(snapshot -> snapshot.get(TABLE, KEY)));
      QuorumWrite deleted = quorum.delete(TABLE, KEY);
      assertTrue(deleted.number().isAfter(written.number()));
      assertEquals(Optional.empty(), quorum.get(TABLE, KEY).value());
    }
  }

  @Test
  void whatTheRangeHasTooFewCopiesForIsSaid() {
    EcStoreOptions options = EcStoreOptions.DEFAULT.deadline(Duration.ofSeconds(2));
    try (EcStore store = EcStore.open(directory, options)) {
      QuorumWrite written = store.quorum(3, 2, 2).put(TABLE, KEY, "v");
      assertTrue(written.isUnderReplicated(), "committed all the same");
      assertEquals(1, written.copies());
      UnavailableException failure =
          assertThrows(UnavailableException.class, () -> store.quorum(3, 2, 2).get(TABLE, KEY));
      assertTrue(failure.getMessage().contains("fewer than R = 2"), () -> failure.getMessage());
      QuorumRead<String> weak = store.quorum(3, 2, 1).get(TABLE, KEY);
      assertEquals(Optional.of("v"), weak.value());
      assertTrue(weak.mayBeStale());
    }
  }

  @Test
  void senselessQuorumsAreRefusedWithTheReason() {
    try (EcStore store = EcStore.open(directory)) {
      WrongArgumentException failure =
          assertThrows(WrongArgumentException.class, () -> store.quorum(3, 4, 1));
      assertTrue(failure.getMessage().contains("W is from 1 to N = 3, not 4"));
    }
  }
}
