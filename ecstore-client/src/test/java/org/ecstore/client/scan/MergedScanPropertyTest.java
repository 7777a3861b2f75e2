package org.ecstore.client.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.client.commit.ReadSet;
import org.ecstore.client.fake.FakeStore;
import org.ecstore.client.read.PageRequest;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Mutation;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientReply;
import org.junit.jupiter.api.Test;

/**
 * A merged scan over any paging of any rows under any writes returns what a map would, and records
 * an interval that holds exactly what the application has seen.
 */
class MergedScanPropertyTest {
  private static final int KEYS = 40;
  private static final KeyRange PAST_THE_END = KeyRange.single(Bytes.utf8("no further page"));

  @Test
  void returnsWhatAMapWouldAndRecordsWhatWasSeen() {
    for (long seed = 0; seed < 5_000; seed++) {
      new Case(seed).run();
    }
  }

  private static final class Case {

    private final Random random;
    private final String seed;
    private final NavigableMap<Bytes, Bytes> stored = new TreeMap<>();
    private final NavigableMap<Bytes, Mutation> own = new TreeMap<>();
    private final NavigableMap<Bytes, Bytes> merged;
    private final KeyRange interval;
    private final boolean reverse;
    private KeyRange expectedNext;

    Case(long seed) {
      this.random = new Random(seed);
      this.seed = "seed " + seed;
      this.reverse = random.nextBoolean();
      int start = random.nextInt(KEYS);
      this.interval =
          random.nextInt(5) == 0
              ? KeyRange.from(Bytes.of(start))
              : KeyRange.of(Bytes.of(start), Bytes.of(start + 1 + random.nextInt(KEYS - start)));
      for (int i = random.nextInt(KEYS); i > 0; i--) {
        stored.put(
            Bytes.of(random.nextInt(KEYS)),
            Bytes.utf8((i % 2 == 0 ? "stored" : "seven--") + i % 10));
      }
      for (int i = random.nextInt(KEYS / 2); i > 0; i--) {
        Bytes key = Bytes.of(random.nextInt(KEYS));
        if (interval.contains(key)) {
          own.put(key, mutation(i));
        }
      }
      NavigableMap<Bytes, Bytes> all = new TreeMap<>(stored);
      own.forEach(
          (key, mutation) -> {
            Optional<Bytes> value = mutation.after(Optional.ofNullable(stored.get(key)));
            value.ifPresentOrElse(now -> all.put(key, now), () -> all.remove(key));
          });
      all.keySet().removeIf(key -> !interval.contains(key));
      this.merged = reverse ? all.descendingMap() : all;
      this.expectedNext = interval;
    }

    private Mutation mutation(int i) {
      return switch (random.nextInt(4)) {
        case 0 -> Mutation.delete();
        case 1 -> new Mutation.Operation(AtomicOp.ADD, Bytes.utf8("operand" + i % 10));
        default -> new Mutation.Put(Bytes.utf8("own" + i));
      };
    }

    /** A page of any length, sometimes covering nothing but a gap. */
    private ClientReply.Scanned page(PageRequest request) {
      KeyRange asked = expectedNext;
      assertNotEquals(PAST_THE_END, asked, seed + ": no page is asked for beyond the end");
      KeyRange covered = asked;
      int at = random.nextInt(KEYS);
      if (random.nextBoolean() && asked.contains(Bytes.of(at)) && !isStart(asked, at)) {
        covered =
            reverse
                ? KeyRange.between(Bytes.of(at), asked.end())
                : KeyRange.of(asked.start(), Bytes.of(at));
      }
      List<Row> rows = new ArrayList<>();
      for (Map.Entry<Bytes, Bytes> entry : (reverse ? stored.descendingMap() : stored).entrySet()) {
        if (covered.contains(entry.getKey())) {
          rows.add(new Row(entry.getKey(), Position.ZERO, entry.getValue()));
          if (rows.size() == request.recordsMax()) {
            covered =
                reverse
                    ? KeyRange.between(entry.getKey(), asked.end())
                    : KeyRange.of(asked.start(), entry.getKey().successor());
            break;
          }
        }
      }
      expectNext(asked, covered);
      return new ClientReply.Scanned(rows, covered, FakeStore.SOURCE);
    }

    private static boolean isStart(KeyRange asked, int at) {
      return asked.start().equals(Bytes.of(at));
    }

    private void expectNext(KeyRange asked, KeyRange covered) {
      if (reverse && !covered.start().equals(asked.start())) {
        expectedNext = KeyRange.of(asked.start(), covered.start());
      } else if (!reverse && !covered.end().equals(asked.end())) {
        expectedNext = KeyRange.between(covered.end().orElseThrow(), asked.end());
      } else {
        expectedNext = PAST_THE_END;
      }
    }

    private void run() {
      ReadSet set = new ReadSet();
      MergedScan scan = new MergedScan(interval, reverse, own, set.addInterval(), this::page);
      long wanted = random.nextInt(3) == 0 ? random.nextInt(KEYS) : Long.MAX_VALUE;
      List<BytesScan.Found> found = new ArrayList<>();
      boolean ended = false;
      while (found.size() < wanted && !ended) {
        BytesScan.Found next = scan.next(wanted - found.size());
        if (next == null) {
          ended = true;
        } else {
          found.add(next);
        }
      }
      List<BytesScan.Found> expected =
          merged.entrySet().stream()
              .limit(wanted)
              .map(entry -> new BytesScan.Found(entry.getKey(), entry.getValue()))
              .toList();
      assertEquals(expected, found, seed);
      checkRecorded(set.intervals(), found, ended);
    }

    private void checkRecorded(
        List<KeyRange> recorded, List<BytesScan.Found> found, boolean ended) {
      if (ended) {
        assertEquals(List.of(interval), recorded, seed);
        return;
      }
      if (found.isEmpty()) {
        assertEquals(List.of(), recorded, seed);
        return;
      }
      Bytes last = found.get(found.size() - 1).key();
      for (int value = 0; value < KEYS; value++) {
        Bytes key = Bytes.of(value);
        boolean passed =
            interval.contains(key)
                && (reverse ? key.compareTo(last) >= 0 : key.compareTo(last) <= 0);
        assertEquals(passed, recorded.get(0).contains(key), seed);
      }
      assertTrue(interval.contains(recorded.get(0)), seed);
    }
  }
}
