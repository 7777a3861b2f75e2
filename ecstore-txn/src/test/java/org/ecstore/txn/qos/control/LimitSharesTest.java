package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.ecstore.core.metrics.Metrics;
import org.ecstore.core.port.Coordination;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.Coordination.MemberInfo;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.Network;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.core.port.Ports;
import org.ecstore.core.port.Timers;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.id.NodeId;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.model.control.ServiceLimit;
import org.ecstore.model.objective.Objective;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.LimitNews;
import org.ecstore.txn.qos.control.book.ControlBook;
import org.ecstore.txn.qos.control.book.ControlBook.Cap;
import org.ecstore.txn.qos.control.book.ControlPatience;
import org.ecstore.txn.qos.objective.ObjectiveBook.Promise;
import org.junit.jupiter.api.Test;

/** What applications may have of all nodes together. */
class LimitSharesTest {
  private static final long SECOND = 1_000_000_000L;

  private static final List<Promise> PROMISES =
      List.of(
          new Promise(Objective.bestEffort("heavy").weight(3), 1),
          new Promise(Objective.bestEffort("light"), 1),
          new Promise(Objective.guaranteed("shop").p99(Duration.ofMillis(20)).rate(500), 1));

  private long nanos;

  private static ControlBook capped(Cap... caps) {
    return new ControlBook(
        ControlSettings.DEFAULT,
        List.of(caps),
        List.of(),
        0,
        ControlPatience.FIRST,
        ControlBook.HotThreshold.CONFIGURED,
        List.of());
  }

  private static Map<String, Long> limits(ControlBook book) {
    Map<String, Long> limits = new TreeMap<>();
    for (ServiceLimit limit : LimitShares.of(book, PROMISES)) {
      limits.put(limit.application(), limit.perSecond());
      assertEquals(limit.application().equals("shop") ? 500 : 0, limit.promisedPerSecond());
    }
    return limits;
  }

  @Test
  void withoutACapNoneIsLimited() {
    assertEquals(Map.of("heavy", 0L, "light", 0L, "shop", 0L), limits(capped()));
  }

  /** Whichever of them the cap names. */
  @Test
  void bucketsFollowFromWeights() {
    Map<String, Long> shared = Map.of("heavy", 300L, "light", 100L, "shop", 0L);
    assertEquals(shared, limits(capped(new Cap("heavy", 300, 3))));
    assertEquals(shared, limits(capped(new Cap("light", 100, 1))));
  }

  /**
   * The one that is named has three times the weight that it had: so much more, and others as it
   * was.
   */
  @Test
  void aCapIsByTheWeightByWhichItWasMade() {
    Map<String, Long> shared = Map.of("heavy", 900L, "light", 300L, "shop", 0L);
    assertEquals(shared, limits(capped(new Cap("heavy", 300, 1))));
  }

  /** Of an earlier release's book that is not known: it is taken to be the one of now. */
  @Test
  void aCapWithoutAWeightIsByTheOneOfNow() {
    Map<String, Long> shared = Map.of("heavy", 300L, "light", 100L, "shop", 0L);
    assertEquals(shared, limits(capped(new Cap("heavy", 300, 0))));
    ControlBook weighed = capped(new Cap("heavy", 300, 0)).weighed(LimitShares.weights(PROMISES));
    assertEquals(List.of(new Cap("heavy", 300, 3)), weighed.caps());
    assertEquals(weighed, weighed.weighed(Map.of("heavy", 7)));
  }

  /** As a book of an earlier release may have them. */
  @Test
  void ofSeveralCapsTheLeastForItsWeightCounts() {
    assertEquals(
        Map.of("heavy", 150L, "light", 50L, "shop", 0L),
        limits(capped(new Cap("heavy", 300, 3), new Cap("light", 50, 1))));
  }

  /**
   * All of its load is on one of three nodes: the others have room for a third of the promise each,
   * as load may move to them before they have counted any.
   */
  @Test
  void eachNodeHasAnEvenPartOfAPromiseAtLeast() {
    List<LimitNews> sent = new ArrayList<>();
    LimitShares shares = shares(sent);
    counted(shares, 1, 10_000);
    counted(shares, 2, 0);
    counted(shares, 3, 0);
    shares.tell(1, 1, List.of(new ServiceLimit("shop", List.of(), 0, 900)), 0, members(3));
    assertEquals(
        List.of(900L, 300L, 300L),
        sent.stream().map(news -> news.limits().getFirst().promisedPerSecond()).toList());
  }

