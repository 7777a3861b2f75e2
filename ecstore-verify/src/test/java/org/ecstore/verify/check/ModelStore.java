package org.ecstore.verify.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.MicroOp;

/**
 * A store of lists in a few lines, right or with one mistake, and clients that take turns at chance
 * moments. Each version of a key is kept under its commit number.
 */
final class ModelStore {
  /** What it does. */
  enum Variant {
    SERIALIZABLE,
    /** Checks what was written only. */
    SNAPSHOT,
    /** Checks nothing. */
    UNCHECKED,
    /** Begins a little in the past at times. */
    STALE_START,
    /** Reads of one transaction are of different positions at times. */
    TORN_SNAPSHOT,
    /** Forgets a commit at times, after it was acknowledged. */
    FORGETFUL,
    /** Says that a transaction did nothing though it committed. */
    DENYING,
    /** Applies a transaction a second time. */
    REPEATING,
    /** Gives a commit number a second time. */
    NUMBER_TWICE
  }

  private static final int CLIENTS = 6;
  private static final int KEYS = 4;
  private static final int STEPS_MAX = 4;
  private static final double MISTAKES = 0.08;

  private final Variant variant;
  private final Random random;
  private final HandMade made = new HandMade();
  private final Map<Long, TreeMap<Long, Elements>> versions = new TreeMap<>();
  private long position = 1;
  private long element;

  /** A transaction under way. */
  private static final class Open {
    final long snapshot;
    final List<MicroOp> steps;
    final List<MicroOp> seen = new ArrayList<>();
    final Map<Long, Elements> own = new TreeMap<>();
    final Map<Long, Elements> read = new TreeMap<>();

    Open(long snapshot, List<MicroOp> steps) {
      this.snapshot = snapshot;
      this.steps = steps;
    }
  }

  private ModelStore(Variant variant, long seed) {
    this.variant = variant;
    this.random = new Random(seed);
  }

  /** A history of so many transactions; every key is read at its end. */
  static HandMade history(Variant variant, long seed, int transactions) {
    ModelStore store = new ModelStore(variant, seed);
    store.run(transactions);
    return store.made;
  }

  private boolean mistake(Variant one) {
    return variant == one && random.nextDouble() < MISTAKES;
  }

  private void run(int transactions) {
    Map<Integer, Open> open = new TreeMap<>();
    int left = transactions;
    while (left > 0 || !open.isEmpty()) {
      int client = random.nextInt(CLIENTS);
      Open tx = open.get(client);
      if (tx == null && left > 0) {
        open.put(client, begin(client));
        left--;
      } else if (tx != null && tx.seen.size() < tx.steps.size()) {
        step(tx);
      } else if (tx != null) {
        commit(client, tx);
        open.remove(client);
      }
    }
    for (long key = 0; key < KEYS; key++) {
      made.done(CLIENTS, position, 0, new MicroOp.ReadList(key, at(key, position)));
    }
  }

  private Open begin(int client) {
    List<MicroOp> steps = new ArrayList<>();
    int count = 1 + random.nextInt(STEPS_MAX);
    for (int i = 0; i < count; i++) {
      long key = random.nextInt(KEYS);
      steps.add(
          random.nextBoolean()
              ? new MicroOp.Append(key, ++element)
              : new MicroOp.ReadList(key, null));
    }
    made.invoke(client, steps.toArray(MicroOp[]::new));
    long back = mistake(Variant.STALE_START) ? 1 + random.nextInt(5) : 0;
    return new Open(Math.max(1, position - back), steps);
  }

  private Elements at(long key, long snapshot) {
    var entry = versions.getOrDefault(key, new TreeMap<>()).floorEntry(snapshot);
    return entry == null ? Elements.NONE : entry.getValue();
  }

  private void step(Open tx) {
    MicroOp step = tx.steps.get(tx.seen.size());
    long key =
        switch (step) {
          case MicroOp.Append append -> append.key();
          case MicroOp.ReadList read -> read.key();
          default -> throw new IllegalStateException();
        };
    long snapshot = mistake(Variant.TORN_SNAPSHOT) ? position : tx.snapshot;
    Elements before = tx.own.containsKey(key) ? tx.own.get(key) : at(key, snapshot);
    tx.read.putIfAbsent(key, before);
    if (step instanceof MicroOp.Append append) {
      tx.own.put(key, before.with(append.element()));
      tx.seen.add(step);
    } else {
      tx.seen.add(new MicroOp.ReadList(key, before));
    }
  }

  private boolean valid(Open tx) {
    return variant == Variant.UNCHECKED
        || tx.read.keySet().stream()
            .filter(key -> variant != Variant.SNAPSHOT || tx.own.containsKey(key))
            .allMatch(
                key -> versions.getOrDefault(key, new TreeMap<>()).higherKey(tx.snapshot) == null);
  }

  private void commit(int client, Open tx) {
    made.seen(client, tx.seen);
    if (tx.own.isEmpty()) {
      made.ok(client, tx.snapshot);
      return;
    }
    if (!valid(tx)) {
      made.fail(client);
      return;
    }
    long number = mistake(Variant.NUMBER_TWICE) && position > 1 ? position : ++position;
    if (!mistake(Variant.FORGETFUL)) {
      write(tx, number);
    }
    if (mistake(Variant.REPEATING)) {
      position++;
      tx.steps.forEach(step -> repeat(step, position));
    }
    if (mistake(Variant.DENYING)) {
      made.fail(client);
    } else {
      made.ok(client, tx.snapshot, number);
    }
  }

  private void write(Open tx, long number) {
    tx.own.forEach(
        (key, list) -> versions.computeIfAbsent(key, _ -> new TreeMap<>()).put(number, list));
  }

  private void repeat(MicroOp step, long number) {
    if (step instanceof MicroOp.Append(long key, long appended)) {
      versions
          .computeIfAbsent(key, _ -> new TreeMap<>())
          .put(number, at(key, number).with(appended));
    }
  }
}
