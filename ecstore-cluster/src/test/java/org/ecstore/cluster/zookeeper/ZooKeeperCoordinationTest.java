package org.ecstore.cluster.zookeeper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.ZooKeeper;
import org.ecstore.cluster.process.FreePorts;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;
import org.ecstore.cluster.zookeeper.server.EnsembleMember;
import org.ecstore.cluster.zookeeper.server.ZooKeeperStartException;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.testing.Await;
import org.ecstore.core.testing.Pause;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What sessions, connections and servers that come and go do to coordination. */
@Timeout(180)
@Order(1)
class ZooKeeperCoordinationTest {
  /** Sessions that end only if something ends them: a busy machine does not. */
  private static final ZooKeeperSettings SETTINGS =
      ZooKeeperSettings.defaults().withSession(Duration.ofSeconds(60));

  /** Sessions whose end is waited for. */
  private static final ZooKeeperSettings SHORT = ZooKeeperSettings.defaults();

  @TempDir private Path directory;

  private final Notes notes = new Notes();
  private final Deque<AutoCloseable> opened = new ArrayDeque<>();
  private EmbeddedZooKeeper server;

  @BeforeEach
  void openServer() throws IOException {
    server = server(new FreePorts().next());
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
    server.close();
  }

  private EmbeddedZooKeeper server(int port) throws IOException {
    return EmbeddedZooKeeper.standalone(directory, EmbeddedZooKeeper.LOOPBACK, port, notes);
  }

  private int port() {
    String address = server.connectString();
    return Integer.parseInt(address.substring(address.indexOf(':') + 1));
  }

  /** Of a process of its own, as it were. */
  private ZooKeeperCoordination process() throws IOException {
    return process(server.connectString(), SETTINGS);
  }

  private ZooKeeperCoordination process(String connectString, ZooKeeperSettings settings)
      throws IOException {
    ZooKeeperCoordination coordination =
        ZooKeeperCoordination.open(connectString, "test", settings, notes);
    opened.push(coordination);
    return coordination;
  }

  private ProxyServer proxy() throws IOException {
    ProxyServer proxy = new ProxyServer(server.connectString());
    opened.push(proxy);
    return proxy;
  }

  private static TestNode joined(ZooKeeperCoordination process, long id) {
    TestNode node = new TestNode(process, id);
    node.join();
    return node;
  }

  private static void expire(ZooKeeperCoordination process, EmbeddedZooKeeper server)
      throws Exception {
    ZooKeeper client = process.client();
    RawZooKeeper.expire(server.connectString(), client.getSessionId(), client.getSessionPasswd());
  }

  private static CoordinationResult.Stored stored(long version, String value) {
    return new CoordinationResult.Stored(version, Optional.of(Bytes.utf8(value)));
  }

  @Test
  void processesSeeOneAnother() throws IOException {
    TestNode one = joined(process(), 1);
    TestNode two = joined(process(), 2);
    TestNode three = joined(process(), 3);
    for (TestNode node : List.of(one, two, three)) {
      node.awaitMembers(one, two, three);
      node.awaitLeader(one);
    }
    one.watch("key");
    long version = two.swap("key", 0, "first");
    one.awaitUntil(() -> one.seen().contains(new Event.KeyChanged("key")));
    assertEquals(stored(version, "first"), one.get("key"));
    assertEquals(new CoordinationResult.Lost(), three.compareAndSet("key", 0, "other"));
    assertEquals(List.of(), notes.warnings());
  }

  /** Nodes 1 and 2 host servers of ZooKeeper, as it were, and the others do not (decision 0055). */
  @Test
  void nodesWithoutAServerLeadBeforeThoseWithOne() throws IOException {
    ZooKeeperSettings next = SETTINGS.withNextToLead(true);
    ZooKeeperCoordination first = process();
    TestNode one = joined(first, 1);
    TestNode two = joined(process(), 2);
    ZooKeeperCoordination third = process(server.connectString(), next);
    TestNode three = joined(third, 3);
    TestNode four = joined(process(server.connectString(), next), 4);
    two.awaitSuccession(one, three, four, two);
    first.close();
    two.awaitSuccession(three, four, two);
    TestNode oneAgain = joined(process(), 1);
    third.close();
    two.awaitSuccession(four, two, oneAgain);
    TestNode threeAgain = joined(process(server.connectString(), next), 3);
    two.awaitSuccession(four, threeAgain, two, oneAgain);
    oneAgain.awaitLeader(four);
  }

