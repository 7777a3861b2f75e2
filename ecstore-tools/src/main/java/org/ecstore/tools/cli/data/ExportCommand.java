package org.ecstore.tools.cli.data;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.ecstore.client.EcStore;
import org.ecstore.client.ManualSnapshot;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.file.DurableFiles;
import org.ecstore.tools.records.CsvWriter;
import org.ecstore.tools.records.RecordExport;
import org.ecstore.tools.records.RecordJson;
import org.ecstore.tools.records.RecordSink;
import org.ecstore.tools.records.TableFormat;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.TerminalProgress;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore export}: the records of a table into a file. */
@Command(
    name = "export",
    description = {
      "Writes the records of a table into a file, in the order of keys, all as of one snapshot.",
      "",
      "A line is {\"key\": [elements], \"value\": JSON} where the stored value is the text of some JSON,"
          + " and has \"text\" or \"base64\" instead of \"value\" where it is other text, or bytes:"
          + " ecstore import --help says how elements are written. As csv it has the columns key,"
          + " kind and value.",
      "",
      "The file is there when all is written; until then what there is of it is in F.part, which"
          + " one export at a time writes. If it stops, --resume goes on there, at the same snapshot, as long as nodes keep that:"
          + " versions.kept in their configuration, 10 s if it says nothing."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore export --table users --file users.jsonl --dir data",
      "  ecstore export --table users --file - --connect 10.0.0.1:7430 | gzip > users.jsonl.gz"
    })
public final class ExportCommand implements Callable<Integer> {
  private static final int BUFFER_BYTES = 1 << 18;

  @Mixin private final TransferOptions options = new TransferOptions();

  @Option(names = "--resume", description = "Go on where an export into this file has stopped.")
  private boolean resume;

  @Option(names = "--overwrite", description = "Replace the file if it is there.")
  private boolean overwrite;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    Table<Bytes> table = options.table();
    if (options.isStandard()) {
      if (options.json()) {
        throw new BadInputException("--json is for a file: standard output has the records");
      }
      // Not System.out, which says nothing of a full disk or a reader that is gone. Not closed: it
      // is the process's.
      if (resume) {
        throw new BadInputException("--resume is for a file: what standard output had is gone");
      }
      write(
          table,
          Optional.empty(),
          new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), BUFFER_BYTES),
          (records, token) -> {});
      return ExitStatus.OK;
    }
    Path file = options.file().toAbsolutePath();
    boolean isThere = Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    if (isThere && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new BadInputException(file + " is no file of its own: name another");
    }
    if (isThere && !overwrite) {
      throw new BadInputException(file + " is there: name another, or give --overwrite");
    }
    Path directory = Objects.requireNonNull(file.getParent(), "a file is in a directory");
    Path part = directory.resolve(file.getFileName() + ".part");
    ExportMark mark =
        new ExportMark(
            directory,
            part.getFileName() + ".at",
            Tuple.of(options.tableName(), options.format().name()));
    if (resume) {
      stopped(mark, part);
    } else if (isOthers(part) && !mark.exists() && !overwrite) {
      throw new BadInputException(
          part + " is there, and is of no export: name another file, or give --overwrite");
    }
    long begun = System.nanoTime();
    long records;
    try (FileChannel bytes = opened(part)) {
      lock(bytes, part);
      Optional<ExportMark.At> before = resume ? Optional.of(stopped(mark, part)) : Optional.empty();
      if (!resume) {
        mark.begin();
      }
      long had = before.map(ExportMark.At::bytes).orElse(0L);
      OutputStream out =
          new BufferedOutputStream(
              Channels.newOutputStream(bytes.truncate(had).position(had)), BUFFER_BYTES);
      records =
          write(
              table,
              before.map(ExportMark.At::from),
              out,
              (written, token) -> {
                bytes.force(true);
                mark.write(bytes.position(), new RecordExport.From(written, token));
              });
      bytes.force(true);
      if (records == 0 && isThere) {
        Files.delete(part);
        mark.delete();
        throw new BadInputException(
            "table %s has no record, and %s is kept as it is: \"tables\" in the shell lists names"
                .formatted(options.tableName(), file));
      }
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
      mark.delete();
      DurableFiles.forceDirectory(directory);
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    spec.commandLine().getOut().println(options.result("exported", "of", records, seconds));
    return ExitStatus.OK;
  }

  /** An export that could not begin, as the disk was full, leaves an empty file without a mark. */
  private static boolean isOthers(Path part) throws IOException {
    return Files.exists(part) && Files.size(part) > 0;
  }

  private FileChannel opened(Path part) throws IOException {
    return resume
        ? FileChannel.open(part, StandardOpenOption.WRITE)
        : FileChannel.open(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
  }

  /** Two at once would write through each other; the system takes it back from one that ends. */
  private static void lock(FileChannel bytes, Path part) throws IOException {
    FileLock lock;
    try {
      lock = bytes.tryLock();
    } catch (OverlappingFileLockException _) {
      // Another thread of this process has it.
      lock = null;
    }
    // One that has just ended has given the file its name.
    if (lock == null || !Files.exists(part)) {
      throw new BadInputException(
          part + " is written by another export: wait until that ends, or name another file");
    }
  }

  private ExportMark.At stopped(ExportMark mark, Path part) throws IOException {
    Optional<ExportMark.At> at = mark.read();
    if (at.isEmpty() || !Files.exists(part) || Files.size(part) < at.get().bytes()) {
      throw new BadInputException(
          "no export of table %s into %s has stopped with something written: without --resume it"
                  .formatted(options.tableName(), options.file())
              + " begins");
    }
    return at.get();
  }

  private long write(
      Table<Bytes> table,
      Optional<RecordExport.From> from,
      OutputStream out,
      RecordExport.Mark mark)
      throws IOException {
    try (EcStore store = options.connect();
        ManualSnapshot snapshot =
            from.isPresent() ? store.snapshotAt(from.get().token()) : store.snapshot();
        TerminalProgress bar = TerminalProgress.start("export", -1)) {
      boolean opaque = new TableFormat(store, table).isOpaque();
      RecordSink sink =
          switch (options.format()) {
            case JSONL -> new RecordJson(options.tableName(), opaque);
            case CSV -> new CsvWriter(opaque);
          };
      long[] told = {0};
      return RecordExport.run(
          snapshot,
          table,
          sink,
          from,
          out,
          records -> {
            bar.step(records - told[0]);
            told[0] = records;
          },
          mark);
    } catch (SnapshotTooOldException e) {
      throw new IOException(
          "nodes no longer keep the snapshot that the export is of: without --resume it begins anew;"
              + " versions.kept in their configuration says how long they do",
          e);
    } catch (EcStoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
