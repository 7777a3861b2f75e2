package org.ecstore.tools.shell;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What a line may begin with. */
enum ShellVerb {
  GET("get TABLE KEY", 2, 2, "The value of a key; (none) if there is none."),
  PUT("put TABLE KEY VALUE", 3, 3, "Writes a value, whether there was one or not."),
  INSERT("insert TABLE KEY VALUE", 3, 3, "Writes a value; an error if there is one."),
  ADD(
      "add TABLE KEY AMOUNT",
      3,
      3,
      "Adds to a number of 8 bytes without reading it, 0 if there is none; a value of another length"
          + " stays as it is."),
  DELETE("delete TABLE KEY", 2, 2, "Removes a key; does nothing if it is not there."),
  SCAN(
      "scan TABLE [PREFIX] [limit N] [reverse]",
      1,
      5,
      "The records of a table in the order of keys, those that begin with the tuple PREFIX; 100 of"
          + " them unless a limit says otherwise."),
  COUNT("count TABLE [PREFIX]", 1, 2, "How many records scan would find without a limit."),
  TABLES("tables", 0, 0, "The tables that have a record, and those that the catalog knows."),
  DESCRIBE(
      "describe TABLE", 1, 1, "What the catalog says of a table: its indexes, and how they are."),
  BEGIN(
      "begin [serializable|snapshot]",
      0,
      1,
      "Begins a transaction: what follows, up to commit or abort, is done as a whole or not at"
          + " all, and reads one moment."),
  COMMIT("commit", 0, 0, "Commits the transaction."),
  ABORT("abort", 0, 0, "Drops what the transaction wrote."),
  LEVEL(
      "level [local|session|bounded MILLISECONDS|strong]",
      0,
      2,
      "How fresh what is read must be: what the node has at hand (local), what this shell has seen"
          + " (session), all that any client had committed so long ago (bounded), or until now"
          + " (strong)."),
  QUORUM(
      "quorum [N W R|off]",
      0,
      3,
      "From how many copies single keys are read: outside transactions, get asks R of the N copies"
          + " of a range, and put and delete wait until W have the write; with W + R above N a read"
          + " sees every write that was acknowledged before it. get says which copies answered. What"
          + " else there is goes on by the level."),
  EXPLAIN(
      "explain TABLE KEY",
      2,
      2,
      "Where a key lives: range, epoch, node, the way there by the overlay's links, and why that"
          + " copy may answer."),
  STATUS("status", 0, 0, "Nodes and ranges, as one node knows them."),
  HISTORY("history", 0, 0, "The lines so far."),
  HELP("help [COMMAND]", 0, 1, "What there is, or one command."),
  QUIT("quit", 0, 0, "Ends the shell; an open transaction is aborted.");

  private final String syntax;
  private final int leastWords;
  private final int mostWords;
  private final String help;

  ShellVerb(String syntax, int leastWords, int mostWords, String help) {
    this.syntax = syntax;
    this.leastWords = leastWords;
    this.mostWords = mostWords;
    this.help = help;
  }

  String written() {
    return name().toLowerCase(Locale.ROOT);
  }

  String syntax() {
    return syntax;
  }

  String help() {
    return help;
  }

  static Optional<ShellVerb> named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("exit")) {
      return Optional.of(QUIT);
    }
    return List.of(values()).stream().filter(each -> each.written().equals(lower)).findFirst();
  }

  /** Refuses too few or too many words behind the command. */
  void checkWords(int count) {
    if (count < leastWords || count > mostWords) {
      String hint =
          count > mostWords && mostWords == 3 ? " (quotes keep a value with blanks together)" : "";
      throw new ShellException("it is: " + syntax + hint);
    }
  }
}
