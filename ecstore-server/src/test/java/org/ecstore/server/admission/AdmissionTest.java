package org.ecstore.server.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.model.RefusalCode;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final MemoryLimits LIMITS = new MemoryLimits(100, 100, 100, 100, 100, 50, 100);

  private final Admission admission = new Admission(LIMITS);

  private Account account() {
    return admission.open(Origin.ofPeer("here"));
  }

  private static void assertRefused(RefusalCode code, Optional<Refusal> refusal) {
    assertEquals(Optional.of(code), refusal.map(Refusal::code));
    assertEquals(code == RefusalCode.OVERLOADED, refusal.get().againMillis() > 0);
  }

  @Test
  void oneNodeTakesNoMoreOfTheWayThanItLeavesToOthers() {
    Admission admission = new Admission(LIMITS);
    assertTrue(admission.takeToNode(30, 0));
    assertTrue(admission.takeToNode(20, 30));
    assertFalse(admission.takeToNode(10, 50));
    assertTrue(admission.takeToNode(0, 50));
    assertTrue(admission.takeToNode(20, 0));
    assertTrue(admission.takeToNode(10, 20));
    assertEquals(80, admission.held(Stage.TO_NODES));
    admission.giveToNode(80);
    assertEquals(0, admission.held(Stage.TO_NODES));
  }

  @Test
  void aMessageOfAnySizeFitsWhereNothingWaitsForItsNode() {
    Admission admission = new Admission(LIMITS);
    assertTrue(admission.takeToNode(1_000, 0));
    assertFalse(admission.takeToNode(1, 1_000));
    assertTrue(admission.takeToNode(60, 0));
  }

  @Test
  void whatIsTakenByOneIsMissingForAnotherUntilItIsGivenBack() {
    Account first = account();
    Account second = account();
    assertTrue(first.take(Stage.FRAMES, 60).isEmpty());
    assertRefused(RefusalCode.OVERLOADED, second.take(Stage.FRAMES, 41));
    assertTrue(second.take(Stage.FRAMES, 40).isEmpty());
    first.give(Stage.FRAMES, 60);
    assertTrue(second.take(Stage.FRAMES, 60).isEmpty());
    assertEquals(100, admission.held(Stage.FRAMES));
  }

  @Test
  void noStageTakesTheRoomOfAnother() {
    assertTrue(account().take(Stage.FRAMES, 100).isEmpty());
    assertTrue(account().take(Stage.NODE_FRAMES, 100).isEmpty());
  }

  @Test
  void whatCanNeverFitIsTooLarge() {
    assertRefused(RefusalCode.TOO_LARGE, account().take(Stage.FRAMES, 101));
    assertEquals(0, admission.held(Stage.FRAMES));
  }

  @Test
  void oneConnectionDoesNotGetTheWholeRoom() {
    Account one = account();
    assertTrue(one.take(Stage.REQUESTS, 30).isEmpty());
    assertTrue(one.take(Stage.REQUESTS, 20).isEmpty());
    assertRefused(RefusalCode.OVERLOADED, one.take(Stage.REQUESTS, 1));
    assertTrue(account().take(Stage.REQUESTS, 50).isEmpty());
  }

  /** A heap of 384 MiB has room for requests of 32 MiB, and the heaviest takes three quarters. */
  @Test
  void heavyRequestsLeaveRoomToLightOnes() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    Account heavy = node.open(Origin.ofPeer("heavy"));
    Account others = node.open(Origin.ofPeer("others"));
    assertEquals(Optional.empty(), heavy.takeRequest(limits.transactionMax()));
    assertRefused(RefusalCode.OVERLOADED, others.takeRequest(Account.LIGHT_MAX + 1));
    assertEquals(Optional.empty(), others.takeRequest(Account.LIGHT_MAX));
    assertEquals(Optional.empty(), others.takeRequest(200));
    heavy.giveRequest(limits.transactionMax());
    assertEquals(Optional.empty(), others.takeRequest(Account.LIGHT_MAX + 1));
    others.giveRequest(Account.LIGHT_MAX + 1);
    others.giveRequest(Account.LIGHT_MAX);
    others.giveRequest(200);
    for (Stage stage : Stage.values()) {
      assertEquals(0, node.held(stage), stage::toString);
    }
  }

  @Test
  void aConnectionThatHasMuchOfScarceRoomForRequestsGetsNoMore() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    assertEquals(Optional.empty(), node.open(Origin.ofPeer("one")).takeRequest(20 << 20));
    Account many = node.open(Origin.ofPeer("many"));
    int taken = 0;
    while (many.takeRequest(Account.LIGHT_MAX).isEmpty()) {
      taken++;
    }
    assertEquals(32, taken, "2 of 32 MiB");
    assertEquals(
        Optional.empty(), node.open(Origin.ofPeer("third")).takeRequest(Account.LIGHT_MAX));
  }

  private static Account of(Admission node, String peer, String application) {
    Account account = node.open(Origin.ofPeer(peer));
    account.isOf(application);
    return account;
  }

  /** How many light requests connections of an origin get, each its first ones. */
  private static int taken(Admission node, String peer, String application) {
    int taken = 0;
    boolean some = true;
    while (some) {
      some = of(node, peer, application).takeRequest(Account.LIGHT_MAX).isEmpty();
      taken += some ? 1 : 0;
    }
    return taken;
  }

  /** Each connection was within its own bound: those of one program had the whole room. */
  @Test
  void manyConnectionsOfOnePeerLeaveTheOthersTheirShare() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    Account other = of(node, "other", "shop");
    assertEquals(256, taken(node, "greedy", "any"), "half of 32 MiB");
    assertEquals(Optional.empty(), other.takeRequest(Account.LIGHT_MAX));
    assertEquals(255, taken(node, "other", "shop"), "the other half");
  }

  @Test
  void applicationsOfOnePeerShareWhatItHas() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    Account shop = of(node, "here", "shop");
    assertEquals(256, taken(node, "here", "batch"));
    Refusal refusal = of(node, "here", "batch").takeRequest(Account.LIGHT_MAX).orElseThrow();
    assertEquals(RefusalCode.OVERLOADED, refusal.code());
    assertTrue(refusal.detail().contains("the application \"batch\" has"), refusal.detail());
    assertEquals(Optional.empty(), shop.takeRequest(Account.LIGHT_MAX));
  }

  @Test
  void onePeerWithOneApplicationMayHaveAll() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    assertEquals(512, taken(new Admission(limits), "here", "shop"));
  }

  /** A share below that of a connection could be made worthless by names that are invented. */
  @Test
  void noShareIsLessThanWhatOneConnectionMayHave() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    for (int i = 0; i < 1_000; i++) {
      of(node, "here", "invented " + i);
    }
    assertEquals(Optional.empty(), node.open(Origin.ofPeer("x")).takeRequest(20 << 20));
    assertEquals(32, taken(node, "here", "shop"), "2 of 32 MiB");
  }

  @Test
  void whoHasLeftHasNoShareAndWhatItAskedForCountsUntilItIsAnswered() {
    MemoryLimits limits = MemoryLimits.ofHeap(384L << 20);
    Admission node = new Admission(limits);
    Account gone = node.open(Origin.ofPeer("here"));
    assertEquals(Optional.empty(), gone.takeRequest(100));
    gone.isOf("shop");
    gone.giveRequest(100);
    assertEquals(1, node.shares().peers());
    assertThrows(Check.Failed.class, () -> gone.isOf("another"));
    gone.end();
    gone.end();
    assertEquals(0, node.shares().peers());
    assertEquals(512, taken(node, "there", "shop"));
  }

  @Test
  void ofIpv6TheFirstHalfIsAnAddress() throws Exception {
    InetAddress four = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    assertEquals("127.0.0.1", Origin.ofAddress(four).peer());
    byte[] six = {32, 1, 13, -72, 0, 0, 0, 1, -1, -1, 0, 0, 0, 0, 0, 7};
    assertEquals(
        "2001:0db8:0000:0001::/64", Origin.ofAddress(InetAddress.getByAddress(six)).peer());
  }

  @Test
  void halfOfTheRoomIsScarce() {
    Account one = account();
    one.hold(Stage.ANSWERS, 49);
    assertFalse(one.isScarce(Stage.ANSWERS));
    one.hold(Stage.ANSWERS, 1);
    assertTrue(one.isScarce(Stage.ANSWERS));
    assertTrue(admission.hasRoomForAnswers(49));
    assertFalse(admission.hasRoomForAnswers(50));
  }

  @Test
  void noMoreIsGivenBackThanWasTaken() {
    assertThrows(Check.Failed.class, () -> account().give(Stage.FRAMES, 1));
  }

  @Test
  void largeHeapsTakeEveryTransactionAndSmallOnesKeepTheirRooms() {
    assertTrue(MemoryLimits.ofHeap(8L << 30).takesAll());
    for (long heap : new long[] {64L << 20, 384L << 20, 1L << 30, 8L << 30}) {
      MemoryLimits limits = MemoryLimits.ofHeap(heap);
      long together =
          limits.framesMax() + limits.requestsMax() + limits.answersMax() + limits.nodeFramesMax();
      assertTrue(together <= heap / 2, limits::toString);
      assertTrue(limits.transactionMax() <= limits.requestsMax(), limits::toString);
      assertTrue(limits.clientFrameMax() >= Math.min(limits.transactionMax(), 64L << 20));
      assertTrue(limits.clientFrameMax() <= limits.framesMax() + (1 << 20), limits::toString);
      long large = limits.max(Stage.LARGE_FRAMES);
      assertTrue(limits.clientFrameMax() <= large, limits::toString);
      assertTrue(large <= limits.framesMax() - (256 << 10), limits::toString);
    }
  }
}
