package org.ecstore.tools.shell;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Entry;
import org.ecstore.client.IndexDescription;
import org.ecstore.client.ManualTransaction;
import org.ecstore.client.QuorumRead;
import org.ecstore.client.QuorumStore;
import org.ecstore.client.Scan;
import org.ecstore.client.Session;
import org.ecstore.client.Snapshot;
import org.ecstore.client.StoreStatus;
import org.ecstore.client.StoreStatus.StoreNode;
import org.ecstore.client.StoreStatus.StoreRange;
import org.ecstore.client.Table;
import org.ecstore.client.TableDescription;
import org.ecstore.client.Transaction;
import org.ecstore.client.TupleRange;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyText;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.NodeRole;
import org.ecstore.model.ReadLevel;
import org.ecstore.server.print.Columns;
import org.ecstore.tools.shell.Words.Word;
import org.jspecify.annotations.Nullable;

/**
 * Does what lines say, one after the other. Without a transaction each is one of its own. For one
 * thread.
 */
public final class Shell implements AutoCloseable {
  private static final long SCAN_LIMIT = 100;

  /** The column of a table of ranges whose cells are told apart by beginning and end. */
  private static final int FROM = 4;

  private static final String NOTHING = "(none)";

  private final EcStore store;
  private final Explanation explanation;
  private final PrintWriter out;
  private final List<String> history = new ArrayList<>();
  private final TreeSet<String> tables = new TreeSet<>();
  private ReadLevel level = ReadLevel.SESSION;
  private Optional<QuorumStore> quorum = Optional.empty();
  private @Nullable ManualTransaction open;
  private boolean ended;

  /** How long a line of a table may be; no limit unless a terminal says so. */
  private IntSupplier width = () -> Integer.MAX_VALUE;

  /**
   * A shell on a store.
   *
   * @param addresses of its nodes
   * @param out takes results
   */
  public Shell(EcStore store, List<String> addresses, PrintWriter out) {
    this.store = store;
    this.explanation = new Explanation(addresses);
    this.out = out;
  }

  /** Tables fit into lines of so many characters from now on, asked for each time. */
  void fit(IntSupplier columns) {
    width = columns;
  }

  /** Whether a line has ended the shell. */
  public boolean ended() {
    return ended;
  }

  /** Whether a transaction is open. */
  public boolean inTransaction() {
    return open != null;
  }

  /** The names of tables that were used, and of those that are there. */
  TreeSet<String> tables() {
    TreeSet<String> known = new TreeSet<>(tables);
    try {
      known.addAll(store.tables());
    } catch (EcStoreException _) {
      // Completion goes on with what was used.
    }
    return known;
  }

  private void showTables() {
    List<String> names = store.tables();
    TreeSet<String> all = new TreeSet<>(names);
    store.catalog().tables().forEach(table -> all.add(table.name()));
    all.forEach(name -> out.println(Shown.key(Tuple.of(name))));
    if (all.isEmpty()) {
      out.println("(none: a table is there as soon as something is put into it)");
    } else if (names.size() == EcStore.TABLES_MAX) {
      out.println("... there may be more");
    }
  }

  private void describe(String name) {
    Optional<TableDescription> table = store.catalog().table(name);
    if (table.isEmpty()) {
      out.println("(the catalog does not know it: a program enters it by store.catalog().open)");
      return;
    }
    String lifetime =
        table.get().lifetime().map(usual -> ", its records live for " + usual).orElse("");
    out.println("table " + name + (table.get().dropped() ? ", being dropped" : "") + lifetime);
    store.catalog().schema(name).ifPresent(values -> Shown.values(values).forEach(out::println));
    List<String[]> rows = new ArrayList<>();
    for (IndexDescription index : table.get().indexes()) {
      rows.add(
          new String[] {
            "index " + index.name(),
            index.unique() ? "unique" : "not unique",
            "version " + index.version(),
            index.state().name().toLowerCase(Locale.ROOT)
          });
    }
    Columns.align(rows).forEach(line -> out.println(line.substring(2)));
    if (rows.isEmpty()) {
      out.println("(no indexes)");
    }
  }

