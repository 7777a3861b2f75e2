package org.ecstore.sim.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimKeys;
import org.ecstore.sim.world.SimRandom;
import org.ecstore.sim.world.SwarmSettings;
import org.ecstore.wire.WireWriter;

/** Draws the transactions of one client. */
public final class SimWorkload {
  private static final KeyRange EVERYTHING = KeyRange.ALL;

  /** Keys that operations are applied to, and how many of them are numbers, the first ones. */
  private static final int OPERATED = 6;

  private static final int OPERATED_NUMBERS = 4;

  private final SwarmSettings settings;
  private final SimRandom random;
  private final int client;
  private final int[] weights = new int[8];
  private final SimRandom catalog;
  private final boolean hasCatalog;
  private final SimRandom operations;
  private final boolean hasOperations;
  private long elements;

  public SimWorkload(SwarmSettings settings, SimRandom random, int client) {
    this.settings = settings;
    this.random = random;
    this.client = client;
    for (int i = 0; i < weights.length; i++) {
      weights[i] = random.chance(0.3) ? 0 : random.between(1, 10);
    }
    weights[0] += 3;
    this.catalog = random.fork("catalog");
    this.hasCatalog = new SimRandom(settings.seed()).fork("catalog").chance(0.4);
    this.operations = random.fork("operations");
    this.hasOperations = new SimRandom(settings.seed()).fork("operations").chance(0.5);
  }

  private long element() {
    return ((long) client << 32) + ++elements;
  }

  /**
   * In some worlds a transaction in twenty begins a version of the catalog; in others one in four
   * has to do with operations.
   */
  Plan next() {
    Plan plan = hasOperations && operations.chance(0.25) ? operates() : drawn();
    return hasCatalog && catalog.chance(0.05) ? plan.changingCatalog() : plan;
  }

  private Plan drawn() {
    int total = 0;
    for (int weight : weights) {
      total += weight;
    }
    int drawn = random.between(0, total - 1);
    int kind = 0;
    while (drawn >= weights[kind]) {
      drawn -= weights[kind++];
    }
    return switch (kind) {
      case 0 -> appends();
      case 1 -> skewedAppend();
      case 2 -> scanAndAppend();
      case 3 -> insertRow();
      case 4 -> deleteRow();
      case 5 -> blindWrites();
      case 6 -> readKeys();
      default -> readInterval();
    };
  }

  private Plan plan(
      String name,
      List<Plan.Step> steps,
      java.util.function.Function<Plan.Seen, List<KeyWrite>> writes) {
    Isolation isolation =
        switch (settings.promise()) {
          case STRICT, SERIALIZABLE_SESSION -> Isolation.SERIALIZABLE;
          case SNAPSHOT_SESSION -> Isolation.SNAPSHOT;
          case MIXED -> random.chance(0.5) ? Isolation.SERIALIZABLE : Isolation.SNAPSHOT;
        };
    ReadLevel level =
        switch (settings.promise()) {
          case STRICT -> ReadLevel.STRONG;
          case SERIALIZABLE_SESSION, SNAPSHOT_SESSION ->
              random.chance(0.8) ? ReadLevel.SESSION : bounded();
          case MIXED ->
              switch (random.between(0, 3)) {
                case 0 -> ReadLevel.STRONG;
                case 1 -> ReadLevel.LOCAL;
                case 2 -> bounded();
                default -> ReadLevel.SESSION;
              };
        };
    return new Plan(name, isolation, level, withHold(steps), writes);
  }

  private ReadLevel bounded() {
    return ReadLevel.bounded(Duration.ofMillis(random.skewed(1, 3_000)));
  }

  private List<Plan.Step> withHold(List<Plan.Step> steps) {
    if (!random.chance(0.15)) {
      return steps;
    }
    List<Plan.Step> longer = new ArrayList<>(steps);
    longer.add(
        random.between(0, steps.size()),
        new Plan.Hold(random.skewedNanos(1_000_000L, 3_000_000_000L)));
    return longer;
  }

