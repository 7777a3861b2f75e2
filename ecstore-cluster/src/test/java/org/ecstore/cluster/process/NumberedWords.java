package org.ecstore.cluster.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.key.Tuple;
import org.ecstore.model.ReadLevel;

/** Words under the numbers from 0 up, written to the nodes of a cluster and read from them. */
public final class NumberedWords {
  private static final Table<String> WORDS = Table.of("words", Codec.utf8());

  private final int keys;

  /** So many of them. */
  public NumberedWords(int keys) {
    this.keys = keys;
  }

  /** For {@code --spread}: they are spread over the nodes. */
  public String spread() {
    return WORDS.name() + ":" + keys;
  }

  /** A store that sees what others have written, and waits for nodes that come back. */
  public static EcStore connect(ProcessCluster cluster) throws Exception {
    return EcStore.connect(
        cluster.addresses(),
        EcStoreOptions.DEFAULT.readLevel(ReadLevel.STRONG).deadline(Duration.ofMinutes(2)));
  }

  /** Writes a word under each number, each in a transaction of its own. */
  public void write(EcStore store, String word) {
    for (long key = 0; key < keys; key++) {
      long each = key;
      store.execute(tx -> tx.put(WORDS, Tuple.of(each), word + " " + each));
    }
  }

  /** Fails unless each has this word. */
  public void assertHeld(EcStore store, String word) {
    for (long key = 0; key < keys; key++) {
      long each = key;
      assertEquals(
          Optional.of(word + " " + each),
          store.read(snapshot -> snapshot.get(WORDS, Tuple.of(each))));
    }
  }

  /** Fails unless so many copies, all of which are asked, have this word for each. */
  public void assertHeldBy(int copies, EcStore store, String word) {
    for (long key = 0; key < keys; key++) {
      assertEquals(
          Optional.of(word + " " + key),
          store.quorum(copies, 1, copies).get(WORDS, Tuple.of(key)).value());
    }
  }
}
