package org.ecstore.tools.cli.data;

import java.io.BufferedInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.key.Bytes;
import org.ecstore.server.file.FileErrors;
import org.ecstore.tools.records.BadRecordException;
import org.ecstore.tools.records.CsvRecords;
import org.ecstore.tools.records.JsonLines;
import org.ecstore.tools.records.RecordImport;
import org.ecstore.tools.records.RecordSource;
import org.ecstore.tools.records.TypedColumn;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore import}: the records of a file into a table. */
@Command(
    name = "import",
    description = {
      "Puts the records of a file into a table.",
      "",
      "A line of jsonl is {\"key\": [elements], \"value\": JSON}; instead of value, \"text\" or"
          + " \"base64\". Elements of keys are strings, whole numbers (long), numbers with a point or"
          + " an exponent (double), true, false, null, and {\"uuid\": \"...\"}, {\"instant\": \"...\"},"
          + " {\"date\": \"...\"}, {\"decimal\": \"...\"}, {\"bytes\": base64}, {\"desc\": element}. JSON"
          + " is stored as its text, without blanks between.",
      "",
      "A csv file has a header, and --key names the columns that are the key; the others are a JSON"
          + " object of strings, and --types names those that are none. What export has written as"
          + " csv needs no --key.",
      "",
      "An empty table that the store's catalog does not know is entered as one of JSON, if the first"
          + " record has an object or a list. JSON is not put among values that are none, as records"
          + " of an application: these come back as an export has written them.",
      "",
      "Some hundreds of records are a transaction. If it stops, by a line that is none or because"
          + " you end it, what was imported stays, and --resume goes on there: the store knows how far"
          + " it came. What stands behind that may be mended before."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore import --table users --file users.jsonl --dir data",
      "  ecstore import --table users --file users.jsonl --dir data --resume",
      "  ecstore import --table sales --file sales.csv --format csv --key day:date,shop,id:long"
          + " --types amount:decimal,paid:boolean",
      "  ecstore export --table users --file - | ecstore import --table copy --file -"
    })
