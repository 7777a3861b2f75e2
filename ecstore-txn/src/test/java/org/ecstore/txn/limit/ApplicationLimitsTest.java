package org.ecstore.txn.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Quorum;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationLimitsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final long SHOP = 1;
  private static final long REPORTS = 2;
  private static final long UNNAMED = 3;
  private static final int CONNECTIONS_MAX = 100_000;

  private final ApplicationLimits limits = new ApplicationLimits();

  ApplicationLimitsTest() {
    limits.greeted(SHOP, "shop");
    limits.greeted(REPORTS, "reports");
  }

  private static ServiceLimit cap(String application, long perSecond, String... tables) {
    return new ServiceLimit(application, List.of(tables), perSecond, 0);
  }

  private static ServiceLimit promise(String application, long perSecond, String... tables) {
    return new ServiceLimit(application, List.of(tables), 0, perSecond);
  }

  private static Bytes key(String table) {
    return Tuple.of(table, "k").encode();
  }

  private static ClientRequest.Get get(Bytes... keys) {
    return new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), Epoch.ZERO, List.of(keys));
  }

  private static ClientRequest.Scan scan(KeyRange keys) {
    return new ClientRequest.Scan(
        ReadPoint.ZERO, new RangeId(1), Epoch.ZERO, keys, true, 10, false);
  }

  private static ClientRequest.Commit commit(List<Bytes> reads, List<Bytes> writes) {
    return new ClientRequest.Commit(
        new TxnId(1, 1),
        ReadPoint.ZERO,
        Isolation.SERIALIZABLE,
        reads,
        List.of(),
        writes.stream().map(key -> new KeyWrite(key, Optional.empty())).toList(),
        1_000);
  }

  private OptionalInt asked(long connection, ClientRequest request, boolean pressed, long now) {
    return limits.refusal(connection, request, pressed, now);
  }

  /** How many of so many reads of a table are taken at one time. */
  private long taken(int reads, long connection, String table, boolean pressed, long now) {
    ClientRequest request = get(key(table));
    return LongStream.range(0, reads)
        .filter(_ -> asked(connection, request, pressed, now).isEmpty())
        .count();
  }

  private static ApplicationCount count(String application, long operations) {
    return new ApplicationCount(application, operations);
  }

  private long counted(String application) {
    return limits.counts().stream()
        .filter(count -> count.application().equals(application))
        .mapToLong(ApplicationCount::operations)
        .sum();
  }

  /** Whatever the clock's zero is, and whether there is much to do or not. */
  @ParameterizedTest
  @ValueSource(longs = {0, -3_141_500_000_000L, 4_611_686_018_400_000_000L})
  void aCapIsKeptOverASecondAndItsBurst(long zero) {
    limits.take(1, List.of(cap("reports", 200)));
    assertEquals(20, taken(10_000, REPORTS, "t", false, zero));
    long inASecond =
        LongStream.rangeClosed(1, 1_000)
            .map(i -> taken(10, REPORTS, "t", i % 2 == 0, zero + i * MILLI))
            .sum();
    assertEquals(200, inASecond);
    assertEquals(20, taken(10_000, REPORTS, "t", true, zero + 3_600 * SECOND));
    assertEquals(240, counted("reports"));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 9, 10, 11, 99, 101, 5_000, 999_999, 1_000_000, Long.MAX_VALUE})
  void noCapIsExceededByMoreThanItsBurstAndAThousandth(long perSecond) {
    limits.take(1, List.of(cap("reports", perSecond)));
    long most = Math.min(perSecond, 1_000_000);
    int askedAtATime = (int) (10 + most / 900);
    long taken =
        LongStream.rangeClosed(0, 1_000)
            .map(i -> taken(askedAtATime, REPORTS, "t", false, i * MILLI))
            .sum();
    long burst = Math.max(1, most / 10);
    assertTrue(taken <= most + burst + most / 1_000, () -> taken + " of " + perSecond);
    assertTrue(taken >= most - most / 100, () -> taken + " of " + perSecond);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 50, 200, 1_000_000})
  void whoIsRefusedIsTakenAfterTheTimeItIsTold(long perSecond) {
    limits.take(1, List.of(cap("reports", perSecond)));
    taken(200_000, REPORTS, "t", false, 0);
    OptionalInt wait = asked(REPORTS, get(key("t")), false, 0);
    assertEquals(Math.clamp(1_000 / perSecond, 10, 1_000), wait.orElseThrow());
    assertEquals(1, taken(1, REPORTS, "t", false, wait.getAsInt() * MILLI));
  }

  @Test
  void aPromiseRefusesNothingOfWhatIsWithinItHoweverMuchThereIsToDo() {
    limits.take(1, List.of(promise("shop", 100)));
    long taken =
        LongStream.range(0, 1_000).map(i -> taken(1, SHOP, "t", true, i * 10 * MILLI)).sum();
    assertEquals(1_000, taken);
  }

  @Test
  void whatIsBeyondAPromiseIsRefusedOnlyWhereThereIsTooMuchToDo() {
    limits.take(1, List.of(promise("shop", 100)));
    assertEquals(10_000, taken(10_000, SHOP, "t", false, 0));
    assertEquals(0, taken(1_000, SHOP, "t", true, 0));
    OptionalInt wait = asked(SHOP, get(key("t")), true, 0);
    assertEquals(10, wait.orElseThrow());
    // What it has had beyond is no debt: from now on it has what is owed to it.
    long inASecond =
        LongStream.rangeClosed(1, 1_000).map(i -> taken(10, SHOP, "t", true, i * MILLI)).sum();
    assertEquals(100, inASecond);
    assertEquals(10_100, counted("shop"));
  }

  @Test
  void applicationsWithoutALimitAreTakenAsTheyComeAndCounted() {
    limits.take(1, List.of(cap("reports", 1), new ServiceLimit("shop", List.of(), 0, 0)));
    assertEquals(1_000, taken(1_000, SHOP, "t", true, 0));
    assertEquals(1_000, taken(1_000, UNNAMED, "t", true, 0));
    assertEquals(
        List.of(count("reports", 0), count("shop", 1_000), count("", 1_000)), limits.counts());
  }

  @Test
  void noLimitAtAllIsNothing() {
    assertTrue(limits.isEmpty());
    assertEquals(1_000, taken(1_000, SHOP, "t", true, 0));
    assertEquals(List.of(count("", 0)), limits.counts());
  }

  /** A table has one objective, whichever application's clients read it. */
  @Test
  void tablesWinOverNames() {
    limits.take(
        1,
        List.of(
            new ServiceLimit("shop", List.of("orders", "users"), 0, 0),
            new ServiceLimit("reports", List.of(), 0, 0)));
    assertEquals(5, taken(5, REPORTS, "users", false, 0));
    assertEquals(3, taken(3, UNNAMED, "orders", false, 0));
    assertEquals(7, taken(7, REPORTS, "user", false, 0));
    // Its objective is about tables: what its clients do beside these is not of it.
    assertEquals(2, taken(2, SHOP, "usersx", false, 0));
    assertEquals(List.of(count("shop", 8), count("reports", 7), count("", 2)), limits.counts());
  }

  @Test
  void eachOperationIsOfTheTableOfItsFirstKey() {
    limits.take(1, List.of(cap("shop", 1, "users")));
    Bytes users = key("users");
    Bytes other = key("other");
    List<ClientRequest> ofUsers =
        List.of(
            get(users, other),
            scan(Tuple.of("users").prefixRange()),
            new ClientRequest.BeginWith(ReadLevel.SESSION, ReadPoint.ZERO, get(users)),
            new ClientRequest.QuorumGet(users, new Quorum(3, 2, 1), ReadPoint.ZERO, 100),
            commit(List.of(other), List.of(users)),
            commit(List.of(users), List.of()));
    for (int i = 0; i < ofUsers.size(); i++) {
      long now = i * (10 * SECOND);
      assertTrue(asked(UNNAMED, ofUsers.get(i), false, now).isEmpty(), ofUsers.get(i)::toString);
      assertFalse(asked(UNNAMED, ofUsers.get(i), false, now).isEmpty(), ofUsers.get(i)::toString);
    }
    assertTrue(asked(UNNAMED, get(other, users), false, 0).isEmpty());
    assertTrue(asked(UNNAMED, commit(List.of(users), List.of(other)), false, 0).isEmpty());
    assertEquals(ofUsers.size(), counted("shop"));
  }

  @Test
  void whatIsNoOperationOnKeysIsNeverRefused() {
    limits.take(1, List.of(cap("reports", 1)));
    taken(10, REPORTS, "t", false, 0);
    for (ClientRequest request :
        List.of(
            get(),
            commit(List.of(), List.of()),
            new ClientRequest.Begin(ReadLevel.SESSION, ReadPoint.ZERO),
            new ClientRequest.Locate(key("t")),
            new ClientRequest.EndSnapshot(1),
            new ClientRequest.BeginAt(Position.ZERO),
            new ClientRequest.AskControl())) {
      assertTrue(asked(REPORTS, request, true, 0).isEmpty(), request::toString);
    }
  }

  @Test
  void versionsThatComeLateArePassedBy() {
    limits.take(7, List.of(cap("reports", 10)));
    limits.take(6, List.of());
    assertEquals(1, taken(100, REPORTS, "t", false, 0));
    // The same version again: what is promised may have changed beside it.
    limits.take(7, List.of());
    assertEquals(100, taken(100, REPORTS, "t", false, 0));
    limits.take(8, List.of(cap("reports", 10)));
    assertEquals(1, taken(100, REPORTS, "t", false, 0));
  }

  @Test
  void aLimitThatStaysHasNoSecondBurstAndOneThatChangesHas() {
    limits.take(1, List.of(cap("reports", 200)));
    assertEquals(20, taken(100, REPORTS, "t", false, 0));
    limits.take(2, List.of(promise("shop", 5), cap("reports", 200)));
    assertEquals(0, taken(100, REPORTS, "t", false, 0));
    limits.take(3, List.of(cap("reports", 400)));
    assertEquals(40, taken(100, REPORTS, "t", false, 0));
  }

  @Test
  void countsAreSinceTheyWereLastAskedForAndOutliveAChangeOfTheLimit() {
    limits.take(1, List.of(promise("shop", 100)));
    taken(10, SHOP, "t", false, 0);
    limits.take(2, List.of(promise("shop", 50)));
    taken(5, SHOP, "t", false, 0);
    assertEquals(List.of(count("shop", 15), count("", 0)), limits.counts());
    assertEquals(List.of(count("shop", 0), count("", 0)), limits.counts());
    taken(1, SHOP, "t", false, 0);
    assertEquals(1, counted("shop"));
  }

  @Test
  void refusedOperationsAreNotCounted() {
    limits.take(1, List.of(cap("reports", 10), promise("shop", 10)));
    taken(1_000, REPORTS, "t", false, 0);
    taken(1_000, SHOP, "t", true, 0);
    assertEquals(List.of(count("reports", 1), count("shop", 1), count("", 0)), limits.counts());
  }

  @Test
  void aMillionConnectionsAreNotAllRemembered() {
    limits.take(1, List.of(cap("reports", 1)));
    for (long connection = 10; connection < 1_000_010; connection++) {
      limits.greeted(connection, "reports");
    }
    assertEquals(1, taken(10, 10, "t", false, 0));
    assertEquals(10, taken(10, 1_000_009, "t", false, 0));
    limits.gone(SHOP);
    limits.greeted(1_000_009, "reports");
    assertEquals(0, taken(10, 1_000_009, "t", false, 0));
    // Those two and the first ones.
    assertEquals(0, taken(10, CONNECTIONS_MAX + 7, "t", false, 0));
    assertEquals(10, taken(10, CONNECTIONS_MAX + 8, "t", false, 0));
  }

  @Test
  void aConnectionThatIsGoneIsOfNoApplication() {
    limits.take(1, List.of(cap("reports", 1)));
    assertEquals(1, taken(10, REPORTS, "t", false, 0));
    limits.gone(REPORTS);
    assertEquals(10, taken(10, REPORTS, "t", false, 0));
    limits.gone(REPORTS);
    limits.gone(999);
  }

  /** As many limits as there can be, and keys that are of no table. */
  @Test
  void keysOfNoTableAreOfTheConnectionsApplication() {
    List<ServiceLimit> all = new ArrayList<>();
    for (int i = 0; i < ServiceLimit.LIMITS_MAX - 1; i++) {
      int first = i * Objective.TABLES_MAX;
      all.add(
          cap(
              "a" + i,
              1,
              IntStream.range(first, first + Objective.TABLES_MAX)
                  .mapToObj(table -> "t" + table)
                  .toArray(String[]::new)));
    }
    all.add(cap("reports", 10));
    limits.take(1, all);
    List<Bytes> ofNoTable =
        List.of(
            Bytes.EMPTY,
            Bytes.of(0),
            Bytes.of(0xff, 0xff),
            Bytes.wrap(new byte[4_096]),
            Tuple.of(7).encode(),
            Tuple.of("").encode(),
            Tuple.of("t").encode());
    for (int i = 0; i < ofNoTable.size(); i++) {
      Bytes key = ofNoTable.get(i);
      long now = i * SECOND;
      assertTrue(asked(REPORTS, get(key), false, now).isEmpty(), key::toString);
      assertFalse(asked(REPORTS, get(key), false, now).isEmpty(), key::toString);
      assertTrue(asked(UNNAMED, get(key), false, now).isEmpty(), key::toString);
    }
    assertTrue(asked(UNNAMED, scan(KeyRange.ALL), false, 0).isEmpty());
    int last = (ServiceLimit.LIMITS_MAX - 1) * Objective.TABLES_MAX - 1;
    assertEquals(1, taken(10, UNNAMED, "t" + last, false, 0));
    assertEquals(1, taken(10, UNNAMED, "t0", false, 0));
  }
}
