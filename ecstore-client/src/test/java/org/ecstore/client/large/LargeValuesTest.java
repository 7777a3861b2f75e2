package org.ecstore.client.large;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.ecstore.client.Codec;
import org.ecstore.client.EcStore;
import org.ecstore.client.EcStoreOptions;
import org.ecstore.client.Table;
import org.ecstore.client.TupleRange;
import org.ecstore.client.error.ClosedException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.SnapshotTooOldException;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.fake.FakeCluster;
import org.ecstore.client.fake.FakeTime;
import org.ecstore.client.fake.Fault;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LargeValuesTest {
  private static final Tuple KEY = Tuple.of("alice", 1L);
  private static final Table<String> MAILS = Table.of("mails", Codec.utf8());
  private static final Table<Bytes> CHUNKS = Table.of("files/chunks", Codec.bytes());
  private static final Table<Bytes> MARKS = Table.of("ecstore", Codec.bytes());
  private static final long MINUTE = 60_000;

  private final FakeTime time = new FakeTime(1);
  private final FakeCluster cluster = new FakeCluster(time, "n1:1", "n2:1");
  private final EcStore store = EcStore.over(cluster, EcStoreOptions.DEFAULT, time);
  private final AtomicLong now = new AtomicLong(1_700_000_000_000L);
  private final LargeValues files = LargeValues.in(store, "files", now::get);

  @AfterEach
  void close() {
    store.close();
  }

  private static byte[] content(int size, long seed) {
    byte[] content = new byte[size];
    new Random(seed).nextBytes(content);
    return content;
  }

  private LargeValue write(byte[] content) throws IOException {
    return files.write(KEY, new ByteArrayInputStream(content));
  }

  private Optional<byte[]> read() throws IOException {
    Optional<InputStream> found = files.read(KEY);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (InputStream stream = found.get()) {
      return Optional.of(stream.readAllBytes());
    }
  }

  private int chunks() {
    return store.read(at -> at.scan(CHUNKS, TupleRange.all()).keys().toList()).size();
  }

  private int marks() {
    return store
        .read(at -> at.scan(MARKS, TupleRange.prefix(Tuple.of("large"))).keys().toList())
        .size();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0,
        1,
        1000,
        LargeValues.CHUNK_BYTES - 1,
        LargeValues.CHUNK_BYTES,
        LargeValues.CHUNK_BYTES + 1,
        3 * LargeValues.CHUNK_BYTES,
        5_000_000
      })
  void whatIsWrittenIsReadAgain(int size) throws Exception {
    byte[] content = content(size, size);
    LargeValue value = write(content);
    assertEquals(size, value.size());
    assertArrayEquals(MessageDigest.getInstance("SHA-256").digest(content), value.sha256().array());
    assertEquals(now.get(), value.written().toEpochMilli());
    assertEquals(Optional.of(value), store.read(at -> files.find(at, KEY)));
    assertArrayEquals(content, read().orElseThrow());
    assertEquals(0, marks(), "nothing is left to clean");
  }

  @Test
  void bytesMayComeOneByOneAndInAnyPieces() throws IOException {
    byte[] content = content(1_200_000, 5);
    Random random = new Random(6);
    try (LargeWriter writer = files.write()) {
      int at = 0;
      while (at < content.length) {
        int next = Math.min(random.nextInt(200_000), content.length - at);
        if (next == 1 || random.nextInt(10) == 0) {
          writer.write(content[at++]);
        } else {
          writer.write(content, at, next);
          at += next;
        }
      }
      writer.publish(KEY);
    }
    assertArrayEquals(content, read().orElseThrow());
    try (InputStream stream = files.read(KEY).orElseThrow()) {
      for (int i = 0; i < 1000; i++) {
        assertEquals(content[i] & 0xFF, stream.read());
      }
    }
  }

  @Test
  void aValueIsReadFromAnyByteOn() throws IOException {
    byte[] content = content(1_700_000, 7);
    LargeValue value = write(content);
    for (int from : new int[] {0, 1, 524_287, 524_288, 1_048_576, 1_699_999, 1_700_000}) {
      try (InputStream stream = files.read(value, from)) {
        byte[] rest = new byte[content.length - from];
        System.arraycopy(content, from, rest, 0, rest.length);
        assertArrayEquals(rest, stream.readAllBytes(), "from " + from);
      }
    }
    try (InputStream stream = files.read(value, 0)) {
      stream.skipNBytes(1_600_000);
      assertEquals(content[1_600_000] & 0xFF, stream.read());
      assertEquals(0, stream.skip(-1));
      assertEquals(99_999, stream.skip(1_000_000));
      assertEquals(-1, stream.read());
    }
    for (long from : new long[] {-1, 1_700_001}) {
      assertThrows(WrongArgumentException.class, () -> files.read(value, from));
    }
  }

  @Test
  void nothingIsSeenBeforeItIsPublished() throws IOException {
    byte[] before = content(600_000, 1);
    write(before);
    try (LargeWriter writer = files.write()) {
      writer.write(content(2_000_000, 2));
      assertArrayEquals(before, read().orElseThrow());
    }
    assertArrayEquals(before, read().orElseThrow(), "it was not published");
    assertEquals(2, chunks(), "and its chunks are gone");
    assertEquals(0, marks());
  }

  @Test
  void aStreamThatBreaksLeavesNothing() {
    InputStream begin = new ByteArrayInputStream(content(1_500_000, 1));
    InputStream end =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the browser is gone");
          }

          @Override
          public int read(byte[] into, int from, int count) throws IOException {
            return read();
          }
        };
    InputStream breaks = new SequenceInputStream(begin, end);
    assertThrows(IOException.class, () -> files.write(KEY, breaks));
    assertEquals(Optional.empty(), files.read(KEY));
    assertEquals(0, chunks());
    assertEquals(0, marks());
  }

  @Test
  void itIsPublishedWithTheRestOfATransactionOrNotAtAll() throws IOException {
    byte[] content = content(700_000, 3);
    try (LargeWriter writer = files.write()) {
      writer.write(content);
      assertThrows(
          ArithmeticException.class,
          () ->
              store.execute(
                  tx -> {
                    writer.publish(tx, KEY);
                    tx.put(MAILS, KEY, "mail");
                    throw new ArithmeticException("no");
                  }));
      assertEquals(Optional.empty(), files.read(KEY));
      // The same again, as if it had been run again.
      store.execute(
          tx -> {
            writer.publish(tx, KEY);
            tx.put(MAILS, KEY, "mail");
          });
    }
    assertArrayEquals(content, read().orElseThrow());
    assertEquals(Optional.of("mail"), store.read(at -> at.get(MAILS, KEY)));
  }

  /** What the transaction has read before the value was complete is older than its last chunk. */
  @ParameterizedTest
  @ValueSource(ints = {10, LargeValues.CHUNK_BYTES, 1_200_000})
  void itIsPublishedAlsoByATransactionThatHasReadBefore(int size) throws IOException {
    byte[] content = content(size, 3);
    try (LargeWriter writer = files.write()) {
      writer.write(content, 0, size / 2);
      store.execute(
          tx -> {
            assertEquals(Optional.empty(), tx.get(MAILS, KEY));
            tx.put(MAILS, KEY, "mail");
            try {
              writer.write(content, size / 2, size - size / 2);
            } catch (ClosedException runAgain) {
              assertTrue(runAgain.getMessage().contains("complete"), runAgain.getMessage());
            }
            writer.publish(tx, KEY);
          });
    }
    assertArrayEquals(content, read().orElseThrow());
    assertEquals(0, marks());
    LargeValue within =
        store.transact(
            "request 1",
            Codec.record(LargeValue.class),
            tx -> {
              try (LargeWriter writer = files.write()) {
                writer.write(content);
                return writer.publish(tx, KEY);
              }
            });
    assertEquals(Optional.of(within), store.read(at -> files.find(at, KEY)));
    assertArrayEquals(content, read().orElseThrow());
  }

  /** It is not known how much of the bytes it has taken. */
  @Test
  void aWriterWhoseWriteFailedIsNotGoneOnWith() throws IOException {
    byte[] before = content(100, 1);
    write(before);
    try (LargeWriter writer = files.write()) {
      writer.write(content(LargeValues.CHUNK_BYTES, 2));
      cluster.plan(
          (address, request) ->
              request instanceof ClientRequest.Commit ? new Fault.NotSent() : new Fault.None());
      assertThrows(EcStoreException.class, () -> writer.write(content(10, 3)));
      cluster.plan((address, request) -> new Fault.None());
      assertThrows(ClosedException.class, () -> writer.write(content(10, 3)));
      assertThrows(ClosedException.class, () -> writer.publish(KEY));
    }
    assertArrayEquals(before, read().orElseThrow());
  }

  @Test
  void publishingAgainChangesNothing() throws IOException {
    byte[] content = content(1_200_000, 1);
    try (LargeWriter writer = files.write()) {
      writer.write(content);
      LargeValue value = writer.publish(KEY);
      assertEquals(value, writer.publish(KEY), "as after an answer that was lost");
      ClosedException refused =
          assertThrows(ClosedException.class, () -> writer.publish(Tuple.of("another")));
      assertTrue(refused.getMessage().contains("under another key"), refused.getMessage());
    }
    assertArrayEquals(content, read().orElseThrow());
  }

  @Test
  void withinATransactionKeysChangeWithIt() throws IOException {
    byte[] before = content(100, 1);
    write(before);
    assertThrows(
        ArithmeticException.class,
        () ->
            store.execute(
                tx -> {
                  assertTrue(files.delete(KEY));
                  throw new ArithmeticException("no");
                }));
    assertArrayEquals(before, read().orElseThrow());
  }

  @Test
  void namesOfTheStoresOwnTablesAreRefused() {
    for (String name : List.of("ecstore", "files/chunks", "")) {
      assertThrows(WrongArgumentException.class, () -> LargeValues.in(store, name));
    }
    for (int[] bad : new int[][] {{-1, 1}, {1, 0}, {1, -1}}) {
      assertThrows(
          WrongArgumentException.class,
          () -> new LargeValue(UUID.randomUUID(), bad[0], bad[1], Bytes.EMPTY, Instant.EPOCH));
    }
  }

  /** It was written by something else; it stops no one. */
  @Test
  void aMarkThatIsNoneIsLeftAlone() throws IOException {
    store.execute(tx -> tx.put(MARKS, Tuple.of("large", "files", UUID.randomUUID()), Bytes.of(1)));
    write(content(10, 1));
    assertEquals(0, files.clean());
    assertEquals(1, marks());
  }

  @Test
  void whatWasReplacedIsReadOnForAWhileAndThenCleanedAway() throws IOException {
    byte[] before = content(1_000_000, 1);
    LargeValue old = write(before);
    write(content(10, 2));
    assertArrayEquals(before, files.read(old, 0).readAllBytes());
    assertEquals(0, files.clean(), "not yet");
    now.addAndGet(10 * MINUTE);
    assertEquals(1, files.clean());
    assertEquals(1, chunks());
    assertEquals(0, marks());
    InputStream gone = files.read(old, 0);
    assertThrows(SnapshotTooOldException.class, gone::read);
  }

  @Test
  void writersCleanUpWhatOthersLeft() throws IOException {
    for (int i = 0; i < 10; i++) {
      try (LargeWriter writer = files.write()) {
        writer.write(content(600_000, i));
        store.execute(tx -> writer.publish(tx, KEY));
      }
      now.addAndGet(11 * MINUTE);
    }
    assertTrue(chunks() <= 6, chunks() + " chunks of one value of two");
  }

  @Test
  void aWriterThatEndsWithoutAWordIsCleanedUpAfterAnHour() {
    LargeWriter lost = files.write();
    lost.write(content(2_000_000, 1));
    now.addAndGet(59 * MINUTE);
    assertEquals(0, files.clean());
    lost.write(1);
    now.addAndGet(59 * MINUTE);
    assertEquals(0, files.clean(), "it has written since");
    now.addAndGet(MINUTE);
    assertEquals(1, files.clean());
    assertEquals(0, chunks());
    assertEquals(0, marks());
    ClosedException refused = assertThrows(ClosedException.class, () -> lost.publish(KEY));
    assertTrue(refused.getMessage().contains("taken for given up"), refused.getMessage());
    assertEquals(Optional.empty(), files.read(KEY));
    lost.close();
    assertEquals(0, chunks());
  }

  @Test
  void manyMarksAreAllLookedAt() {
    for (int i = 0; i < 250; i++) {
      LargeWriter lost = files.write();
      lost.write(content(LargeValues.CHUNK_BYTES + 1, 1));
    }
    now.addAndGet(60 * MINUTE);
    assertEquals(250, files.clean());
    assertEquals(0, marks());
  }

  @Test
  void whatIsDeletedIsGone() throws IOException {
    write(content(600_000, 1));
    assertTrue(files.delete(KEY));
    assertFalse(files.delete(KEY));
    assertEquals(Optional.empty(), files.read(KEY));
    now.addAndGet(10 * MINUTE);
    assertEquals(1, files.clean());
    assertEquals(0, chunks());
  }

  @Test
  void whatIsOverIsOver() throws IOException {
    LargeWriter writer = files.write();
    writer.write(content(10, 1));
    writer.publish(KEY);
    assertThrows(ClosedException.class, () -> writer.write(1));
    writer.close();
    writer.close();
    assertThrows(ClosedException.class, () -> writer.publish(KEY));
    assertArrayEquals(content(10, 1), read().orElseThrow());
    InputStream stream = files.read(KEY).orElseThrow();
    stream.close();
    assertThrows(IOException.class, stream::read);
  }

  @Test
  void aChunkThatWasOverwrittenIsNamed() throws IOException {
    LargeValue value = write(content(600_000, 1));
    store.execute(tx -> tx.put(CHUNKS, Tuple.of(value.id(), 1L), Bytes.utf8("short")));
    WrongArgumentException refused =
        assertThrows(WrongArgumentException.class, () -> read().orElseThrow());
    assertEquals("1", refused.details().get("chunk"));
    assertEquals("files/chunks", refused.details().get("table"));
  }
}
