package org.ecstore.cluster.bookkeeper;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.awaitility.core.ConditionFactory;
import org.ecstore.cluster.bookkeeper.bookie.LedgerRefusedException;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bookies go and come while the ledger is in use. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class BookieLossTest {
  @TempDir private Path directory;

  private final UUID cluster = UUID.randomUUID();
  private final List<BookKeeperLedger> open = new ArrayList<>();
  private TestBookies bookies;
  private BookKeeperSettings settings = BookKeeperSettings.DEFAULT.withLimits(1_000, 5_000);

  @BeforeEach
  void startBookies() {
    bookies = new TestBookies(directory, "loss", 3);
  }

  @AfterEach
  void endAll() {
    open.forEach(BookKeeperLedger::close);
    bookies.close();
  }

  private LedgerUser process(int node) throws IOException {
    BookKeeperLedger service =
        BookKeeperLedger.open(
            bookies.paths(), cluster, settings, bookies.notes, UnaryOperator.identity());
    open.add(service);
    return new LedgerUser(service, node);
  }

  /** The number of bookies that the last segment is on. */
  private int lastEnsemble() throws Exception {
    return bookies.ensembles().getLast().size();
  }

  @Test
  void appendsGoOnWhenOneOfThreeEnds() throws Exception {
    LedgerUser writer = process(1);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    List<Long> tokens = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      entries.add(LedgerUser.filled(i, 500));
      tokens.add(writer.beginAppend(entries.getLast()));
      if (i == 100) {
        bookies.stop(1);
      }
      if (i % 10 == 0) {
        writer.await(tokens.getLast());
      }
    }
    for (long token : tokens) {
      assertInstanceOf(LedgerResult.Appended.class, writer.await(token));
    }
    assertEquals(entries, process(2).readAll(1));
  }

  @Test
  void aTakeOverOnTwoOfThreeSucceedsAndTheEnsembleIsFilledLater() throws Exception {
    LedgerUser writer = process(1);
    writer.fence();
    assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.entry(1, "three")));
    bookies.stop(2);
    LedgerUser next = process(2);
    assertEquals(1, next.fence().last().value());
    assertInstanceOf(LedgerResult.Appended.class, next.append(LedgerUser.entry(2, "two")));
    assertEquals(2, lastEnsemble());
    bookies.start(2);
    AtomicLong position = new AtomicLong(3);
    soon()
        .until(
            () -> {
              boolean three = lastEnsemble() >= 3;
              String value = three ? "three again" : "filling";
              LedgerEntry entry = LedgerUser.entry(position.getAndIncrement(), value);
              assertInstanceOf(LedgerResult.Appended.class, next.append(entry));
              return three;
            });
    assertEquals(position.get() - 1, writer.readAll(1).getLast().last().value());
    assertTrue(bookies.notes.has("lacks bookies"));
  }

  private static ConditionFactory soon() {
    return await().pollInterval(Duration.ofMillis(20)).atMost(Duration.ofMinutes(1));
  }

  @Test
  void withTooFewBookiesItSaysSoAndGoesOnWhenTheyReturn() throws Exception {
    LedgerUser writer = process(1);
    writer.fence();
    assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.entry(1, "before")));
    bookies.stop(0);
    bookies.stop(1);
    assertInstanceOf(
        LedgerResult.AppendUnknown.class, writer.append(LedgerUser.entry(2, "unknown")));
    String detail = assertInstanceOf(LedgerResult.Failed.class, writer.tryFence()).detail();
    assertTrue(detail.contains("there: 1 [b2], needed: 2") || detail.contains("too few"), detail);
    bookies.start(0);
    LedgerResult result =
        soon().until(writer::tryFence, each -> !(each instanceof LedgerResult.Failed));
    LedgerResult.Fenced fenced = assertInstanceOf(LedgerResult.Fenced.class, result);
    long last = fenced.last().value();
    assertTrue(last == 1 || last == 2, fenced::toString);
    assertInstanceOf(
        LedgerResult.Appended.class, writer.append(LedgerUser.entry(last + 1, "after")));
  }

  @Test
  void theFirstFenceWithTooFewBookiesSaysHowManyThereAre() throws Exception {
    bookies.stop(0);
    bookies.stop(1);
    LedgerUser writer = process(1);
    String detail = assertInstanceOf(LedgerResult.Failed.class, writer.tryFence()).detail();
    assertTrue(detail.contains("too few bookies: 1 there [b2], at least 2 needed"), detail);
    bookies.start(1);
    writer.fence();
    assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.entry(1, "two")));
  }

  @Test
  void oneBookieIsEnoughWhereOneIsAskedFor() throws Exception {
    bookies.stop(1);
    bookies.stop(2);
    settings = settings.withQuorums(1, 1, 1);
    LedgerUser writer = process(1);
    writer.fence();
    assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.entry(1, "one")));
    open.removeLast().close();
    bookies.stop(0);
    bookies.start(0);
    LedgerUser next = process(2);
    assertEquals(1, next.fence().last().value());
    assertEquals(List.of(LedgerUser.entry(1, "one")), next.readAll(1));
  }

  @Test
  void aReaderAmidATrimmedSegmentGoesOnForTheGrace() throws Exception {
    settings = settings.withSegmentBytes(2_000).withGraceMillis(4_000, 1_000);
    LedgerUser writer = process(1);
    LedgerUser reader = process(2);
    writer.fence();
    List<LedgerEntry> entries = new ArrayList<>();
    for (int i = 1; i <= 100; i++) {
      entries.add(LedgerUser.filled(i, 100));
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entries.getLast()));
    }
    assertEquals(entries.subList(0, 5), reader.read(1, 600).entries());
    assertTrue(writer.trim(90).first().value() > 50);
    assertEquals(entries.subList(5, 10), reader.read(6, 600).entries());
    assertInstanceOf(LedgerResult.Trimmed.class, writer.tryRead(6, 600));
    int before = bookies.ensembles().size();
    soon().until(() -> bookies.ensembles().size() <= before - 3);
    LedgerResult.Trimmed trimmed =
        assertInstanceOf(LedgerResult.Trimmed.class, process(3).tryRead(6, 600));
    assertEquals(
        entries.subList((int) trimmed.first().value() - 1, 100),
        reader.readAll(trimmed.first().value()));
  }

  @Test
  void whatADeadProcessDidNotDeleteIsDeletedByTheNext() throws Exception {
    settings = settings.withSegmentBytes(1_000).withGraceMillis(600_000, 600_000);
    LedgerUser writer = process(1);
    writer.fence();
    for (int i = 1; i <= 50; i++) {
      assertInstanceOf(LedgerResult.Appended.class, writer.append(LedgerUser.filled(i, 100)));
    }
    writer.trim(45);
    int before = bookies.ensembles().size();
    open.removeLast().crash();
    settings = settings.withGraceMillis(50, 100);
    LedgerUser next = process(2);
    assertEquals(50, next.fence().last().value());
    soon().until(() -> bookies.ensembles().size() <= before - 3);
    assertEquals(50, next.readAll(45).getLast().last().value());
  }

  @Test
  void anEntryMuchAboveBookKeepersUsualFrameIsTaken() throws Exception {
    LedgerUser writer = process(1);
    writer.fence();
    LedgerEntry large = LedgerUser.filled(1, EntryCodec.ENTRY_BYTES_MAX - 100);
    assertInstanceOf(LedgerResult.Appended.class, writer.append(large));
    LedgerUser reader = process(2);
    List<LedgerEntry> seen = List.of();
    while (seen.isEmpty()) {
      seen = reader.readAll(1);
    }
    assertEquals(List.of(large), seen);
  }

  @Test
  void whatDoesNotFitIsRejectedAndNotWritten() throws Exception {
    settings = settings.withOutstandingBytesMax(5_000);
    LedgerUser writer = process(1);
    writer.fence();
    List<Long> tokens = new ArrayList<>();
    for (int i = 1; i <= 50; i++) {
      tokens.add(writer.beginAppend(LedgerUser.filled(i, 1_000)));
    }
    long last = 0;
    int rejected = 0;
    for (long token : tokens) {
      switch (writer.await(token)) {
        case LedgerResult.Appended appended -> {
          assertEquals(0, rejected);
          last = appended.last().value();
        }
        case LedgerResult result -> {
          assertInstanceOf(LedgerResult.Rejected.class, result);
          rejected++;
        }
      }
    }
    assertTrue(rejected > 0);
    assertEquals(last, writer.fence().last().value());
    assertEquals(last, writer.readAll(1).size());
  }

  @Test
  void anotherClustersLedgerIsRefused() throws Exception {
    process(1).fence();
    String message =
        String.valueOf(
            assertThrows(
                    LedgerRefusedException.class,
                    () ->
                        BookKeeperLedger.open(
                            bookies.paths(),
                            UUID.randomUUID(),
                            settings,
                            bookies.notes,
                            UnaryOperator.identity()))
                .getMessage());
    assertTrue(message.contains(cluster.toString()), message);
  }

  @Test
  void callsAfterTheEndAreAnswered() throws Exception {
    LedgerUser writer = process(1);
    writer.fence();
    long append = writer.beginAppend(LedgerUser.entry(1, "last"));
    writer.service.close();
    assertInstanceOf(LedgerResult.Appended.class, writer.await(append));
    assertInstanceOf(LedgerResult.Failed.class, writer.tryFence());
    assertInstanceOf(LedgerResult.Rejected.class, writer.append(LedgerUser.entry(2, "late")));
    assertInstanceOf(LedgerResult.Failed.class, writer.tryRead(1, 100));
    LedgerUser next = process(2);
    assertEquals(List.of(LedgerUser.entry(1, "last")), next.readAll(1));
  }
}