  private List<Bytes> someLists(int most) {
    List<Bytes> keys = new ArrayList<>();
    int count = random.between(1, Math.min(most, settings.listKeys()));
    int first = random.between(0, settings.listKeys() - 1);
    for (int i = 0; i < count; i++) {
      keys.add(SimKeys.list((first + i) % settings.listKeys()));
    }
    return keys;
  }

  private Map<Bytes, Long> elementsFor(List<Bytes> keys) {
    Map<Bytes, Long> elementOf = new LinkedHashMap<>();
    keys.forEach(key -> elementOf.put(key, element()));
    return elementOf;
  }

  private static List<KeyWrite> appendAll(Plan.Seen seen, Map<Bytes, Long> elementOf) {
    List<KeyWrite> writes = new ArrayList<>();
    elementOf.forEach(
        (key, element) ->
            writes.add(new KeyWrite(key, Optional.of(SimKeys.append(seen.list(key), element)))));
    return writes;
  }

  private Plan appends() {
    List<Bytes> keys = someLists(4);
    Map<Bytes, Long> elementOf = elementsFor(keys);
    List<Plan.Step> steps =
        random.chance(0.5)
            ? List.of(new Plan.Get(keys))
            : keys.stream().<Plan.Step>map(key -> new Plan.Get(List.of(key))).toList();
    return plan("append", steps, seen -> appendAll(seen, elementOf));
  }

  /** Reads several lists, appends to one: two of these make a write skew. */
  private Plan skewedAppend() {
    List<Bytes> keys = someLists(3);
    Map<Bytes, Long> elementOf = elementsFor(List.of(random.pick(keys)));
    return plan("skewed append", List.of(new Plan.Get(keys)), seen -> appendAll(seen, elementOf));
  }

  private KeyRange someInterval() {
    if (random.chance(0.3)) {
      return EVERYTHING;
    }
    int from = random.between(0, SimKeys.places() - 10);
    return SimKeys.places(from, random.between(from + 1, SimKeys.places() + 1));
  }

  private Plan.Scan scanOf(KeyRange interval) {
    int page = random.chance(0.5) ? 1000 : random.between(1, 5);
    int most = random.chance(0.7) ? Integer.MAX_VALUE : random.between(1, 6);
    return new Plan.Scan(interval, random.chance(0.4), page, most);
  }

  /** Appends to a list after a scan that need not cover it: phantoms would make a cycle. */
  private Plan scanAndAppend() {
    List<Bytes> keys = someLists(1);
    Map<Bytes, Long> elementOf = elementsFor(keys);
    return plan(
        "scan and append",
        List.of(scanOf(someInterval()), new Plan.Get(keys)),
        seen -> appendAll(seen, elementOf));
  }

  private Plan insertRow() {
    long number = element();
    Bytes key = SimKeys.row(random.between(0, settings.rowKeys() - 1), number);
    Bytes value = new WireWriter().i64(number).toBytes();
    List<Plan.Step> steps = new ArrayList<>();
    if (random.chance(0.7)) {
      steps.add(scanOf(someInterval()));
    }
    steps.add(new Plan.Get(List.of(key)));
    return plan("insert row", steps, seen -> List.of(new KeyWrite(key, Optional.of(value))));
  }

  /** Deletes one of the rows that a scan found; nothing if it found none. */
  private Plan deleteRow() {
    long choice = random.nextLong();
    return plan(
        "delete row",
        List.of(scanOf(someInterval())),
        seen -> {
          List<Row> rows =
              seen.rows().values().stream().filter(row -> SimKeys.isRow(row.key())).toList();
          if (rows.isEmpty()) {
            return List.of();
          }
          Row row = rows.get((int) Math.floorMod(choice, (long) rows.size()));
          return List.of(new KeyWrite(row.key(), Optional.empty()));
        });
  }

  private Plan blindWrites() {
    List<KeyWrite> writes = new ArrayList<>();
    int first = random.between(0, settings.listKeys() - 1);
    for (int i = random.between(1, 3); i > 0; i--) {
      Bytes key = SimKeys.register((first + i) % 8);
      Optional<Bytes> value =
          random.chance(0.2)
              ? Optional.empty()
              : Optional.of(new WireWriter().i64(element()).toBytes());
      writes.add(new KeyWrite(key, value));
    }
    return plan("blind writes", List.of(), seen -> List.copyOf(writes));
  }