public final class ImportCommand implements Callable<Integer> {
  @Mixin private final TransferOptions options = new TransferOptions();

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      split = ",",
      description =
          "Of csv: a column that is an element of the key, as text, or as :long, :double, :boolean,"
              + " :date, :instant, :uuid or :decimal behind its name.")
  private List<String> key = List.of();

  @Option(
      names = "--types",
      paramLabel = "COLUMN",
      split = ",",
      description =
          "Of csv: a column of the value that is no text, as amount:decimal; types are as for --key."
              + " Numbers and true or false become such in JSON, an empty cell null; dates and the"
              + " like stay text, and have to be some.")
  private List<String> types = List.of();

  @Option(names = "--resume", description = "Go on where an import of this file has stopped.")
  private boolean resume;

  @Spec private CommandSpec spec;

  /** Tells a bar what was read. */
  private static final class Watched extends FilterInputStream {
    private final TerminalProgress bar;

    Watched(InputStream in, TerminalProgress bar) {
      super(in);
      this.bar = bar;
    }

    @Override
    public int read(byte[] buffer, int from, int max) throws IOException {
      int read = super.read(buffer, from, max);
      bar.step(Math.max(0, read));
      return read;
    }
  }

  @Override
  public Integer call() throws IOException {
    Table<Bytes> table = options.table();
    Columns columns = new Columns(columns("--key", key), columns("--types", types));
    if (!columns.key().isEmpty() && options.format() != TransferOptions.Format.CSV) {
      throw new BadInputException("--key is for --format csv: lines of JSON have their keys");
    }
    if (!columns.typed().isEmpty() && columns.key().isEmpty()) {
      throw new BadInputException(
          "--types is for --format csv with --key: all else says its types");
    }
    if (options.isStandard()) {
      if (resume) {
        throw new BadInputException("--resume is for a file: standard input is read once");
      }
      try (TerminalProgress bar = TerminalProgress.start("import", -1)) {
        return run(table, columns, "standard input", System.in, bar);
      }
    }
    FileErrors.mustBeFile(options.file());
    try (TerminalProgress bar = TerminalProgress.start("import", Files.size(options.file()));
        InputStream in = Files.newInputStream(options.file())) {
      return run(table, columns, options.file().toString(), in, bar);
    }
  }

  /** Of a csv file. */
  private record Columns(List<TypedColumn> key, List<TypedColumn> typed) {}

  private static List<TypedColumn> columns(String option, List<String> named) {
    return named.stream().map(name -> TypedColumn.parse(option, name)).toList();
  }

  private int run(
      Table<Bytes> table, Columns columns, String name, InputStream in, TerminalProgress bar)
      throws IOException {
    long begun = System.nanoTime();
    RecordSource source;
    try {
      source = source(new BufferedInputStream(new Watched(in, bar)), columns);
    } catch (BadRecordException e) {
      throw new BadInputException(name + ": " + e.getMessage());
    }
    try (EcStore store = options.connect()) {
      Optional<ImportMark> mark =
          options.isStandard()
              ? Optional.empty()
              : Optional.of(new ImportMark(store, options.tableName(), options.file()));
      RecordImport all =
          new RecordImport(store, table, source, done -> mark.ifPresent(one -> one.done(done)));
      long before = mark.isPresent() ? goOn(all, name, mark.get()) : 0;
      try {
        all.run();
        mark.ifPresent(ImportMark::delete);
      } catch (RecordImport.StoppedException e) {
        bar.close();
        return stopped(name, e, all.done(), mark);
      }
      bar.close();
      double seconds = (System.nanoTime() - begun) / 1e9;
      spec.commandLine()
          .getOut()
          .println(options.result("imported", "into", source.number() - before, seconds));
      return ExitStatus.OK;
    } catch (EcStoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Passes over what an import of this file has put in that stopped, if that is wanted. */
  private long goOn(RecordImport all, String name, ImportMark mark) throws IOException {
    Optional<RecordImport.Progress> before = mark.read();
    if (!resume) {
      before.ifPresent(
          one ->
              spec.commandLine()
                  .getErr()
                  .printf(
                      "import: an earlier one stopped after record %d; this one begins anew, and"
                          + " --resume would go on there%n",
                      one.records()));
      // What it says need not be in the table any more.
      mark.delete();
      return 0;
    }
    if (before.isEmpty()) {
      throw new BadInputException(
          "no import of %s into table %s has stopped in this store: without --resume it begins"
              .formatted(name, options.tableName()));
    }
    if (!all.skip(before.get())) {
      throw new BadInputException(
          "%s has other records now among the %d that are imported: import it again without --resume"
              .formatted(name, before.get().records()));
    }
    return before.get().records();
  }

  private int stopped(
      String name,
      RecordImport.StoppedException e,
      RecordImport.Progress done,
      Optional<ImportMark> mark) {
    boolean isKept = false;
    if (mark.isPresent()) {
      try {
        mark.get().write(done);
        isKept = true;
      } catch (EcStoreException unwritten) {
        // What was written of it before may be some records less.
        e.addSuppressed(unwritten);
      }
    }
    spec.commandLine()
        .getErr()
        .printf(
            "%s: %s, %s; what stands before record %d is imported%s%n",
            spec.qualifiedName(),
            name,
            e.getMessage(),
            done.records() + 1,
            isKept ? ", and --resume goes on there, also once later lines are mended" : "");
    return e.getCause() instanceof BadRecordException ? ExitStatus.BAD_INPUT : ExitStatus.BROKEN;
  }

  private RecordSource source(InputStream in, Columns columns)
      throws IOException, BadRecordException {
    return switch (options.format()) {
      case JSONL -> new JsonLines(in, options.tableName());
      case CSV -> new CsvRecords(in, options.tableName(), columns.key(), columns.typed());
    };
  }
}
