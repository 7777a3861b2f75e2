package org.ecstore.cluster.bookkeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.bookkeeper.bookie.Bookie;
import org.ecstore.cluster.bookkeeper.near.NearBookie;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.core.port.LedgerResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Entries are read from the bookie of the own process, and from the others what it lacks. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class NearReadsTest {
  private static final int BYTES = 500;

  @TempDir private Path directory;

  private final UUID cluster = UUID.randomUUID();
  private final List<BookKeeperLedger> open = new ArrayList<>();
  private final List<LedgerEntry> written = new ArrayList<>();
  private TestBookies bookies;

  @BeforeEach
  void startBookies() {
    bookies = new TestBookies(directory, "near", 3);
  }

  @AfterEach
  void endAll() {
    open.forEach(BookKeeperLedger::close);
    bookies.close();
  }

  private LedgerUser process(int node, Optional<NearBookie> near) throws IOException {
    BookKeeperLedger service =
        BookKeeperLedger.open(
            bookies.paths(),
            cluster,
            BookKeeperSettings.DEFAULT.withLimits(1_000, 5_000),
            bookies.notes,
            near,
            UnaryOperator.identity());
    open.add(service);
    return new LedgerUser(service, node);
  }

  private void append(LedgerUser writer, int entries) throws InterruptedException {
    for (int i = 0; i < entries; i++) {
      LedgerEntry entry = LedgerUser.filled(written.size() + 1L, BYTES);
      assertInstanceOf(LedgerResult.Appended.class, writer.append(entry));
      written.add(entry);
    }
  }

  @Test
  void whatTheOwnBookieHasIsReadThere() throws Exception {
    LedgerUser writer = process(1, Optional.empty());
    writer.fence();
    append(writer, 100);
    AtomicInteger asked = new AtomicInteger();
    NearBookie own = bookies.near(0);
    NearBookie counted =
        () -> {
          asked.incrementAndGet();
          return own.serving();
        };
    LedgerUser reader = process(2, Optional.of(counted));
    assertEquals(written, reader.readAll(1));
    assertTrue(asked.get() > 0, "the own bookie is asked");
    int before = asked.get();
    append(writer, 20);
    assertEquals(written.subList(100, 120), reader.readAll(101));
    assertTrue(asked.get() > before, "the own bookie is asked again");
  }

  @Test
  void whatItLacksTheOthersHave() throws Exception {
    LedgerUser writer = process(1, Optional.empty());
    writer.fence();
    append(writer, 20);
    bookies.stop(0);
    append(writer, 20);
    bookies.start(0);
    append(writer, 20);
    LedgerUser reader = process(2, Optional.of(bookies.near(0)));
    assertEquals(written, reader.readAll(1));
    bookies.stop(0);
    append(writer, 20);
    assertEquals(written.subList(60, 80), reader.readAll(61));
  }

  /** One of another ledger says that it is: its checksum is over the numbers too. */
  @Test
  void whatIsNotTheEntryThatWasAskedForIsReadElsewhere() throws Exception {
    LedgerUser writer = process(1, Optional.empty());
    writer.fence();
    append(writer, 40);
    NearBookie own = bookies.near(0);
    AtomicInteger wrong = new AtomicInteger();
    NearBookie confused = () -> own.serving().map(bookie -> confused(bookie, wrong));
    assertEquals(written, process(2, Optional.of(confused)).readAll(1));
    assertTrue(wrong.get() > 0, "it has answered wrongly");
  }

  /** A bookie that gives the entry before the one that is asked for. */
  private static Bookie confused(Bookie bookie, AtomicInteger wrong) {
    return (Bookie)
        Proxy.newProxyInstance(
            Bookie.class.getClassLoader(),
            new Class<?>[] {Bookie.class},
            (_, method, arguments) -> {
              wrong.incrementAndGet();
              return method.invoke(bookie, arguments[0], Math.max(0, (Long) arguments[1] - 1));
            });
  }
}
