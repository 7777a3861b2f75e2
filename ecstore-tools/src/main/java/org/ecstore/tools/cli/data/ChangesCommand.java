package org.ecstore.tools.cli.data;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.ecstore.client.Change;
import org.ecstore.client.ChangeReader;
import org.ecstore.client.ChangedCommit;
import org.ecstore.client.Changes;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.cluster.node.ExitStatus;
import org.ecstore.key.Bytes;
import org.ecstore.tools.records.ChangeJson;
import org.ecstore.tools.terminal.BadInputException;
import org.ecstore.tools.terminal.OptionBounds;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ecstore changes}: what is committed to a table, as it is. */
@Command(
    name = "changes",
    description = {
      "Prints every commit that changes a table, in order, each once, as it is made.",
      "",
      "It begins now, unless --from or --reader says where. Nodes keep what was committed before for"
          + " changes.kept (docs/configuration.md): a reader that comes later is told so.",
      "",
      "With --json a commit is a line {\"commit\": N, \"changes\": [...], \"token\": \"...\"}; a change"
          + " has \"key\" and \"value\", \"text\" or \"base64\", as a line of ecstore export, or"
          + " \"deleted\": true. --from takes the token of the last line that was used."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  ecstore changes --table users --dir data",
      "  ecstore changes --table users --json --from TOKEN --connect 10.0.0.1:7430 | indexer",
      "  ecstore changes --table users --json --reader audit --dir data >> audit.jsonl"
    })
public final class ChangesCommand implements Callable<Integer> {
  private static final Duration WAIT = Duration.ofSeconds(10);
  private static final long WITHIN_MAX = 86_400;

  @Option(names = "--table", paramLabel = "T", required = true, description = "Of which table.")
  private String table = "";

  @Option(
      names = "--from",
      paramLabel = "TOKEN",
      description = "Begin behind the commit that this token is of.")
  private @Nullable String from;

  @Option(
      names = "--reader",
      paramLabel = "NAME",
      description = {
        "Go on behind what was printed last under this name, which the store keeps; begin now if"
            + " there is nothing. What reads the lines through a pipe may not have used them when"
            + " it ends: let it keep the token of the last one and give that by --from."
      })
  private @Nullable String reader;

  @Option(
      names = "--before",
      description = "With --json: with what was there before, as far as it is kept.")
  private boolean before;

  @Option(names = "--json", description = "Print a line of JSON for each commit.")
  private boolean json;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "End after so many commits; without it, when it is interrupted.")
  private @Nullable Long count;

  @Option(
      names = "--within",
      paramLabel = "SECONDS",
      description = "End when there was no commit for so long.")
  private @Nullable Long within;

  @Option(
      names = "--connect",
      paramLabel = "ADDRESSES",
      description = "Nodes, as host:port,host:port; " + StoreAddress.DEFAULT + " if not given.")
  private @Nullable String connect;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description = "The directory of a cluster instead of addresses.")
  private @Nullable Path directory;

  @Spec private CommandSpec spec;

  /** The number of the commit that was printed last. */
  private long printed;

  @Override
  public Integer call() throws IOException {
    long most = count == null ? Long.MAX_VALUE : count;
    OptionBounds.checkAtLeast("--count", most, 1);
    if (within != null && (within < 1 || within > WITHIN_MAX)) {
      throw new BadInputException(
          "--within is of 1 to %d seconds, not %d".formatted(WITHIN_MAX, within));
    }
    if (before && !json) {
      throw new BadInputException("--before is for --json, which has room for it");
    }
    try (EcStore store = EcStore.connect(StoreAddress.of(connect, directory));
        ChangeReader<Bytes> changes = changes(store).open()) {
      print(changes, most);
      return ExitStatus.OK;
    } catch (WrongArgumentException e) {
      throw new BadInputException(String.valueOf(e.getMessage()));
    } catch (EcStoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Of a table whose records have lifetimes the values are read without these. */
  private Changes<Bytes> changes(EcStore store) {
    Changes<Bytes> changes =
        store.changes(Table.of(table, Codec.bytes()).expiringAfter(Duration.ofDays(1)));
    changes = before ? changes.withBefore() : changes;
    changes = reader == null ? changes : changes.named(reader);
    return from == null ? changes : changes.from(from);
  }

  private void print(ChangeReader<Bytes> changes, long most) throws IOException {
    ChangeJson lines = new ChangeJson(before);
    Duration wait = within == null ? WAIT : Duration.ofSeconds(within);
    for (long commits = 0; commits < most; ) {
      boolean found = reader == null ? next(changes, lines, wait) : apply(changes, lines, wait);
      if (found) {
        commits++;
      } else if (within != null) {
        return;
      }
    }
  }

  private boolean next(ChangeReader<Bytes> changes, ChangeJson lines, Duration wait)
      throws IOException {
    Optional<ChangedCommit<Bytes>> commit = changes.next(wait);
    if (commit.isPresent()) {
      write(commit.get(), lines);
    }
    return commit.isPresent();
  }

  private boolean apply(ChangeReader<Bytes> changes, ChangeJson lines, Duration wait)
      throws IOException {
    return changes.<IOException>applyNext(wait, (tx, commit) -> write(commit, lines));
  }

  /** Once, though the transaction that keeps how far it has come is run again. */
  private void write(ChangedCommit<Bytes> commit, ChangeJson lines) throws IOException {
    if (commit.number().value() == printed) {
      return;
    }
    PrintWriter out = spec.commandLine().getOut();
    out.println(json ? lines.line(commit) : text(commit));
    if (out.checkError()) {
      throw new IOException("standard output takes no more");
    }
    printed = commit.number().value();
  }

  private static String text(ChangedCommit<Bytes> commit) {
    return commit.changes().stream()
        .map(change -> commit.number().value() + "  " + change.key() + "  " + value(change))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String value(Change<Bytes> change) {
    return change.isValueKept() ? change.value().map(Bytes::toString).orElse("deleted") : "changed";
  }
}
