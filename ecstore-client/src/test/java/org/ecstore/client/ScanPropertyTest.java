package org.ecstore.client;

import static org.ecstore.client.StoreFixture.WORDS;
import static org.ecstore.client.StoreFixture.key;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.client.fake.Fault;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.junit.jupiter.api.Test;

/** Random transactions on scattered, moving ranges behave as a TreeMap would. */
class ScanPropertyTest {
  /** A third of them with each build. */
  private static final long SEEDS = Boolean.getBoolean("ecstore.long") ? 60 : 20;

  private static final int KEYS = 60;

  @Test
  void scansGetsAndCountsAgreeWithAMap() {
    for (long seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (StoreFixture fixture = new StoreFixture(seed)) {
        fixture.cluster.store().pageRecordsMax(1 + random.nextInt(9));
        fixture.cluster.plan((address, request) -> readFault(random, request));
        NavigableMap<Long, String> model = new TreeMap<>();
        for (int i = 0; i < 12; i++) {
          fixture.scatter(random, KEYS);
          runTransaction(fixture, random, model, "seed " + seed);
        }
      }
    }
  }

  private static Fault readFault(Random random, ClientRequest request) {
    boolean read = request instanceof ClientRequest.Get || request instanceof ClientRequest.Scan;
    if (!read || random.nextInt(10) > 0) {
      return new Fault.None();
    }
    return switch (random.nextInt(4)) {
      case 0 -> new Fault.LoseRequest();
      case 1 -> new Fault.LoseReply();
      case 2 -> new Fault.NotSent();
      default -> new Fault.Instead(new ClientReply.Refused(RefusalCode.OVERLOADED, "busy"));
    };
  }

  private static void runTransaction(
      StoreFixture fixture, Random random, NavigableMap<Long, String> model, String seed) {
    NavigableMap<Long, String> mine = new TreeMap<>(model);
    boolean commit = random.nextInt(4) > 0;
    try (ManualTransaction tx = fixture.store.begin()) {
      for (int i = random.nextInt(25); i > 0; i--) {
        long number = random.nextInt(KEYS);
        if (random.nextInt(3) == 0) {
          tx.delete(WORDS, key(number));
          mine.remove(number);
        } else {
          tx.put(WORDS, key(number), seed + " " + i);
          mine.put(number, seed + " " + i);
        }
        if (random.nextInt(4) == 0) {
          check(tx, random, mine, seed);
        }
      }
      check(tx, random, mine, seed);
      if (commit) {
        tx.commit();
        model.clear();
        model.putAll(mine);
      }
    }
    fixture.store.read(
        snapshot -> {
          check(snapshot, random, model, seed);
          return true;
        });
  }

  private static void check(
      Snapshot view, Random random, NavigableMap<Long, String> model, String seed) {
    long from = random.nextInt(KEYS);
    long to = from + 1 + random.nextInt(KEYS);
    boolean reverse = random.nextBoolean();
    TupleRange range =
        random.nextInt(4) == 0 ? TupleRange.all() : TupleRange.between(key(from), key(to));
    NavigableMap<Long, String> part =
        range == TupleRange.all() ? model : model.subMap(from, true, to, false);
    List<Entry<String>> expected = entries(reverse ? part.descendingMap() : part);

    Scan<String> scan = view.scan(WORDS, range);
    scan = reverse ? scan.reverse() : scan;
    assertEquals(expected, scan.toList(), seed);
    assertEquals(expected.size(), scan.count(), seed);
    assertEquals(expected.stream().findFirst(), scan.first(), seed);
    int limit = random.nextInt(KEYS);
    List<Entry<String>> limited = expected.subList(0, Math.min(limit, expected.size()));
    assertEquals(limited, scan.limit(limit).toList(), seed);
    assertEquals(limited.size(), scan.limit(limit).count(), seed);
    assertEquals(expected, inPages(scan, 1 + random.nextInt(7)), seed);
    assertEquals(Optional.ofNullable(model.get(from)), view.get(WORDS, key(from)), seed);
    NavigableMap<Long, String> some = model.subMap(from, true, from + 5, false);
    assertEquals(
        entries(some),
        view
            .getAll(
                WORDS,
                List.of(key(from), key(from + 1), key(from + 2), key(from + 3), key(from + 4)))
            .entrySet()
            .stream()
            .map(entry -> new Entry<>(entry.getKey(), entry.getValue()))
            .toList(),
        seed);
  }

  private static List<Entry<String>> entries(NavigableMap<Long, String> part) {
    return part.entrySet().stream()
        .map(entry -> new Entry<>(key(entry.getKey()), entry.getValue()))
        .toList();
  }

  /** As a web page would: a few records, a token, a few more. */
  private static List<Entry<String>> inPages(Scan<String> scan, int size) {
    List<Entry<String>> all = new ArrayList<>();
    Scan<String> rest = scan.limit(size);
    while (true) {
      Cursor<String> cursor = rest.cursor();
      cursor.forEachRemaining(all::add);
      Optional<String> token = cursor.continuation();
      if (token.isEmpty()) {
        return all;
      }
      rest = scan.limit(size).resume(token.get());
    }
  }
}