  /**
   * Does one line.
   *
   * @return what went wrong, in a line; absent if nothing did
   */
  public Optional<String> run(String line) {
    try {
      List<Word> words = Words.of(line);
      if (!words.isEmpty()) {
        history.add(line.strip());
        run(words);
      }
      return Optional.empty();
    } catch (ShellException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } catch (EcStoreException e) {
      return Optional.of(
          e.code().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    } finally {
      out.flush();
    }
  }

  private void run(List<Word> words) {
    String name = words.getFirst() instanceof Word.Text text ? text.text() : "";
    ShellVerb command =
        ShellVerb.named(name)
            .orElseThrow(() -> new ShellException("there is no command " + name + ": try help"));
    List<Word> rest = words.subList(1, words.size());
    command.checkWords(rest.size());
    switch (command) {
      case GET -> get(table(rest), key(rest));
      case PUT -> put(table(rest), key(rest), value(rest.get(2)));
      case INSERT -> insert(table(rest), key(rest), value(rest.get(2)));
      case ADD -> add(table(rest), key(rest), rest.get(2));
      case DELETE -> delete(table(rest), key(rest));
      case SCAN -> scan(rest);
      case COUNT -> {
        long count = read(snapshot -> snapshot.count(table(rest), prefix(rest)));
        out.println(count);
      }
      case TABLES -> showTables();
      case DESCRIBE -> describe(table(rest).name());
      case BEGIN -> begin(rest);
      case COMMIT -> commit();
      case ABORT -> abort();
      case LEVEL -> level(rest);
      case QUORUM -> quorum(rest);
      case EXPLAIN -> explain(table(rest), key(rest));
      case STATUS -> status(store.status());
      case HISTORY -> history();
      case HELP -> help(rest);
      case QUIT -> ended = true;
    }
  }

  private Table<Bytes> table(List<Word> rest) {
    if (!(rest.getFirst() instanceof Word.Text name)) {
      throw new ShellException("the name of a table is text");
    }
    Table<Bytes> table = Table.of(name.text(), Codec.bytes());
    tables.add(name.text());
    return table;
  }

  private static Tuple key(List<Word> rest) {
    return Words.key(rest.get(1));
  }

  private static Bytes value(Word word) {
    return switch (word) {
      case Word.Text text -> Bytes.utf8(text.text());
      case Word.Parenthesized parenthesized -> parenthesized.tuple().encode();
      case Word.Hex hex -> hex.bytes();
      case Word.Element element -> Bytes.utf8(element.text());
    };
  }

  private static TupleRange prefix(List<Word> rest) {
    return rest.size() < 2 ? TupleRange.all() : TupleRange.prefix(Words.key(rest.get(1)));
  }

  private Session session() {
    return store.with(level);
  }

  private interface Reading<T> {
    T from(Snapshot snapshot);
  }

  private <T> T read(Reading<T> reading) {
    ManualTransaction transaction = open;
    return transaction == null
        ? session().<T, RuntimeException>read(reading::from)
        : reading.from(transaction);
  }

  private interface Writing {
    void to(Transaction transaction);
  }

  private void write(Writing writing) {
    ManualTransaction transaction = open;
    if (transaction == null) {
      session().execute(writing::to);
      out.println("committed");
    } else {
      writing.to(transaction);
      out.println("ok");
    }
  }

  /** Who is asked of single keys outside transactions, if not any copy by the level. */
  private Optional<QuorumStore> byQuorum() {
    return open == null ? quorum : Optional.empty();
  }

  private void get(Table<Bytes> table, Tuple key) {
    Optional<QuorumRead<Bytes>> answer = byQuorum().map(copies -> copies.get(table, key));
    Optional<Bytes> value =
        answer.isPresent() ? answer.get().value() : read(snapshot -> snapshot.get(table, key));
    out.println(value.map(Shown::value).orElse(NOTHING));
    answer.map(Shown::copies).ifPresent(out::println);
  }

  private void put(Table<Bytes> table, Tuple key, Bytes value) {
    byQuorum()
        .ifPresentOrElse(
            copies -> out.println(copies.put(table, key, value)),
            () -> write(tx -> tx.put(table, key, value)));
  }

  private void insert(Table<Bytes> table, Tuple key, Bytes value) {
    if (byQuorum().isPresent()) {
      throw new ShellException("nothing is inserted by quorum: put it, begin, or quorum off");
    }
    write(tx -> tx.insert(table, key, value));
  }

  private void add(Table<Bytes> table, Tuple key, Word by) {
    if (byQuorum().isPresent()) {
      throw new ShellException("nothing is added by quorum: begin, or quorum off");
    }
    Table<Long> numbers = Table.of(table.name(), Codec.longs());
    long added = amount(by);
    write(tx -> tx.add(numbers, key, added));
  }

  private void delete(Table<Bytes> table, Tuple key) {
    byQuorum()
        .ifPresentOrElse(
            copies -> out.println(copies.delete(table, key)),
            () -> write(tx -> tx.delete(table, key)));
  }

  private void scan(List<Word> rest) {
    List<Word> left = new ArrayList<>(rest.subList(1, rest.size()));
    TupleRange range = TupleRange.all();
    if (!left.isEmpty() && !isOption(left.getFirst())) {
      range = TupleRange.prefix(Words.key(left.removeFirst()));
    }
    boolean reverse = false;
    long limit = SCAN_LIMIT;
    while (!left.isEmpty()) {
      Word word = left.removeFirst();
      if (is(word, "reverse")) {
        reverse = true;
      } else if (is(word, "limit") && !left.isEmpty()) {
        limit = number(left.removeFirst());
      } else {
        throw new ShellException("it is: " + ShellVerb.SCAN.syntax());
      }
    }
    scan(table(rest), range, reverse, limit);
  }

  private void scan(Table<Bytes> table, TupleRange range, boolean reverse, long limit) {
    List<Entry<Bytes>> found =
        read(
            snapshot -> {
              Scan<Bytes> scan = snapshot.scan(table, range).limit(limit + 1);
              return (reverse ? scan.reverse() : scan).toList();
            });
    List<String[]> rows = new ArrayList<>();
    for (Entry<Bytes> entry : found.subList(0, (int) Math.min(limit, found.size()))) {
      rows.add(new String[] {Shown.key(entry.key()), Shown.value(entry.value())});
    }
    Columns.align(rows).forEach(line -> out.println(line.substring(2)));
    if (found.size() > limit) {
      out.println("... there are more: limit N shows them");
    } else if (found.isEmpty()) {
      out.println(nothingIn(table));
    }
  }

  /** Why a scan found nothing: perhaps the name is misspelt. */
  private String nothingIn(Table<Bytes> table) {
    if (open != null || store.tables().contains(table.name())) {
      return NOTHING;
    }
    tables.remove(table.name());
    return "(none: there is no table " + table.name() + "; tables shows those there are)";
  }

  private static boolean isOption(Word word) {
    return is(word, "reverse") || is(word, "limit");
  }

  private static boolean is(Word word, String name) {
    return word instanceof Word.Text(var text, var plain) && plain && text.equals(name);
  }

  private static long amount(Word word) {
    if (word instanceof Word.Text text && text.text().matches("-?[0-9]{1,19}")) {
      try {
        return Long.parseLong(text.text());
      } catch (NumberFormatException e) {
        throw new ShellException("an amount is from -2^63 to 2^63-1");
      }
    }
    throw new ShellException("an amount is a whole number");
  }

  private static long number(Word word) {
    if (word instanceof Word.Text text && text.text().matches("[0-9]{1,9}")) {
      return Long.parseLong(text.text());
    }
    throw new ShellException("a limit is a number");
  }

  private void begin(List<Word> rest) {
    if (open != null) {
      throw new ShellException("a transaction is open: commit or abort it first");
    }
    Isolation isolation =
        rest.isEmpty() || is(rest.getFirst(), "serializable")
            ? Isolation.SERIALIZABLE
            : Isolation.SNAPSHOT;
    if (isolation == Isolation.SNAPSHOT && !is(rest.getFirst(), "snapshot")) {
      throw new ShellException("it is: " + ShellVerb.BEGIN.syntax());
    }
    open = session().with(isolation).begin();
    out.println("begun at position " + open.readPoint().position().value());
  }

  private ManualTransaction transaction() {
    ManualTransaction transaction = open;
    if (transaction == null) {
      throw new ShellException("no transaction is open: begin one");
    }
    return transaction;
  }

  private void commit() {
    ManualTransaction transaction = transaction();
    // It is over, whatever comes of it.
    open = null;
    transaction.commit();
    out.println(
        transaction
            .commitNumber()
            .map(number -> "committed as number " + number.value())
            .orElse("nothing to commit"));
  }

  private void abort() {
    transaction().rollback();
    open = null;
    out.println("aborted");
  }

  /** Where a key lives and, by a read of it, which copy answers and why that one was asked. */
  private void explain(Table<Bytes> table, Tuple key) {
    explanation.of(table, key, level).forEach(out::println);
    String read =
        store.read(
            level,
            snapshot -> {
              snapshot.get(table, key);
              return snapshot.lastRead().map(AnsweredBy::toString).orElse("no node");
            });
    out.println("read     by " + read);
  }

  private void level(List<Word> rest) {
    if (!rest.isEmpty()) {
      level = levelOf(rest);
    }
    out.println(level.toString().toLowerCase(Locale.ROOT));
  }

  private static ReadLevel levelOf(List<Word> words) {
    Word first = words.getFirst();
    if (words.size() == 2 && is(first, "bounded") && number(words.get(1)) > 0) {
      return ReadLevel.bounded(Duration.ofMillis(number(words.get(1))));
    } else if (words.size() == 1 && is(first, "local")) {
      return ReadLevel.LOCAL;
    } else if (words.size() == 1 && is(first, "session")) {
      return ReadLevel.SESSION;
    } else if (words.size() == 1 && is(first, "strong")) {
      return ReadLevel.STRONG;
    }
    throw new ShellException("it is: " + ShellVerb.LEVEL.syntax());
  }

  private void quorum(List<Word> rest) {
    if (rest.size() == 1 && is(rest.getFirst(), "off")) {
      quorum = Optional.empty();
    } else if (rest.size() == 3) {
      List<Integer> counts = rest.stream().map(Shell::copies).toList();
      quorum = Optional.of(store.quorum(counts.get(0), counts.get(1), counts.get(2)));
    } else if (!rest.isEmpty()) {
      throw new ShellException("it is: " + ShellVerb.QUORUM.syntax());
    }
    out.println(quorum.map(Shown::quorum).orElse("off"));
  }

  private static int copies(Word word) {
    if (word instanceof Word.Text text && text.text().matches("[0-9]{1,4}")) {
      return Integer.parseInt(text.text());
    }
    throw new ShellException("N, W and R are numbers of copies");
  }

  private void status(StoreStatus report) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"node", "address", "roles"});
    for (StoreNode node : report.nodes()) {
      rows.add(new String[] {node.id().toString(), node.address(), NodeRole.words(node.roles())});
    }
    Columns.align(rows, width.getAsInt()).forEach(out::println);
    rows.clear();
    rows.add(new String[] {"range", "epoch", "primary", "secondaries", "from", "to"});
    for (StoreRange route : report.ranges()) {
      rows.add(
          new String[] {
            route.id().toString(),
            String.valueOf(route.epoch().value()),
            route.primary().toString(),
            route.secondaries().stream().map(NodeId::toString).collect(Collectors.joining(", ")),
            KeyText.start(route.keys()),
            KeyText.end(route.keys())
          });
    }
    out.println();
    Columns.align(rows, width.getAsInt(), FROM).forEach(out::println);
    out.println();
    out.println(
        "  position " + report.position().value() + ", map version " + report.mapVersion().value());
  }

  private void history() {
    for (int i = 0; i < history.size(); i++) {
      out.printf(Locale.ROOT, "%4d  %s%n", i + 1, history.get(i));
    }
  }

  private void help(List<Word> rest) {
    if (rest.isEmpty()) {
      List<String[]> rows = new ArrayList<>();
      for (ShellVerb each : ShellVerb.values()) {
        rows.add(new String[] {each.syntax(), firstSentence(each.help())});
      }
      Columns.align(rows).forEach(out::println);
      out.println();
      out.println(
          "  A key is a tuple, as (alice, 42, null), or one element: 42 is (42), as Tuple.of(42)");
      out.println(
          "  in a program; alice is (alice). What looks like a number, 1.5, true, null, a UUID,");
      out.println(
          "  a date or an instant is one, and is text in quotes: \"42\". Bytes are x'0aff', a");
      out.println(
          "  decimal is dec'1.5', desc(42) stands in descending order. A value is text, bytes or");
      out.println("  a tuple; a word of it is text, whatever it looks like.");
      return;
    }
    String name = rest.getFirst() instanceof Word.Text text ? text.text() : "";
    ShellVerb command =
        ShellVerb.named(name).orElseThrow(() -> new ShellException("there is no command " + name));
    out.println("  " + command.syntax());
    out.println("  " + command.help());
  }

  private static String firstSentence(String help) {
    int end = help.indexOf(';');
    int colon = help.indexOf(':');
    int cut = end < 0 ? colon : colon < 0 ? end : Math.min(end, colon);
    return cut < 0 ? help : help.substring(0, cut) + '.';
  }

  /** Aborts what is open and lets the connections go; the store is its owner's. */
  @Override
  public void close() {
    ManualTransaction transaction = open;
    if (transaction != null) {
      open = null;
      transaction.close();
    }
    explanation.close();
  }
}
