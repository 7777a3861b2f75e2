package org.ecstore.tools.plan;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.txn.qos.table.InvalidTableException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;

/** Reads performance tables from files. */
public final class TableFiles {
  private TableFiles() {}

  /** An empty name, as of a variable that is not set, is that of the working directory. */
  static void mustHaveName(Path file) {
    if (file.toString().isEmpty()) {
      throw new BadInputException("\"\" is no table: give the name of its file");
    }
  }

  /**
   * Reads one.
   *
   * @throws BadInputException with all that is wrong
   * @throws IOException if the file cannot be read
   */
  public static PerformanceTable read(Path file) throws IOException {
    mustHaveName(file);
    FileErrors.mustBeFile(file);
    byte[] bytes;
    try (InputStream in = Files.newInputStream(file)) {
      bytes = in.readNBytes(TableReader.TEXT_MAX + 1);
    }
    if (bytes.length > TableReader.TEXT_MAX) {
      throw new BadInputException(
          "%s is longer than %d KiB: no performance table is"
              .formatted(file, TableReader.TEXT_MAX / 1024));
    }
    try {
      return TableReader.read(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      throw new BadInputException(file + " is not a text file in UTF-8");
    } catch (InvalidTableException e) {
      throw new BadInputException(file + ": " + String.join("; ", e.problems()));
    }
  }
}
