package org.ecstore.engines.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.engines.EngineOpenException;
import org.ecstore.engines.store.OrderedStore;
import org.ecstore.engines.store.OrderedStore.ScanBounds;
import org.ecstore.engines.store.ServedStoreContract;
import org.ecstore.engines.store.StoreBatch;
import org.ecstore.engines.store.StoreChild;
import org.ecstore.engines.store.StoreException;
import org.ecstore.engines.store.TappedLine;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The store against a server that is restarted, flushed, put back, stopped and full. */
@ResourceLock(RedisUnderTest.LOCK)
public final class RedisServedTest extends ServedStoreContract {
  private final RedisUnderTest database = RedisUnderTest.get();

  /** How a store on it is opened. */
  public static final class Opening extends ServedStoreContract.Opening {
    @Override
    protected OrderedStore open(Path directory, String url, String store) {
      return RedisStore.open(directory, RedisUnderTest.hasty(url, store));
    }
  }

  RedisServedTest() {
    super(RedisUnderTest.get(), new Opening());
  }

  @Override
  protected OrderedStore openWithPatience(Path directory, String url, String store) {
    return RedisStore.open(directory, RedisUnderTest.settings(url, store));
  }

  /** Of nine steps: four of rows, four of deletes, and one of what is left with the note. */
  @Override
  protected List<TappedLine.Cut> cutsOfAFold() {
    String step = Script.WRITE.digest();
    return List.of(
        new TappedLine.Cut(step, 1, false),
        new TappedLine.Cut(step, 3, false),
        new TappedLine.Cut(step, 5, false),
        new TappedLine.Cut(step, 8, false),
        new TappedLine.Cut(step, 9, false),
        new TappedLine.Cut(step, 9, true));
  }

  /** All that it had is lost with it, and so is each part of a fold. */
  @Test
  @Timeout(240)
  void aServerKilledAmidAFoldHasNoneOfIt() throws Exception {
    for (TappedLine.Cut cut : cutsOfAFold()) {
      try (TappedLine line = line();
          OrderedStore store = openWithPatience(directory(), url(line), name)) {
        store.write(fold(1));
        line.cutAt(cut, database::killNow);
        assertEquals(StoreException.Reason.UNAVAILABLE, reason(() -> store.write(fold(2))));
        assertFoundLost(store);
      }
      try (OrderedStore store = open(directory(), name)) {
        assertEquals(List.of(), rows(store), cut::toString);
        assertEquals(List.of(), store.metadata(), cut::toString);
      }
    }
  }

