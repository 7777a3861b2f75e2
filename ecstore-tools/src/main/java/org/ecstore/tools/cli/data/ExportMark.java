package org.ecstore.tools.cli.data;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.tools.records.RecordExport;

/**
 * How far an export into a file has come, in a file beside it: of which table and form, how many
 * records and bytes are written, and the token to go on with at the same snapshot.
 */
final class ExportMark {
  private final Path directory;
  private final String name;
  private final Tuple what;

  ExportMark(Path directory, String name, Tuple what) {
    this.directory = directory;
    this.name = name;
    this.what = what;
  }

  /**
   * What there is.
   *
   * @param bytes of the file so far
   */
  record At(long bytes, RecordExport.From from) {}

  /** Where an export of the same stopped; absent if none did. */
  Optional<At> read() throws IOException {
    Path file = directory.resolve(name);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      Tuple all = Tuple.decode(Bytes.wrap(Files.readAllBytes(file)));
      int own = what.size();
      return all.size() == own + 3 && all.startsWith(what)
          ? Optional.of(
              new At(
                  all.number(own), new RecordExport.From(all.number(own + 1), all.string(own + 2))))
          : Optional.empty();
    } catch (MalformedTupleException e) {
      return Optional.empty();
    }
  }

  /** Whether an export has begun, and written something or not. */
  boolean exists() {
    return Files.exists(directory.resolve(name));
  }

  /** One begins, and has written nothing. */
  void begin() throws IOException {
    DurableFiles.replace(directory, name, what.encode());
  }

  void write(long bytes, RecordExport.From from) throws IOException {
    DurableFiles.replace(
        directory, name, what.append(bytes, from.records(), from.token()).encode());
  }

  void delete() throws IOException {
    Files.deleteIfExists(directory.resolve(name));
  }
}
