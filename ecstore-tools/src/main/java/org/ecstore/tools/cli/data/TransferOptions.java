package org.ecstore.tools.cli.data;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.tools.terminal.BadInputException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What an import and an export are told alike. */
final class TransferOptions {
  /** A node that is restarted is waited for. */
  private static final Duration DEADLINE = Duration.ofMinutes(2);

  /** How records are written. */
  enum Format {
    JSONL,
    CSV
  }

  @Option(
      names = "--table",
      paramLabel = "T",
      required = true,
      description = "The table; one that is not there is made.")
  private String table = "";

  @Option(
      names = "--file",
      paramLabel = "F",
      required = true,
      description = "The file, or - for standard input or output.")
  private Path file = Path.of("-");

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "jsonl",
      description = "jsonl, a JSON object a line, if not given; or csv.")
  private Format format = Format.JSONL;

  @Option(
      names = "--connect",
      paramLabel = "ADDRESSES",
      description =
          "Nodes, as host:port,host:port; "
              + StoreAddress.DEFAULT
              + " if not given, as is the port.")
  private @Nullable String addresses;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The directory of a cluster of processes, instead of addresses.")
  private @Nullable Path directory;

  @Option(names = "--json", description = "Print one JSON object as the last line instead.")
  private boolean json;

  Path file() {
    return file;
  }

  boolean isStandard() {
    return file.toString().equals("-");
  }

  Format format() {
    return format;
  }

  boolean json() {
    return json;
  }

  String tableName() {
    return table;
  }

  Table<Bytes> table() {
    try {
      return Table.of(table, Codec.bytes());
    } catch (WrongArgumentException e) {
      throw new BadInputException("--table: " + e.getMessage());
    }
  }

  EcStore connect() throws IOException {
    return EcStore.connect(
        StoreAddress.of(addresses, directory), EcStoreOptions.DEFAULT.deadline(DEADLINE));
  }

  /** What has come of it, for people or for programs. */
  String result(String verb, String preposition, long records, double seconds) {
    if (json) {
      return JsonNodeFactory.instance
          .objectNode()
          .put("table", table)
          .put("records", records)
          .put("seconds", Math.round(seconds * 1000) / 1000.0)
          .toString();
    }
    return String.format(
        Locale.ROOT,
        "%s %,d records %s table %s in %.1f s (%,d a second)",
        verb,
        records,
        preposition,
        table,
        seconds,
        Math.round(records / Math.max(seconds, 0.001)));
  }
}