  @Test
  @Timeout(60)
  void aServerThatWasRestartedNeverAnswersAsIfItWereEmpty() throws Exception {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.kill();
      assertFoundLost(store);
    }
    try (OrderedStore store = open(directory(), name)) {
      assertEquals(List.of(), rows(store));
      store.write(put("a", 2, "filled again"));
      assertEquals(1, rows(store).size());
    }
  }

  @Test
  void aServerThatWasFlushedNeverAnswersAsIfItWereEmpty() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.flushall());
      assertLost(store);
    }
  }

  @Test
  void aServerThatDroppedOneOfItsKeysIsFoundOut() {
    MetadataEntry note = new MetadataEntry(Bytes.utf8("note"), Optional.of(Bytes.utf8("1")));
    for (String part : List.of("rows", "keys", "metadata", "owner")) {
      try (OrderedStore store = open(directory(), name)) {
        store.write(new StoreBatch(put("a", 1, "x").puts(), List.of(), List.of(note)));
        assertEquals(List.of(note), store.metadata());
        database.asOperator(commands -> commands.del("ecstore:{" + name + "}:" + part));
        assertLost(store);
      }
      try (OrderedStore store = open(directory(), name)) {
        assertEquals(List.of(), rows(store), "nothing that is left is of use");
        assertEquals(List.of(), store.metadata());
      }
    }
  }

  @Test
  void entriesAreCountedThroughEachWayInWhichTheyComeAndGo() {
    Bytes one = Bytes.utf8("one");
    MetadataEntry there = new MetadataEntry(one, Optional.of(Bytes.utf8("1")));
    MetadataEntry changed = new MetadataEntry(one, Optional.of(Bytes.utf8("2")));
    MetadataEntry gone = new MetadataEntry(one, Optional.empty());
    for (int opened = 0; opened < 2; opened++) {
      try (OrderedStore store = open(directory(), name)) {
        for (MetadataEntry entry : List.of(there, changed, gone, gone, there)) {
          store.write(new StoreBatch(List.of(), List.of(), List.of(entry)));
        }
        assertEquals(List.of(there), store.metadata());
        store.sync();
      }
    }
  }

  /** With the same token, but what was written since is not there. */
  @Test
  @Timeout(60)
  void aServerThatWasPutBackToAnOlderDumpIsFoundOut() throws Exception {
    Path dump = database.home().resolve("dump.rdb");
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "old"));
      database.asOperator(commands -> commands.save());
      Path kept = Files.copy(dump, directory().resolve("dump.kept"));
      store.write(put("a", 2, "new"));
      Files.copy(kept, dump, StandardCopyOption.REPLACE_EXISTING);
      database.kill();
      assertFoundLost(store);
    } finally {
      Files.deleteIfExists(dump);
      database.asOperator(commands -> commands.flushall());
    }
  }

  @Test
  @Timeout(60)
  void aServerKilledInMidWriteIsLostToItsWriter() throws Exception {
    try (StoreChild child = child(1)) {
      child.awaitWritten(50);
      database.kill();
      child.awaitEnd();
      assertFalse(child.failure().isEmpty());
    }
  }

  @Test
  @Timeout(60)
  void aKilledProcessLeavesAPrefixOfItsBatches() throws Exception {
    StoreChild child = child(1);
    try (child) {
      child.awaitWritten(200);
    }
    try (OrderedStore store = open(directory(), name)) {
      long kept = StoreChild.sequence(store);
      assertTrue(kept >= child.written(), kept + " of " + child.written());
      assertEquals(StoreChild.rows(kept), rows(store));
    }
  }

  /** As when a machine between them has forgotten it: it is open, and nothing comes back. */
  @Test
  @Timeout(60)
  void aConnectionWithoutAnswersIsGivenUpByReadsAndSyncsToo() throws Exception {
    List<Bytes> keys = List.of(Bytes.utf8("a"));
    try (TappedLine line = line();
        OrderedStore store = RedisStore.open(directory(), RedisUnderTest.hasty(url(line), name))) {
      store.write(put("a", 1, "x"));
      line.holdAt(Script.GET.digest());
      assertEquals(StoreException.Reason.UNAVAILABLE, reason(() -> store.get(keys, 100)));
      assertEquals(
          "x", again(() -> store.get(keys, 100)).getFirst().orElseThrow().value().toUtf8());
      line.holdAt("memory");
      assertEquals(StoreException.Reason.UNAVAILABLE, reason(store::sync));
      assertTrue(
          again(
              () -> {
                store.sync();
                return true;
              }));
    }
  }

  @Test
  void aServerThatDropsRowsWhenItIsFullIsRefused() {
    database.asOperator(commands -> commands.configSet("maxmemory-policy", "allkeys-lru"));
    try {
      EngineOpenException refused =
          assertThrows(EngineOpenException.class, () -> open(directory(), name));
      assertTrue(String.valueOf(refused.getMessage()).contains("noeviction"), refused::getMessage);
    } finally {
      database.asOperator(commands -> commands.configSet("maxmemory-policy", "noeviction"));
    }
    open(directory(), name).close();
  }

  @Test
  void aServerThatIsSetToDropRowsUnderALivingStoreConfirmsNothingMore() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      store.sync();
      database.asOperator(commands -> commands.configSet("maxmemory-policy", "allkeys-lru"));
      try {
        assertEquals(StoreException.Reason.UNAVAILABLE, reason(store::sync));
      } finally {
        database.asOperator(commands -> commands.configSet("maxmemory-policy", "noeviction"));
      }
      store.sync();
    }
  }

  /** Has the server have little memory, and writes rows until that is full. */
  private void fill(OrderedStore store) {
    database.asOperator(commands -> commands.configSet("maxmemory", "24mb"));
    StoreException.Reason why = null;
    for (int i = 0; why == null; i++) {
      assertTrue(i < 100, "it is never full");
      List<Row> rows = new ArrayList<>();
      for (int j = 0; j < 20; j++) {
        Bytes key = Bytes.utf8("k" + i + "." + j);
        rows.add(new Row(key, new Position(1), Bytes.wrap(new byte[100_000])));
      }
      try {
        store.write(new StoreBatch(rows, List.of(), List.of()));
      } catch (StoreException e) {
        why = e.reason();
      }
    }
    assertEquals(StoreException.Reason.NO_ROOM, why);
  }

  private static StoreBatch entry(String name, Optional<Bytes> value) {
    return new StoreBatch(
        List.of(), List.of(), List.of(new MetadataEntry(Bytes.utf8(name), value)));
  }

  /** What a node does that is started again when its store has no room (decision 0108). */
  @Test
  void aStoreOnAFullServerIsOpenedAgainAndMakesRoomByForgettingACopy() {
    Optional<Bytes> value = Optional.of(Bytes.utf8("1"));
    try {
      try (OrderedStore store = open(directory(), name)) {
        store.write(entry("copy", value));
        fill(store);
        // What it holds of calls under way counts too: so it is full by what is stored.
        database.asOperator(commands -> commands.configSet("maxmemory", "16mb"));
      }
      try (OrderedStore store = open(directory(), name)) {
        for (String noted : List.of("incarnation", "copy")) {
          assertEquals(
              StoreException.Reason.NO_ROOM, reason(() -> store.write(entry(noted, value))));
        }
        store.write(entry("copy", Optional.empty()));
        store.sync();
        store.clear(KeyRange.ALL);
        writeAgain(store, entry("incarnation", value));
        assertEquals(entry("incarnation", value).metadata(), store.metadata());
        assertEquals(List.of(), rows(store));
      }
    } finally {
      database.asOperator(commands -> commands.configSet("maxmemory", "0"));
    }
  }

  @Test
  void aFullServerSaysSoTakesDeletionsAndGoesOnWhenThereIsRoom() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      fill(store);
      assertEquals("x", rows(store).getFirst().value().toUtf8());
      store.sync();
      store.write(new StoreBatch(List.of(), List.of(Bytes.utf8("none")), List.of()));
      store.clear(KeyRange.from(Bytes.utf8("k")));
      writeAgain(store, put("b", 1, "fits"));
      assertEquals(2, rows(store).size());
    } finally {
      database.asOperator(commands -> commands.configSet("maxmemory", "0"));
    }
  }

  /**
   * Scripts that do not look whose the store is, and how often it was written to, in place of those
   * that do.
   */
  private void takeTheFenceAway(TappedLine line) {
    Map<String, String> without = new HashMap<>();
    for (Script script : EnumSet.complementOf(EnumSet.of(Script.OWN))) {
      String text =
          script
              .text()
              .replace("known[1] ~= ARGV[1]", "false")
              .replace("sequence < tonumber(ARGV[2]) or sequence > tonumber(ARGV[3])", "false");
      assertNotEquals(script.text(), text);
      database.asOperator(
          commands -> without.put(script.digest(), String.valueOf(commands.scriptLoad(text))));
    }
    line.exchange(
        sent -> {
          String other = sent;
          for (Map.Entry<String, String> each : without.entrySet()) {
            other = other.replace(each.getKey(), each.getValue());
          }
          return other;
        });
  }

  /** The planted bug old-incarnation-folds (rule W10). */
  @Test
  void aStoreThatDoesNotLookWhoseItIsIsFound() throws Exception {
    try (TappedLine line = line()) {
      takeTheFenceAway(line);
      AssertionError found =
          assertThrows(AssertionError.class, () -> aPredecessorChangesNothing(url(line)));
      assertTrue(String.valueOf(found.getMessage()).contains("<late>"), found::toString);
    }
  }

  /** The planted bug zombie-write-after-retry (rule W10). */
  @Test
  @Timeout(120)
  void aStoreThatDoesNotCountItsWritesIsFound() throws Exception {
    try (TappedLine line = line()) {
      takeTheFenceAway(line);
      AssertionError found =
          assertThrows(AssertionError.class, () -> aLateCommitTakesNoEffect(line));
      assertTrue(String.valueOf(found.getMessage()).contains("<held up>"), found::toString);
    }
  }

  /** How often the server did something since it was last asked to forget that. */
  private long calls(String command) {
    List<String> told = new ArrayList<>();
    database.asOperator(commands -> told.add(commands.info("commandstats")));
    Matcher calls =
        Pattern.compile("cmdstat_" + command + ":calls=([0-9]+)").matcher(told.getFirst());
    return calls.find() ? Long.parseLong(calls.group(1)) : 0;
  }

  /** It copies them within a step, during which it answers no others. */
  @Test
  void ofLongValuesTheServerLooksAtFewAtOnceForTheirKeys() {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      Bytes value = Bytes.wrap(new byte[256 << 10]);
      rows.add(new Row(Bytes.utf8("k" + (100 + i)), new Position(i + 1), value));
    }
    List<Row> bare =
        rows.stream().map(row -> new Row(row.key(), row.version(), Bytes.EMPTY)).toList();
    try (OrderedStore store = openWithPatience(directory(), database.url(), name)) {
      store.write(new StoreBatch(rows, List.of(), List.of()));
      int most = Integer.MAX_VALUE;
      for (boolean reverse : new boolean[] {false, true}) {
        database.asOperator(commands -> commands.configResetstat());
        ScanBounds bounds = new ScanBounds(reverse, most, most, true);
        assertEquals(reverse ? bare.reversed() : bare, store.scan(KeyRange.ALL, bounds).rows());
        assertTrue(calls("evalsha") >= 3, "of 10 MiB it may look at 4 MiB at once");
      }
    }
  }

  @Test
  void whatIsLeftOfAStoreIsFreedBesideOtherWorkWhenItIsTakenOver() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.del("ecstore:{" + name + "}:owner"));
    }
    database.asOperator(commands -> commands.configResetstat());
    try (OrderedStore store = open(directory(), name)) {
      assertEquals(List.of(), rows(store));
    }
    assertEquals(1, calls("unlink"));
    assertEquals(0, calls("del"));
  }

  @Test
  void scriptsThatTheServerForgotAreToldAgain() {
    try (OrderedStore store = open(directory(), name)) {
      store.write(put("a", 1, "x"));
      database.asOperator(commands -> commands.scriptFlush());
      assertEquals(1, rows(store).size());
      store.write(put("b", 1, "x"));
    }
  }
}
