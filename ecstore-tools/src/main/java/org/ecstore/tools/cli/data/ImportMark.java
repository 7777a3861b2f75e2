package org.ecstore.tools.cli.data;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.EcStore;
import org.ecstore.client.StoredTokenKey;
import org.ecstore.client.Table;
import org.ecstore.key.Bytes;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.tools.records.RecordImport.Progress;

/**
 * How far the import of a file into a table has come, kept in the store that it goes into: what
 * another store has says nothing of this one. It is there from the first transactions on until all
 * is imported, also where the import was killed.
 */
final class ImportMark {
  private static final Table<Bytes> TABLE = StoredTokenKey.TABLE;
  private static final long NANOS_BETWEEN = 500_000_000;

  private final EcStore store;
  private final Tuple key;
  private long writtenAt = System.nanoTime();

  ImportMark(EcStore store, String table, Path file) {
    this.store = store;
    // A path may be longer than a key.
    byte[] path = file.toAbsolutePath().normalize().toString().getBytes(StandardCharsets.UTF_8);
    this.key = Tuple.of("import", table, UUID.nameUUIDFromBytes(path));
  }

  /** How far an import came that has stopped; absent if none has. */
  Optional<Progress> read() {
    Optional<Bytes> stored = store.<Optional<Bytes>, RuntimeException>read(s -> s.get(TABLE, key));
    return stored.flatMap(
        value -> {
          try {
            Tuple said = Tuple.decode(value);
            return said.size() == 2
                ? Optional.of(new Progress(said.number(0), said.string(1)))
                : Optional.empty();
          } catch (MalformedTupleException e) {
            return Optional.empty();
          }
        });
  }

  /** It has come so far; written down twice a second at most. */
  void done(Progress progress) {
    if (System.nanoTime() - writtenAt >= NANOS_BETWEEN) {
      write(progress);
      writtenAt = System.nanoTime();
    }
  }

  /** As above, in any case. */
  void write(Progress progress) {
    Bytes value = Tuple.of(progress.records(), progress.digest()).encode();
    store.execute(tx -> tx.put(TABLE, key, value));
  }

  /** All is imported, or begins anew. */
  void delete() {
    store.execute(tx -> tx.delete(TABLE, key));
  }
}