  /** Who comes later does not take the lead from the one that has it. */
  @Test
  void aNodeWithoutAServerComesBehindTheLeader() throws IOException {
    ZooKeeperCoordination leading = process();
    TestNode one = joined(leading, 1);
    TestNode two = joined(process(server.connectString(), SETTINGS.withNextToLead(true)), 2);
    one.awaitSuccession(one, two);
    two.awaitLeader(one);
    leading.close();
    two.awaitLeader(two);
  }

  @Test
  void aProcessThatClosesIsGoneAtOnceAndTheHintMoves() throws IOException {
    ZooKeeperCoordination leading = process(server.connectString(), SETTINGS);
    TestNode one = joined(leading, 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(one, two);
    leading.close();
    two.awaitMembers(two);
    two.awaitLeader(two);
  }

  @Test
  void anEndedNodeIsGoneAtOnceWhileItsProcessLivesOn() throws IOException {
    ZooKeeperCoordination both = process(server.connectString(), SETTINGS);
    TestNode one = joined(both, 1);
    TestNode two = joined(both, 2);
    TestNode three = joined(process(), 3);
    three.awaitMembers(one, two, three);
    three.awaitLeader(one);
    both.end(one.id());
    three.awaitMembers(two, three);
    three.awaitLeader(two);
    two.awaitLeader(two);
  }

  @Test
  void aMemberWhoseConnectionIsGoneForLongIsNoMemberAndComesBackTheSame() throws Exception {
    ProxyServer proxy = proxy();
    TestNode one = joined(process(proxy.connectString(), SHORT), 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(one, two);
    one.awaitMembers(one, two);
    one.watch("key");
    one.forget();
    proxy.cut();
    two.awaitMembers(two);
    two.awaitLeader(two);
    one.takeIn();
    assertEquals(List.of(), one.seen(), "silence");
    two.swap("key", 0, "meanwhile");
    assertInstanceOf(CoordinationResult.Unknown.class, one.get("key"));
    assertInstanceOf(CoordinationResult.Unknown.class, one.compareAndSet("key", 0, "x"));
    proxy.heal();
    two.awaitMembers(one, two);
    one.awaitMembers(one, two);
    one.awaitLeader(two);
    one.awaitUntil(() -> one.seen().contains(new Event.KeyChanged("key")));
    assertEquals(stored(1, "meanwhile"), one.read("key"));
  }

  @Test
  void aSessionThatExpiresBehindTheNodesBackIsAnnouncedAgainUnderTheSameIncarnation()
      throws Exception {
    ZooKeeperCoordination process = process(server.connectString(), SETTINGS);
    TestNode one = joined(process, 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(one, two);
    one.watch("key");
    for (int round = 0; round < 3; round++) {
      one.forget();
      long before = process.client().getSessionId();
      expire(process, server);
      one.awaitMembers(one, two);
      one.awaitUntil(() -> one.leader().isPresent());
      assertTrue(process.client().getSessionId() != before, "a new session");
      two.awaitMembers(one, two);
      two.awaitLeader(two);
      one.awaitLeader(two);
      // A watch that was lost with its session fires for that, once.
      assertEquals(round == 0, one.seen().contains(new Event.KeyChanged("key")));
    }
    one.watch("key");
    one.forget();
    two.swap("key", 0, "value");
    one.awaitUntil(() -> one.seen().contains(new Event.KeyChanged("key")));
  }

  @Test
  void aServerThatWasAwayForLongIsOnlySilence() throws Exception {
    TestNode one = joined(process(server.connectString(), SHORT), 1);
    TestNode two = joined(process(server.connectString(), SHORT), 2);
    TestNode three = joined(process(server.connectString(), SHORT), 3);
    long version = one.swap("key", 0, "before");
    for (TestNode node : List.of(one, two, three)) {
      node.awaitMembers(one, two, three);
      node.awaitUntil(() -> node.leader().isPresent());
      node.watch("key");
      node.forget();
    }
    int port = port();
    server.close();
    assertInstanceOf(CoordinationResult.Unknown.class, one.compareAndSet("key", version, "x"));
    assertInstanceOf(CoordinationResult.Unknown.class, two.get("key"));
    // Longer than the sessions last.
    Pause.of(SHORT.session().multipliedBy(3).dividedBy(2));
    for (TestNode node : List.of(one, two, three)) {
      node.takeIn();
      assertTrue(
          node.seen().stream().allMatch(Event.CoordinationDone.class::isInstance),
          node.seen().toString());
    }
    server = server(port);
    for (TestNode node : List.of(one, two, three)) {
      node.awaitMembers(one, two, three);
      node.awaitUntil(() -> node.leader().isPresent());
      assertTrue(node.seen().contains(new Event.KeyChanged("key")), node.seen().toString());
    }
    assertEquals(stored(version, "before"), two.read("key"));
    assertEquals(version + 1, swapUntilKnown(three, version), "goes on where it was interrupted");
  }

  @Test
  void aSessionThatOnlyItsClientBelievesEndedKeepsItsPlaceInTheElection() throws Exception {
    ProxyServer proxy = proxy();
    ZooKeeperCoordination process = process(proxy.connectString(), SETTINGS);
    TestNode one = joined(process, 1);
    TestNode two = joined(process(), 2);
    for (int round = 0; round < 3; round++) {
      two.awaitMembers(one, two);
      one.forget();
      ZooKeeper before = process.client();
      proxy.cut();
      before.getTestable().injectSessionExpiration();
      Await.until("another client is made", () -> !process.client().equals(before));
      proxy.heal();
      one.awaitMembers(one, two);
      one.awaitLeader(one);
      // A node that joins now is told the same.
      TestNode late = joined(process(), 10 + round);
      late.awaitLeader(one);
      late.awaitMembers(one, two, late);
      opened.pop().close();
    }
    two.takeIn();
    assertTrue(
        two.seen().stream()
            .filter(Event.LeaderHinted.class::isInstance)
            .allMatch(new Event.LeaderHinted(Optional.of(one.id()))::equals),
        two.seen().toString());
  }

  @Test
  void aLostReplyIsUnknownAndTheNextReadSeesWhatWasDone() throws Exception {
    ProxyServer proxy = proxy();
    TestNode one = joined(process(proxy.connectString(), SETTINGS), 1);
    try (RawZooKeeper raw = RawZooKeeper.connect(server.connectString())) {
      long version = 0;
      for (int round = 0; round < 5; round++) {
        proxy.loseReplies();
        long token = one.beginCompareAndSet("key", version, "value " + round);
        String value = "value " + round;
        Await.until(
            value + " is stored",
            () ->
                raw.client().exists("/ecstore/test/values/key", false) != null
                    && raw.read("/ecstore/test/values/key").equals(value));
        proxy.cut();
        assertInstanceOf(CoordinationResult.Unknown.class, one.await(token));
        proxy.heal();
        version++;
        assertEquals(stored(version, "value " + round), one.read("key"));
      }
    }
  }

  @Test
  void aLostRequestIsUnknownAndIsNotMadeUpForLater() throws Exception {
    ProxyServer proxy = proxy();
    TestNode one = joined(process(proxy.connectString(), SETTINGS), 1);
    long version = one.swap("key", 0, "kept");
    for (int round = 0; round < 5; round++) {
      proxy.loseRequests();
      long token = one.beginCompareAndSet("key", version, "lost");
      proxy.cut();
      assertInstanceOf(CoordinationResult.Unknown.class, one.await(token));
      proxy.heal();
      assertEquals(stored(version, "kept"), one.read("key"));
    }
    version = one.swap("key", version, "next");
    assertEquals(stored(version, "next"), one.get("key"));
  }

  @Test
  void aServerThatIsSilentLeavesNoCallUnanswered() throws Exception {
    ProxyServer proxy = proxy();
    ZooKeeperSettings hurried = SETTINGS.withCallWithin(Duration.ofMillis(300));
    TestNode one = new TestNode(process(proxy.connectString(), hurried), 1);
    one.joinUntilKnown();
    proxy.loseReplies();
    assertInstanceOf(CoordinationResult.Unknown.class, one.compareAndSet("key", 0, "x"));
    assertInstanceOf(CoordinationResult.Unknown.class, one.get("key"));
    proxy.cut();
    proxy.heal();
    assertEquals(stored(1, "x"), one.read("key"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anEarlierIncarnationDoesNotComeBackOverALaterOne(boolean expired) throws Exception {
    ProxyServer proxy = proxy();
    ZooKeeperCoordination process = process(proxy.connectString(), SETTINGS);
    TestNode early = joined(process, 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(early, two);
    proxy.cut();
    TestNode late = joined(process(), 1);
    assertTrue(late.incarnation() > early.incarnation());
    two.awaitMembers(late, two);
    two.awaitLeader(two);
    early.forget();
    two.forget();
    if (expired) {
      expire(process, server);
    }
    proxy.heal();
    // It is back when its calls are answered; by then it has found out that it is not wanted.
    early.read("key");
    awaitWarning("started again elsewhere");
    early.takeIn();
    assertTrue(
        early.seen().stream().noneMatch(Event.MembersChanged.class::isInstance),
        early.seen().toString());
    two.takeIn();
    assertEquals(List.of(), two.seen());
    TestNode again = joined(process(), 3);
    two.awaitMembers(late, two, again);
  }

  @Test
  void aJoinReplacesAnEarlierOneWhoseSessionStillLives() throws Exception {
    TestNode early = joined(process(server.connectString(), SETTINGS), 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(early, two);
    two.awaitLeader(early);
    TestNode late = joined(process(), 1);
    two.awaitMembers(late, two);
    two.awaitLeader(two);
    late.awaitLeader(two);
  }

  @Test
  void aSuspectedMemberThatIsDeadIsGoneBeforeItsSession() throws Exception {
    ProxyServer proxy = proxy();
    TestNode dead = joined(process(proxy.connectString(), SETTINGS), 1);
    ZooKeeperCoordination survivor = process();
    TestNode two = joined(survivor, 2);
    TestNode three = joined(process(), 3);
    three.awaitMembers(dead, two, three);
    two.awaitMembers(dead, two, three);
    proxy.cut();
    survivor.suspect(dead.id(), dead.incarnation() + 1);
    survivor.suspect(dead.id(), dead.incarnation());
    two.awaitMembers(two, three);
    two.awaitLeader(two);
    three.awaitMembers(two, three);
    three.awaitLeader(two);
  }

  @Test
  void aSuspectedMemberThatLivesAnnouncesItselfAgain() throws Exception {
    TestNode one = joined(process(), 1);
    ZooKeeperCoordination other = process();
    TestNode two = joined(other, 2);
    two.awaitMembers(one, two);
    one.awaitMembers(one, two);
    other.suspect(one.id(), one.incarnation());
    two.awaitLeader(two);
    two.awaitMembers(one, two);
    one.awaitLeader(two);
    one.awaitMembers(one, two);
    // A node that suspects it again and again does not keep it out.
    two.forget();
    for (int i = 0; i < 100; i++) {
      other.suspect(one.id(), one.incarnation());
    }
    other.suspect(two.id(), two.incarnation());
    two.get("key");
    two.takeIn();
    assertTrue(
        two.seen().stream().noneMatch(Event.MembersChanged.class::isInstance),
        two.seen().toString());
  }

  @Test
  void aValueThatIsTooLargeIsRefusedInWords() throws IOException {
    TestNode one = joined(process(), 1);
    int most = SETTINGS.valueBytesMax();
    CoordinationResult.Unknown refused =
        assertInstanceOf(
            CoordinationResult.Unknown.class, one.compareAndSet("key", 0, "x".repeat(most + 1)));
    assertTrue(refused.detail().contains("has 1000001 bytes"), refused.detail());
    assertEquals(List.of(refused.detail()), notes.warnings());
    String large = "y".repeat(most);
    long version = one.swap("key", 0, large);
    assertEquals(stored(version, large), one.get("key"));
  }

  @Test
  void anyTextIsAKey() throws IOException {
    TestNode one = joined(process(), 1);
    for (String key : List.of("a/b", ".", "..", "", "übung %2F", "a,b", "\u0000")) {
      long version = one.swap(key, 0, "value of " + key);
      assertEquals(stored(version, "value of " + key), one.get(key));
    }
  }

  @Test
  void clustersOfOneZooKeeperKnowNothingOfEachOther() throws IOException {
    TestNode one = joined(process(), 1);
    ZooKeeperCoordination other =
        ZooKeeperCoordination.open(server.connectString(), "other", SETTINGS, notes);
    opened.push(other);
    TestNode stranger = joined(other, 2);
    one.swap("key", 0, "value");
    assertEquals(new CoordinationResult.Stored(0, Optional.empty()), stranger.get("key"));
    stranger.awaitMembers(stranger);
    stranger.awaitLeader(stranger);
    assertEquals("first", process().createOrRead("id", "first"));
    assertEquals("first", process().createOrRead("id", "second"));
    assertEquals("third", other.createOrRead("id", "third"));
  }

  @Test
  void aZooKeeperThatIsNotThereIsNamed() {
    int nowhere = new FreePorts().next();
    ZooKeeperStartException refused =
        assertThrows(
            ZooKeeperStartException.class,
            () ->
                process(
                    "127.0.0.1:" + nowhere, SETTINGS.withConnectWithin(Duration.ofMillis(300))));
    assertEquals(
        "no ZooKeeper server answers at 127.0.0.1:"
            + nowhere
            + " within 300 ms: start one, or correct the address",
        refused.getMessage());
  }

  @Test
  void whatIsNoConnectStringOrNoNameIsRefused() {
    for (String wrong : List.of("", "host", "host:", "host:1/chroot", ",", "host:1,", "a b:1")) {
      assertThrows(IllegalArgumentException.class, () -> process(wrong, SETTINGS), wrong);
    }
    for (String wrong : List.of("", ".", "..", "a/b", "a b", "x".repeat(101))) {
      assertThrows(
          IllegalArgumentException.class,
          () -> ZooKeeperCoordination.open("host:1", wrong, SETTINGS, notes),
          wrong);
    }
  }

  @Test
  void aClosedOneAnswersUnknown() throws IOException {
    ZooKeeperCoordination closed = process();
    TestNode one = joined(closed, 1);
    closed.close();
    assertInstanceOf(CoordinationResult.Unknown.class, one.get("key"));
    one.watch("key");
    assertTrue(one.seen().contains(new Event.KeyChanged("key")), one.seen().toString());
    closed.close();
  }

  @Test
  void ofAnEnsembleOneServerCanBeGone() throws Exception {
    List<EnsembleMember> ensemble = TestEnsembles.of(3);
    List<EmbeddedZooKeeper> servers = new ArrayList<>();
    for (EnsembleMember member : ensemble) {
      EmbeddedZooKeeper started =
          EmbeddedZooKeeper.member(
              directory.resolve("server-" + member.id()), member.id(), ensemble, notes);
      opened.push(started);
      servers.add(started);
    }
    String all = servers.getFirst().connectString();
    List<TestNode> nodes = new ArrayList<>();
    for (int id = 1; id <= 3; id++) {
      nodes.add(joined(process(all, SETTINGS), id));
    }
    TestNode[] members = nodes.toArray(TestNode[]::new);
    for (TestNode node : members) {
      node.awaitMembers(members);
      node.awaitLeader(members[0]);
    }
    long version = members[0].swap("key", 0, "start");
    // Each in its turn, so that the one that leads the servers is among them.
    for (EnsembleMember gone : ensemble) {
      servers.get(gone.id() - 1).close();
      for (TestNode node : members) {
        assertTrue(node.read("key").version() == version, "what was acknowledged is kept");
        version = swapUntilKnown(node, version);
      }
      EmbeddedZooKeeper back =
          EmbeddedZooKeeper.member(
              directory.resolve("server-" + gone.id()), gone.id(), ensemble, notes);
      opened.push(back);
      servers.set(gone.id() - 1, back);
      back.awaitReady(Duration.ofSeconds(60));
    }
    TestNode last = joined(process(all, SETTINGS), 4);
    last.awaitMembers(members[0], members[1], members[2], last);
    last.awaitUntil(() -> last.leader().isPresent());
    for (TestNode node : members) {
      node.awaitMembers(members[0], members[1], members[2], last);
      node.awaitUntil(() -> node.leader().equals(last.leader()));
    }
  }

  /** Replaces the value until it is known to have been done, and by how many replacements. */
  private static long swapUntilKnown(TestNode node, long version) throws InterruptedException {
    long expected = version;
    while (true) {
      CoordinationResult result = node.compareAndSet("key", expected, "of " + node.id());
      if (result instanceof CoordinationResult.Swapped swapped) {
        return swapped.version();
      }
      expected = node.read("key").version();
    }
  }

  @Test
  void aServiceThatFailsLeavesTheOthersAndAnswersUnknown() throws IOException {
    ZooKeeperCoordination failing = process(server.connectString(), SETTINGS);
    TestNode one = joined(failing, 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(one, two);
    failing
        .handle(
            one.id(),
            event -> {
              throw new IllegalStateException("a bug of a node");
            })
        .get(1, "key");
    two.awaitMembers(two);
    assertInstanceOf(CoordinationResult.Unknown.class, one.get("key"));
    assertTrue(
        notes.warnings().stream().anyMatch(text -> text.contains("a bug of a node")),
        notes.warnings().toString());
  }

  @Test
  void aJoinThatHasOnlyBegunElsewhereKeepsTheEarlierIncarnationOut() throws Exception {
    TestNode early = joined(process(), 1);
    TestNode two = joined(process(), 2);
    two.awaitMembers(early, two);
    early.awaitMembers(early, two);
    try (RawZooKeeper raw = RawZooKeeper.connect(server.connectString())) {
      // What a join does first. Then the earlier entry goes, and its owner misses it.
      raw.client().setData("/ecstore/test/incarnations/1", new byte[0], -1);
      for (String name : raw.client().getChildren("/ecstore/test/members", false)) {
        if (name.startsWith("1,")) {
          raw.client().delete("/ecstore/test/members/" + name, -1);
        }
      }
      awaitWarning("n1 was started again elsewhere; its incarnation 1 is no member any more");
      two.awaitMembers(two);
      early.get("key");
      assertEquals(1, raw.client().getChildren("/ecstore/test/members", false).size());
    }
  }

  private void awaitWarning(String text) {
    Await.until(
        "a warning: " + text,
        () -> notes.warnings().stream().anyMatch(warning -> warning.contains(text)));
  }

  @Test
  void aJoinWhoseReplyIsLostIsUnknownAndTheNextOneStandsAlone() throws Exception {
    ProxyServer proxy = proxy();
    ZooKeeperSettings hurried = SETTINGS.withCallWithin(Duration.ofMillis(300));
    TestNode one = new TestNode(process(proxy.connectString(), hurried), 1);
    one.joinUntilKnown();
    long first = one.incarnation();
    try (RawZooKeeper raw = RawZooKeeper.connect(server.connectString())) {
      proxy.loseReplies();
      assertInstanceOf(CoordinationResult.Unknown.class, one.tryJoin());
      Await.until(
          "another incarnation begins",
          () -> raw.client().exists("/ecstore/test/incarnations/1", false).getVersion() >= first);
    }
    proxy.cut();
    proxy.heal();
    one.read("key");
    one.joinUntilKnown();
    assertTrue(one.incarnation() > first + 1, "the lost one counts");
    TestNode two = joined(process(), 2);
    two.awaitMembers(one, two);
    one.awaitMembers(one, two);
  }
}
