package org.ecstore.server.coordination;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What coordination must not forget: values with their versions, and the last incarnation of each
 * node. A small file that is replaced as a whole with each change.
 *
 * <pre>
 * magic i64 | CRC32C i32 of all that follows | version i32 |
 * values: count, (key, version, value) | incarnations: count, (node, incarnation)
 * </pre>
 */
final class StoredValues {
  private static final long MAGIC = 0x45435354_434f4f52L; // "ECSTCOOR"
  private static final int VERSION = 1;
  private static final int CHECKED_FROM = Long.BYTES + Integer.BYTES;
  private static final String FILE_NAME = "coordination";

  /** A value and its version. */
  record Versioned(long version, Bytes value) {}

  private final Path directory;
  private final TreeMap<String, Versioned> values = new TreeMap<>();
  private final TreeMap<NodeId, Long> incarnations = new TreeMap<>();

  private StoredValues(Path directory) {
    this.directory = directory;
  }

  /**
   * Loads what is there; nothing if there is no file yet.
   *
   * @throws CorruptCoordinationException if the file is damaged
   */
  static StoredValues load(Path directory) throws IOException {
    StoredValues stored = new StoredValues(directory);
    Path file = directory.resolve(FILE_NAME);
    if (Files.exists(file)) {
      try {
        stored.decode(Files.readAllBytes(file));
      } catch (MalformedMessageException e) {
        throw new CorruptCoordinationException(file, String.valueOf(e.getMessage()));
      }
    }
    return stored;
  }

  /** Whether there is a file, of whatever content. */
  static boolean isThere(Path directory) {
    return Files.exists(directory.resolve(FILE_NAME));
  }

  TreeMap<String, Versioned> values() {
    return values;
  }

  TreeMap<NodeId, Long> incarnations() {
    return incarnations;
  }

  /** Makes what is here durable. After an exception the file holds this or what it held before. */
  void save() throws IOException {
    DurableFiles.replace(directory, FILE_NAME, encode());
  }

  private Bytes encode() {
    WireWriter body = new WireWriter().i32(VERSION);
    body.varint(values.size());
    values.forEach((key, value) -> body.text(key).varint(value.version()).bytes(value.value()));
    body.varint(incarnations.size());
    incarnations.forEach((node, incarnation) -> body.node(node).varint(incarnation));
    byte[] bytes = body.toByteArray();
    return new WireWriter(CHECKED_FROM + bytes.length)
        .i64(MAGIC)
        .i32(checksum(bytes, 0))
        .raw(bytes)
        .toBytes();
  }

  private static int checksum(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, bytes.length - from);
    return (int) crc.getValue();
  }

  private void decode(byte[] bytes) {
    WireReader in = new WireReader(bytes, 0, bytes.length);
    if (in.i64() != MAGIC) {
      throw new MalformedMessageException("it does not begin like such a file");
    }
    if (in.i32() != checksum(bytes, CHECKED_FROM)) {
      throw new MalformedMessageException("its checksum is wrong");
    }
    int version = in.i32();
    if (version != VERSION) {
      throw new MalformedMessageException("its format " + version + " is not known");
    }
    for (int count = in.count(); count > 0; count--) {
      values.put(in.text(), new Versioned(in.natural(), in.bytes()));
    }
    for (int count = in.count(); count > 0; count--) {
      incarnations.put(in.node(), in.natural());
    }
    in.expectEnd();
  }
}
