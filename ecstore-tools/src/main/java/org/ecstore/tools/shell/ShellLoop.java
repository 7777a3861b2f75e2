package org.ecstore.tools.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Feeds lines to a shell: from a user at a terminal, or from a script. */
public final class ShellLoop {
  private static final String HISTORY_FILE = ".ecstore_history";
  private static final int COLUMNS = 80;
  private static final int ROWS = 24;

  private ShellLoop() {}

  /**
   * Runs a script to its end or to its first error.
   *
   * @return whether all went well
   */
  public static boolean script(Shell shell, BufferedReader lines, PrintWriter err)
      throws IOException {
    int number = 0;
    for (String line = lines.readLine(); line != null && !shell.ended(); line = lines.readLine()) {
      number++;
      Optional<String> wrong = shell.run(line);
      if (wrong.isPresent()) {
        err.println("line " + number + ": " + wrong.get());
        err.flush();
        return false;
      }
    }
    if (shell.inTransaction()) {
      err.println("the script ended within a transaction, which is aborted");
      err.flush();
      return false;
    }
    return true;
  }

  /** Talks to a user at a terminal, with completion and a history that lasts. */
  public static void talk(Shell shell, PrintWriter err) throws IOException {
    try (Terminal terminal = TerminalBuilder.builder().system(true).nativeSignals(true).build()) {
      if (terminal.getSize().getColumns() == 0) {
        // The terminal does not know how large it is.
        terminal.setSize(Size.of(COLUMNS, ROWS));
      }
      talk(shell, terminal, Path.of(System.getProperty("user.home"), HISTORY_FILE), err);
    }
  }

  /** The same at some terminal. */
  static void talk(Shell shell, Terminal terminal, Path history, PrintWriter err) {
    LineReader reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .appName("ecstore")
            .completer((_, line, candidates) -> complete(shell, line, candidates))
            .variable(LineReader.HISTORY_FILE, history)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    Optional.ofNullable(reader.getKeyMaps().get(LineReader.MAIN)).ifPresent(ShellLoop::bindArrows);
    shell.fit(() -> terminal.getSize().getColumns());
    terminal.writer().println("help lists what there is; ctrl-D ends the shell");
    while (!shell.ended()) {
      try {
        String line = reader.readLine(shell.inTransaction() ? "ecstore (tx)> " : "ecstore> ");
        run(shell, line, terminal).ifPresent(err::println);
      } catch (UserInterruptException _) {
        // The line is dropped, as in other shells.
      } catch (EndOfFileException _) {
        break;
      }
      err.flush();
    }
    if (shell.inTransaction()) {
      err.println("the open transaction is aborted");
      err.flush();
    }
  }

  /** Terminals differ in what an arrow sends; all know these, whatever they say of themselves. */
  private static void bindArrows(KeyMap<Binding> keys) {
    keys.bind(new Reference(LineReader.UP_LINE_OR_HISTORY), "\033[A", "\033OA");
    keys.bind(new Reference(LineReader.DOWN_LINE_OR_HISTORY), "\033[B", "\033OB");
    keys.bind(new Reference(LineReader.FORWARD_CHAR), "\033[C", "\033OC");
    keys.bind(new Reference(LineReader.BACKWARD_CHAR), "\033[D", "\033OD");
  }

  /** Does a line; an interrupt at the terminal ends what it waits for, and not the shell. */
  private static Optional<String> run(Shell shell, String line, Terminal terminal) {
    Thread waiting = Thread.currentThread();
    Terminal.SignalHandler before = terminal.handle(Terminal.Signal.INT, _ -> waiting.interrupt());
    try {
      return shell.run(line);
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
      // One that came too late interrupts nothing.
      Thread.interrupted();
    }
  }

  /** Commands first, then tables, then what may follow. */
  static void complete(Shell shell, ParsedLine line, List<Candidate> candidates) {
    if (line.wordIndex() == 0) {
      for (ShellVerb command : ShellVerb.values()) {
        candidates.add(
            new Candidate(
                command.written(), command.written(), null, command.help(), null, null, true));
      }
      return;
    }
    Optional<ShellVerb> command = ShellVerb.named(line.words().getFirst());
    if (command.isEmpty()) {
      return;
    }
    options(shell, command.get(), line.wordIndex())
        .forEach(text -> candidates.add(new Candidate(text)));
  }

  /** What may stand at a place of a line. */
  static List<String> options(Shell shell, ShellVerb command, int place) {
    return switch (command) {
      case GET, PUT, INSERT, ADD, DELETE, COUNT, DESCRIBE, EXPLAIN ->
          place == 1 ? List.copyOf(shell.tables()) : List.of();
      case SCAN -> place == 1 ? List.copyOf(shell.tables()) : List.of("limit", "reverse");
      case BEGIN -> List.of("serializable", "snapshot");
      case LEVEL -> place == 1 ? List.of("bounded", "local", "session", "strong") : List.of();
      case QUORUM -> place == 1 ? List.of("off") : List.of();
      case HELP -> List.of(ShellVerb.values()).stream().map(ShellVerb::written).toList();
      case TABLES, COMMIT, ABORT, STATUS, HISTORY, QUIT -> List.of();
    };
  }
}
