package org.ecstore.tools.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.Table;
import org.ecstore.client.net.AddressList;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.ClusterSettings;
import org.ecstore.server.LocalCluster;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts on a cluster of two nodes, which meet in the middle of the table "t". */
@Timeout(120)
class ShellTest {
  @TempDir private static Path directory;
  private static LocalCluster cluster;
  private static EcStore store;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  static void start() throws IOException {
    Bytes middle = Tuple.of("t", "m").encode();
    cluster =
        LocalCluster.start(
            directory,
            ClusterSettings.DEFAULT.withNodes(2).withCopies(1).withSplitHints(List.of(middle)));
    store = EcStore.connect(cluster.addresses());
  }

  @AfterAll
  static void end() throws IOException {
    store.close();
    cluster.close();
  }

  private boolean script(String text) throws IOException {
    try (Shell shell =
        new Shell(store, AddressList.parse(cluster.addresses()), new PrintWriter(out, true))) {
      return ShellLoop.script(
          shell, new BufferedReader(new StringReader(text)), new PrintWriter(err, true));
    }
  }

  private void assertWrong(String reason, String text) throws IOException {
    assertFalse(script(text), out::toString);
    assertTrue(err.toString().contains(reason), err::toString);
    assertEquals(1, err.toString().lines().count(), err::toString);
  }

  @Test
  void recordsAreWrittenReadScannedAndDeleted() throws IOException {
    assertTrue(
        script(
            """
            put a one eins
            insert a two "zwei  und"
            put a (3, null) (x, 7)

            # a remark
            get a one
            scan a
            scan a reverse limit 1
            scan a (3)
            count a
            delete a one
            count a
            """),
        err::toString);
    assertEquals(
        """
        committed
        committed
        committed
        eins
        one        eins
        two        zwei  und
        (3, null)  ("x", 7)
        (3, null)  ("x", 7)
        ... there are more: limit N shows them
        (3, null)  ("x", 7)
        3
        committed
        2
        """,
        out.toString());
  }

  @Test
  void transactionIsSeenByItselfAndByOthersOnlyOnceCommitted() throws IOException {
    assertTrue(script("begin\nput b x 1\nget b x\ncount b\nabort\ncount b\n"), err::toString);
    assertTrue(out.toString().endsWith("ok\n1\n1\naborted\n0\n"), out::toString);
    assertTrue(script("begin snapshot\nput b x 2\ncommit\nget b x\n"), err::toString);
    assertTrue(out.toString().matches("(?s).*committed as number \\d+\n2\n"), out::toString);
  }

  @Test
  void singleKeysAreReadAndWrittenByQuorumOnceThereIsOne() throws IOException {
    assertTrue(
        script(
            """
            quorum
            quorum 1 1 1
            put q x 1
            get q x
            get q absent
            delete q x
            begin
            insert q x 2
            get q x
            commit
            quorum off
            get q x
            """),
        err::toString);
    String number = "\\d+";
    assertTrue(
        out.toString()
            .matches(
                """
                off
                of 1 copies 1 have a write, and 1 answer a read
                committed as p@ on 1 copies
                1
                by n@ at @, written as number @
                \\(none\\)
                by n@ at @
                committed as p@ on 1 copies
                begun at position @
                ok
                2
                committed as number @
                off
                2
                """
                    .replace("@", number)),
        out::toString);
  }

  @Test
  void quorumsThatCannotBeAreRefused() throws IOException {
    assertWrong("wrong argument: W is from 1 to N = 3, not 4", "quorum 3 4 1\n");
  }

  @Test
  void quorumsOfMoreCopiesThanThereAreSaySo() throws IOException {
    assertTrue(script("quorum 2 1 1\nput q2 y 1\nget q2 y\n"), err::toString);
    assertTrue(out.toString().contains(", may be stale\n"), out::toString);
    assertWrong("nothing is inserted by quorum", "quorum 2 1 1\ninsert q2 x 1\n");
  }

  @Test
  void scriptEndsAtItsFirstErrorAndNamesTheLine() throws IOException {
    assertWrong("line 2: there is no command foo", "put c a 1\nfoo\nput c b 2\n");
    assertTrue(script("count c\n"));
    assertTrue(out.toString().endsWith("\n1\n"), out::toString);
  }

  @Test
  void absentKeyIsAnAnswerAndTheScriptGoesOn() throws IOException {
    assertTrue(
        script("get away absent\nbegin\nget away absent\nabort\ncount away\n"), err::toString);
    String text = out.toString();
    assertTrue(text.matches("\\(none\\)\nbegun at position \\d+\n\\(none\\)\naborted\n0\n"), text);
    assertEquals("", err.toString());
  }

  @Test
  void takenKeyIsAnError() throws IOException {
    assertWrong("line 2: already exists: the key is taken", "insert d x 1\ninsert d x 2\n");
  }

  @Test
  void wrongNumberOfWordsShowsTheSyntax() throws IOException {
    assertWrong("it is: put TABLE KEY VALUE (quotes keep", "put e x two words\n");
  }