  private LimitShares shares(List<LimitNews> sent) {
    return new LimitShares(new NodeContext(new NodeId(9), ports(sent)), 30 * SECOND);
  }

  private static void counted(LimitShares shares, long node, long operations) {
    shares.counted(new NodeId(node), List.of(new ApplicationCount("shop", operations)));
  }

  private static List<Member> members(long nodes) {
    return LongStream.rangeClosed(1, nodes)
        .mapToObj(node -> new Member(new NodeId(node), 1, new MemberInfo("n" + node + ":1")))
        .toList();
  }

  private static List<Long> tell(LimitShares shares, List<LimitNews> sent, long nodes) {
    sent.clear();
    shares.tell(1, 1, List.of(new ServiceLimit("shop", List.of(), 900, 0)), 0, members(nodes));
    return sent.stream().map(news -> news.limits().getFirst().perSecond()).toList();
  }

  /** It has taken nothing so far, which is no reason to leave it nothing. */
  @Test
  void aNodeThatHasJustComeHasAnEvenPartOfALimit() {
    List<LimitNews> sent = new ArrayList<>();
    LimitShares shares = shares(sent);
    nanos = 100 * SECOND;
    counted(shares, 1, 3_999);
    counted(shares, 2, 1_999);
    assertEquals(List.of(600L, 300L), tell(shares, sent, 2));
    assertEquals(List.of(400L, 200L, 300L), tell(shares, sent, 3));
    counted(shares, 3, 0);
    assertEquals(List.of(600L, 300L, 1L), tell(shares, sent, 3));
  }

  /** Nodes have what its predecessor has told them, by parts that it does not know. */
  @Test
  void whoComesToLeadHearsNodesBeforeItTellsThem() {
    List<LimitNews> sent = new ArrayList<>();
    LimitShares shares = shares(sent);
    nanos = 100 * SECOND;
    shares.clear();
    counted(shares, 1, 3_999);
    assertEquals(List.of(), tell(shares, sent, 2));
    nanos += 3 * SECOND;
    assertEquals(List.of(), tell(shares, sent, 2));
    assertTrue(shares.isNews(1, 1, members(2)));
    counted(shares, 2, 1_999);
    assertEquals(List.of(600L, 300L), tell(shares, sent, 2));
    // A node that says nothing in time knows of no limits.
    shares.clear();
    assertEquals(List.of(), tell(shares, sent, 2));
    nanos += 6 * SECOND;
    assertEquals(List.of(450L, 450L), tell(shares, sent, 2));
  }

  @Test
  void anotherBookPromiseMemberOrProcessIsNews() {
    LimitShares shares = shares(new ArrayList<>());
    nanos = 100 * SECOND;
    assertTrue(shares.isNews(1, 1, members(2)));
    assertTrue(shares.isAnother(new NodeId(2), 7));
    shares.heard(new NodeId(2), 7);
    shares.tell(1, 1, List.of(), 0, members(2));
    assertFalse(shares.isNews(1, 1, members(2)));
    assertTrue(shares.isNews(2, 1, members(2)));
    assertTrue(shares.isNews(1, 2, members(2)));
    assertTrue(shares.isNews(1, 1, members(3)));
    assertFalse(shares.isAnother(new NodeId(2), 7));
    assertTrue(shares.isAnother(new NodeId(2), 8));
    shares.heard(new NodeId(2), 8);
    assertTrue(shares.isNews(1, 1, members(2)));
  }

  private Ports ports(List<LimitNews> sent) {
    return new Ports(
        () -> nanos,
        port(Timers.class, sent),
        new SplittableRandom(1),
        port(Network.class, sent),
        port(Engine.class, sent),
        port(Ledger.class, sent),
        port(Coordination.class, sent),
        port(OperatorLog.class, sent),
        Metrics.NONE);
  }

  private static <T> T port(Class<T> port, List<LimitNews> sent) {
    return port.cast(
        Proxy.newProxyInstance(
            port.getClassLoader(),
            new Class<?>[] {port},
            (proxy, method, arguments) -> {
              for (Object argument : arguments) {
                if (argument instanceof LimitNews news) {
                  sent.add(news);
                }
              }
              return null;
            }));
  }

  @Test
  void aCapOfAnApplicationThatIsNotOfBestEffortLimitsNone() {
    assertEquals(
        Map.of("heavy", 0L, "light", 0L, "shop", 0L),
        limits(capped(new Cap("shop", 5, 1), new Cap("gone", 5, 1))));
  }
}
