package org.ecstore.txn.qos.measured;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest.RemoveTable;
import org.ecstore.model.AdminRequest.UseTable;
import org.ecstore.model.NodeTraits;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;

/** The tables that are kept, and which nodes they are of. */
class TableBookTest {
  private static final String HEAD =
      "# engine: je\n# class: small\n# build: 1.2.3\n# capacity: 0.30\n# reads-percent: 95\n";
  private static final String CELL = "8,1,10,1\n";

  private static UseTable use(String name, String text) {
    return new UseTable(name, text, 5);
  }

  private static TableSubject subject(String head) {
    return TableReader.read(head + CELL).subject();
  }

  private static Member member(long node, String build, String engine, String capacity) {
    NodeTraits traits = new NodeTraits("small", Optional.empty(), build, engine);
    return new Member(
        new NodeId(node),
        1,
        new MemberInfo(
            "h:" + node,
            "",
            capacity.isEmpty()
                ? traits
                : traits.with(
                    new NodeTraits.Capacity(
                        new BigDecimal(capacity), NodeTraits.Capacity.Keeper.NODE))));
  }

  @Test
  void whatIsWrittenIsReadAgain() {
    TableBookForm form = new TableBookForm();
    TableBook book =
        TableBook.EMPTY
            .after(use("b", "second"), 7)
            .after(use("a", "first"), 0)
            .after(new RemoveTable("b", 9), 8);
    assertEquals(book, form.decode(form.encode(book)));
    assertEquals(TableBook.EMPTY, form.decode(form.encode(TableBook.EMPTY)));
    assertEquals(List.of(new KeptTable("a", "first", 5)), book.tables());
    assertEquals(new TableChange(3, 8, 9, true, "b"), book.ofRequest(8).orElseThrow());
    assertEquals(Optional.empty(), book.ofRequest(0));
    assertThrows(MalformedMessageException.class, () -> form.decode(Bytes.of(2, 0, 0)));
    assertThrows(MalformedMessageException.class, () -> form.decode(Bytes.of(1, 0, 0, 0)));
    assertThrows(MalformedMessageException.class, () -> form.decode(Bytes.of(1, 9)));
  }

  @Test
  void tablesAreReplacedByTheirNames() {
    TableBook book = TableBook.EMPTY.after(use("a", "one"), 1).after(use("a", "two"), 2);
    assertEquals("two", book.of("a").orElseThrow().text());
    assertTrue(book.has(use("a", "two")));
    assertFalse(book.has(use("a", "one")));
    assertFalse(book.has(new RemoveTable("a", 1)));
  }

  @Test
  void whatIsKeptIsBounded() {
    TableBook book = TableBook.EMPTY;
    String text = "x".repeat(TableBook.TEXT_MAX);
    for (int i = 0; i < TableBook.TABLES_MAX; i++) {
      assertEquals(Optional.empty(), book.refusal(use("t" + i, text)));
      book = book.after(use("t" + i, text), i + 1);
    }
    assertTrue(new TableBookForm().encode(book).length() < KeptBook.BYTES_MAX);
    assertTrue(book.refusal(use("more", text)).orElseThrow().contains("there are 8 tables"));
    assertEquals(Optional.empty(), book.refusal(use("t3", text)));
    for (int i = 0; i < 2 * TableBook.CHANGES_MAX; i++) {
      book = book.after(use("t1", text), 100 + i);
    }
    assertEquals(TableBook.CHANGES_MAX, book.changes().size());
    assertEquals(book, new TableBookForm().decode(new TableBookForm().encode(book)));
  }

  @Test
  void namesAreLooked() {
    for (String name : List.of("", "a b", "-a", "é", "a".repeat(65), "a/b")) {
      assertTrue(TableBook.EMPTY.refusal(use(name, CELL)).isPresent(), name);
    }
    assertEquals(Optional.empty(), TableBook.EMPTY.refusal(use("je-small.zipf_1", CELL)));
    assertTrue(TableBook.EMPTY.refusal(new RemoveTable("a", 1)).isPresent());
  }

  @Test
  void whatATableHasToSayIsSaidAtOnce() {
    assertEquals(5, NodeKinds.unsaid(subject("")).size());
    assertEquals(List.of(), NodeKinds.unsaid(subject(HEAD)));
  }

  /** The head is that of {@code qos model}: ModelledTableTest. */
  @Test
  void aModelledTableIsOfNoNode() {
    String head =
        """
        # engine: model
        # class: small
        # workload: zipf-read
        # build: model
        # reads-percent: 100.0
        """;
    assertEquals(
        List.of("it has no line \"# capacity: ...\", as tables of qos measure have"),
        NodeKinds.unsaid(subject(head)),
        "so it is refused where no node is known, too");
    assertEquals(
        List.of(
            "it was measured on build model, and n1 has 1.2.3",
            "it was measured on engine model, and n1 has je"),
        NodeKinds.differences(
            subject(head + "# capacity: 0.3\n"), List.of(member(1, "1.2.3", "je", "0.3"))));
  }

  @Test
  void otherNodesAreNamedWithWhatTheyHave() {
    TableSubject subject = subject(HEAD);
    assertEquals(
        List.of(),
        NodeKinds.differences(
            subject, List.of(member(1, "1.2.3", "je", "0.3"), member(2, "1.2.3", "je", "0.30"))));
    assertEquals(
        List.of(
            "it was measured on build 1.2.3, and n2, n3 have none that is known and 1.2.4",
            "it was measured on engine je, and n3 has redis",
            "it was measured on capacity 0.3, and n2 has all"),
        NodeKinds.differences(
            subject,
            List.of(
                member(1, "1.2.3", "je", "0.3"),
                member(2, "1.2.4", "je", ""),
                member(3, "", "redis", "0.3"))));
    assertEquals(
        List.of("it was measured on node class large, and n1 has small"),
        NodeKinds.differences(
            subject("# class: large\n"), List.of(member(1, "1.2.3", "je", "0.3"))));
    assertEquals("je, class small, 95% reads, build 1.2.3, capacity 0.3", NodeKinds.words(subject));
  }

  @Test
  void howATableWasMeasuredIsShownBesideWhatItIsOf() {
    TableSubject subject = subject(HEAD + "# copies: 1\n# processors: 2\n# unsteady: 3,4\n");
    assertEquals(
        "je, class small, 95% reads, build 1.2.3, capacity 0.3, 1 copy of each range, not steady on"
            + " 3 and 4 nodes",
        NodeKinds.words(subject));
    assertEquals(
        List.of(), NodeKinds.differences(subject, List.of(member(1, "1.2.3", "je", "0.3"))));
  }
}