  @Test
  void transactionLeftOpenIsAborted() throws IOException {
    assertWrong("is aborted", "begin\nput f x 1\n");
    assertTrue(script("count f\n"));
    assertTrue(out.toString().endsWith("\n0\n"), out::toString);
  }

  @Test
  void commitWithoutBeginIsAnError() throws IOException {
    assertWrong("no transaction is open", "commit\n");
  }

  @Test
  void explainNamesRangeNodeAndTheWayThere() throws IOException {
    assertTrue(script("explain t a\nexplain t z\nlevel strong\nexplain t z\n"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("key      (\"t\", \"a\")"), text);
    assertTrue(text.contains("served   by n1 at ") && text.contains("served   by n2 at "), text);
    assertTrue(text.contains("by the nodes' links, without a map: n1 -> n2, 1 hop"), text);
    assertTrue(text.contains("the node that was asked first"), text);
    assertTrue(text.contains("serving: it takes reads and writes; has all commits up to "), text);
    for (String inner : List.of("rule ", "closed position", "write marks", "base ")) {
      assertFalse(
          text.lines()
              .filter(line -> !line.startsWith("read  "))
              .toList()
              .toString()
              .contains(inner),
          text);
    }
    assertTrue(text.contains("read     by n1 (primary) at "), text);
    assertTrue(text.contains(" behind: no other copy is known to answer"), text);
    assertTrue(text.contains("at level session see") && text.contains("at level strong see"), text);
  }

  @Test
  void statusHistoryAndHelpSpeak() throws IOException {
    assertTrue(script("status\nhelp scan\nhelp\nhistory\nquit\nfoo\n"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("sequencer"), text);
    assertTrue(text.contains("scan TABLE [PREFIX] [limit N] [reverse]"), text);
    assertTrue(text.contains("   1  status\n   2  help scan\n"), text);
    for (ShellVerb command : ShellVerb.values()) {
      assertTrue(text.contains("  " + command.syntax()), command::syntax);
    }
  }

  @Test
  void statusFitsItsTerminal() {
    StringWriter shown = new StringWriter();
    int width = 34;
    try (Shell shell =
        new Shell(store, AddressList.parse(cluster.addresses()), new PrintWriter(shown, true))) {
      shell.fit(() -> width);
      assertEquals(Optional.empty(), shell.run("status"));
    }
    String text = shown.toString();
    assertTrue(text.lines().limit(2).allMatch(line -> line.length() <= width), text);
    assertTrue(text.lines().limit(2).anyMatch(line -> line.contains("...")), text);
  }

  @Test
  void tablesAreKnownInANewSession() throws IOException {
    assertTrue(script("put seen-before x 1\n"), err::toString);
    assertTrue(script("tables\n"), err::toString);
    assertTrue(out.toString().contains("\nseen-before\n"), out::toString);
    try (Shell fresh =
        new Shell(store, AddressList.parse(cluster.addresses()), new PrintWriter(out, true))) {
      assertTrue(ShellLoop.options(fresh, ShellVerb.SCAN, 1).contains("seen-before"));
    }
  }

  @Test
  void tablesOfTheCatalogAreDescribed() throws IOException {
    Table<String> notes = Table.of("notes", Codec.utf8());
    notes.index("by-length", String::length);
    notes.index("by-text", note -> note).unique();
    store.catalog().open(notes);
    assertTrue(script("tables\ndescribe notes\ndescribe nothing\n"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("\nnotes\n"), text);
    assertTrue(
        text.contains(
            """
            table notes
            values: text
            index by-length  not unique  version 1  readable
            index by-text    unique      version 1  readable
            (the catalog does not know it"""),
        text);
    assertFalse(script("put notes 1 x\n"));
    assertTrue(err.toString().contains("does not declare"), err::toString);
    store.catalog().dropTable("notes");
  }

  @Test
  void scanOfATableThatIsNotThereSaysSo() throws IOException {
    assertTrue(script("put there x 1\nscan nosuch\nscan there y\n"), err::toString);
    assertEquals(
        "committed\n(none: there is no table nosuch; tables shows those there are)\n(none)\n",
        out.toString());
  }

  @Test
  void numberIsTheSameKeyAloneAndInParentheses() throws IOException {
    assertTrue(script("put n 42 a\nget n (42)\nget n \"42\"\nscan n\n"), err::toString);
    assertEquals("committed\na\n(none)\n42  a\n", out.toString());
  }

  @Test
  void completionKnowsCommandsTablesAndOptions() throws IOException {
    try (Shell shell =
        new Shell(store, AddressList.parse(cluster.addresses()), new PrintWriter(out, true))) {
      assertTrue(shell.run("put words x 1").isEmpty());
      assertTrue(ShellLoop.options(shell, ShellVerb.GET, 1).contains("words"));
      assertEquals(List.of("limit", "reverse"), ShellLoop.options(shell, ShellVerb.SCAN, 2));
      assertTrue(ShellLoop.options(shell, ShellVerb.HELP, 1).contains("explain"));
    }
  }
}
