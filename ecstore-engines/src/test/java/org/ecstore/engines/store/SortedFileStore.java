package org.ecstore.engines.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.core.port.EngineResult;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.EngineSettings;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.EngineTraits;
import org.ecstore.model.Row;

/**
 * A store in a sorted file, which each sync writes anew: what a new kind of store takes, and no
 * more. All rows are in memory too. {@link SortedFileStoreContractTest} is its suite, and the
 * services file of these tests names its {@link Kind}.
 */
public final class SortedFileStore implements OrderedStore {
  private static final EngineTraits PROFILE = new EngineTraits("file", true, true, false, true);
  private static final StoreDirectory.Format FORMAT = new StoreDirectory.Format("file", 1);

  private final HeldDirectory directory;
  private final NavigableMap<Bytes, Row> rows = new TreeMap<>();
  private final NavigableMap<Bytes, MetadataEntry> metadata = new TreeMap<>();

  /** By its name in a configuration. */
  public static final class Kind implements StoreKind {
    @Override
    public String name() {
      return PROFILE.kind();
    }

    @Override
    public EngineTraits traits() {
      return PROFILE;
    }

    @Override
    public OrderedStore open(Path directory, EngineSettings settings) {
      return SortedFileStore.open(directory);
    }
  }

  private SortedFileStore(HeldDirectory directory) {
    this.directory = directory;
  }

  static SortedFileStore open(Path where) {
    SortedFileStore store = new SortedFileStore(HeldDirectory.take(where, FORMAT));
    try {
      store.read();
      return store;
    } catch (IOException e) {
      store.crash();
      throw new EngineOpenException(where, "cannot read the file in " + where, e);
    }
  }

  private Path file() {
    return directory.data().resolve("rows");
  }

  private void read() throws IOException {
    if (!Files.exists(file())) {
      return;
    }
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file())))) {
      for (int i = in.readInt(); i > 0; i--) {
        Row row = new Row(bytes(in), new Position(in.readLong()), bytes(in));
        rows.put(row.key(), row);
      }
      for (int i = in.readInt(); i > 0; i--) {
        MetadataEntry entry = new MetadataEntry(bytes(in), Optional.of(bytes(in)));
        metadata.put(entry.name(), entry);
      }
    }
  }

  private static Bytes bytes(DataInputStream in) throws IOException {
    return Bytes.wrap(in.readNBytes(in.readInt()));
  }

  private static void write(DataOutputStream out, Bytes bytes) throws IOException {
    out.writeInt(bytes.length());
    out.write(bytes.array());
  }

  @Override
  public synchronized void sync() {
    Path fresh = file().resolveSibling("rows.new");
    try (FileOutputStream file = new FileOutputStream(fresh.toFile());
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(file))) {
      out.writeInt(rows.size());
      for (Row row : rows.values()) {
        write(out, row.key());
        out.writeLong(row.version().value());
        write(out, row.value());
      }
      out.writeInt(metadata.size());
      for (MetadataEntry entry : metadata.values()) {
        write(out, entry.name());
        write(out, entry.value().orElseThrow());
      }
      out.flush();
      file.getFD().sync();
      Files.move(fresh, file(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new StoreException(StoreException.Reason.UNAVAILABLE, "cannot write " + fresh, e);
    }
  }

  @Override
  public EngineTraits profile() {
    return PROFILE;
  }

  @Override
  public synchronized List<Optional<Row>> get(List<Bytes> keys, int bytesMax) {
    List<Optional<Row>> found = new ArrayList<>();
    long bytes = 0;
    for (int i = 0; i < keys.size() && bytes < bytesMax; i++) {
      Optional<Row> row = Optional.ofNullable(rows.get(keys.get(i)));
      found.add(row);
      bytes += row.map(SortedFileStore::length).orElse(0);
    }
    return found;
  }

  private static int length(Row row) {
    return row.key().length() + row.value().length();
  }

  private NavigableMap<Bytes, Row> within(KeyRange interval) {
    NavigableMap<Bytes, Row> tail = rows.tailMap(interval.start(), true);
    return interval.end().map(end -> tail.headMap(end, false)).orElse(tail);
  }

  @Override
  public synchronized EngineResult.Rows scan(KeyRange interval, ScanBounds bounds) {
    RowPage page = new RowPage(bounds);
    NavigableMap<Bytes, Row> some = within(interval);
    for (Row row : (bounds.reverse() ? some.descendingMap() : some).values()) {
      page.add(bounds.keysOnly() ? new Row(row.key(), row.version(), Bytes.EMPTY) : row);
      if (page.isFull()) {
        break;
      }
    }
    return page.result();
  }

  @Override
  public synchronized void write(StoreBatch batch) {
    batch.puts().forEach(row -> rows.put(row.key(), row));
    batch.deletes().forEach(rows::remove);
    for (MetadataEntry entry : batch.metadata()) {
      if (entry.value().isPresent()) {
        metadata.put(entry.name(), entry);
      } else {
        metadata.remove(entry.name());
      }
    }
  }

  @Override
  public synchronized void clear(KeyRange interval) {
    within(interval).clear();
  }

  @Override
  public synchronized List<MetadataEntry> metadata() {
    return List.copyOf(metadata.values());
  }

  @Override
  public synchronized EngineResult.Size size(KeyRange interval) {
    NavigableMap<Bytes, Row> some = within(interval);
    return new EngineResult.Size(
        some.size(), some.values().stream().mapToLong(SortedFileStore::length).sum());
  }

  @Override
  public synchronized Optional<Bytes> middle(KeyRange interval) {
    List<Bytes> keys = List.copyOf(within(interval).keySet());
    return keys.size() < 2 ? Optional.empty() : Optional.of(keys.get(keys.size() / 2));
  }

  @Override
  public void close() {
    sync();
    directory.close();
  }

  /** Ends as a process does that is killed. */
  void crash() {
    directory.close();
  }
}