  /** Applies operations, to what it has read or not; or reads what they made. */
  private Plan operates() {
    List<KeyWrite> writes = new ArrayList<>();
    int first = operations.between(0, OPERATED - 1);
    for (int i = operations.between(1, 3); i > 0; i--) {
      int number = (first + i) % OPERATED;
      writes.add(new KeyWrite(SimKeys.operated(number), mutation(number)));
    }
    List<Bytes> keys = writes.stream().map(KeyWrite::key).toList();
    List<Plan.Step> reads = List.of(new Plan.Get(keys));
    return switch (operations.between(0, 9)) {
      case 0, 1 -> plan("read operated", reads, Plan.NO_WRITES);
      case 2 -> plan("read and operate", reads, seen -> List.copyOf(writes));
      default -> plan("operate", List.of(), seen -> List.copyOf(writes));
    };
  }

  /** Mostly an operation: on numbers for the first keys, on lists for the last. */
  private Mutation mutation(int number) {
    Bytes operand = new WireWriter().i64(operations.skewed(1L, 1_000_000L)).toBytes();
    int drawn = operations.between(0, 19);
    boolean isList = number >= OPERATED_NUMBERS ^ drawn == 19;
    if (drawn == 0) {
      return Mutation.delete();
    } else if (drawn == 1) {
      return new Mutation.Put(operand);
    } else if (isList) {
      Bytes element = new WireWriter().bytes(Bytes.of(operations.between(0, 40))).toBytes();
      return new Mutation.Operation(AtomicOp.APPEND_IF_ABSENT, element);
    }
    AtomicOp op = drawn == 2 ? AtomicOp.MAX : drawn == 3 ? AtomicOp.MIN : AtomicOp.ADD;
    return new Mutation.Operation(op, operand);
  }

  /** One blind write. */
  public Plan writeRegister(Bytes key) {
    Optional<Bytes> value =
        random.chance(0.3)
            ? Optional.empty()
            : Optional.of(new WireWriter().i64(element()).toBytes());
    return plan("write register", List.of(), seen -> List.of(new KeyWrite(key, value)));
  }

  /** Reads what all wrote before, and appends to it. */
  public Plan strongAppend() {
    List<Bytes> keys = someLists(3);
    Map<Bytes, Long> elementOf = elementsFor(List.of(random.pick(keys)));
    return new Plan(
        "strong append",
        Isolation.SERIALIZABLE,
        ReadLevel.STRONG,
        List.of(new Plan.Get(keys)),
        seen -> appendAll(seen, elementOf));
  }

  /** One blind write of so many bytes. */
  public Plan writeLarge(Bytes key, int bytes) {
    Bytes value = Bytes.wrap(new byte[bytes]);
    return plan("write much", List.of(), seen -> List.of(new KeyWrite(key, Optional.of(value))));
  }

  private Plan readKeys() {
    List<Bytes> keys = new ArrayList<>(someLists(8));
    keys.add(SimKeys.register(random.between(0, 7)));
    List<Plan.Step> steps = new ArrayList<>(List.of(new Plan.Get(keys)));
    if (random.chance(0.2)) {
      steps.add(new Plan.Hold(random.skewedNanos(1_000_000L, 10_000_000_000L)));
      steps.add(new Plan.Get(keys));
    }
    return plan("read keys", steps, Plan.NO_WRITES);
  }

  private Plan readInterval() {
    return plan("read interval", List.of(scanOf(someInterval())), Plan.NO_WRITES);
  }

  /** Reads everything there is, at the end of a run. */
  public static Plan readEverything(List<Bytes> lists) {
    return new Plan(
        "final read",
        Isolation.SERIALIZABLE,
        ReadLevel.STRONG,
        List.of(
            new Plan.Get(lists),
            new Plan.Scan(EVERYTHING, false, 20, Integer.MAX_VALUE),
            new Plan.Scan(EVERYTHING, true, 7, Integer.MAX_VALUE)),
        Plan.NO_WRITES);
  }
}
