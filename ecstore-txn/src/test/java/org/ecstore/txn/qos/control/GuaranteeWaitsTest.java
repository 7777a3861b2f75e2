package org.ecstore.txn.qos.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.ecstore.core.port.Provisioner;
import org.ecstore.id.NodeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.control.NodeLoad;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.txn.message.TxnMessage.ApplicationCount;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;
import org.ecstore.txn.message.TxnMessage.NodeLoadNews;
import org.ecstore.txn.steward.decision.Decision;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A guarantee stands for good: until it is known whether it can be given it waits. */
class GuaranteeWaitsTest extends ControlledPair {
  /** Of such nodes, which do a read in 5 ms, and one each millisecond. */
  private static final String TABLE =
      """
      # engine: sim
      # class: small
      # capacity: all
      # build: 1
      # reads-percent: 100
      clients,servers,ms,MB/s
      1,2,5.5,1
      16,2,13,1
      32,2,21,1
      """;

  GuaranteeWaitsTest() {
    super(ControlTiming.DEFAULT, Provisioner.NONE);
  }

  /** The shop is promised 1,000 operations a second, and nodes have told of themselves. */
  @BeforeEach
  void aGuaranteeStands() {
    lead();
    assertEquals(Outcome.DONE, asked(guaranteed("shop", 1_000)).outcome());
    told(FIRST);
    told(SECOND_NODE);
    assertEquals(Outcome.REFUSED, asked(guaranteed("mail", 1_000_000)).outcome());
  }

  /** As above, with 400 operations a second of the shop and 1,000 of applications without. */
  private void toldOfOthers(NodeId node) {
    controller.told(
        node,
        new NodeLoadNews(
            new NodeLoad(400, 0, 0, 0, 0),
            List.of(new ApplicationCount("shop", 2_000), new ApplicationCount("", 5_000))));
  }

  /** As above; of what nodes take so many operations in five seconds are of each of these. */
  private void told(NodeId node, Map<String, Long> counts) {
    controller.told(
        node,
        new NodeLoadNews(
            new NodeLoad(400, 0, 0, 0, 0),
            counts.entrySet().stream()
                .map(one -> new ApplicationCount(one.getKey(), one.getValue()))
                .toList()));
  }

  /** Its clients have had so many operations in half a minute, which took so long. */
  private void served(String application, long operations, long millis) {
    served(application, "", operations, millis);
  }

  private void served(String application, String table, long operations, long millis) {
    long[] counts = new long[LatencySketch.INTERVALS];
    counts[LatencySketch.interval(1_000_000 * millis)] = operations;
    objectives.served(
        List.of(
            new ApplicationSample(
                application,
                new ServiceSample(table, 0, 0, 1_000_000 * millis, LatencySketch.of(counts)))));
  }

  /**
   * 2,800 operations a second keep nodes busy to 40 %, of which 9 are what they use without
   * clients. So 6,412 do to 80: less 1,000 that are promised to the shop, and 2,000 of applications
   * without an objective.
   */
  @Test
  void whatNothingCanLimitIsUsed() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    Decision more = asked(guaranteed("mail", 3_413));
    assertEquals(Outcome.REFUSED, more.outcome(), more::toString);
    assertTrue(
        more.detail()
            .contains(
                "and 2000/s are of applications without an objective, which cannot be limited"),
        more::toString);
    assertTrue(more.detail().contains("a rate of 3412/s would fit"), more::toString);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 3_412)).outcome());
  }

  /** The 2,000 are its own clients': they are not counted twice. */
  @Test
  void whatItsClientsHaveAlreadyIsNotCountedTwice() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    served("mail", 60_000, 5);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 5_412)).outcome());
  }

  /**
   * Mail has 1,000 a second of letters, for which it stands, and 1,000 of files, which nodes count
   * as those of no objective: beside it there is nothing that is of none.
   */
  @Test
  void whatItHasOfTablesThatItTakesAsWellIsNotCountedTwice() {
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 100).tables("letters")).outcome());
    for (NodeId node : List.of(FIRST, SECOND_NODE)) {
      told(node, Map.of("shop", 2_000L, "mail", 2_500L, "", 2_500L));
    }
    served("mail", "letters", 30_000, 5);
    served("mail", "files", 30_000, 5);
    Objective both = guaranteed("mail", 5_412).tables("letters", "files");
    Decision asked = asked(both);
    assertEquals(Outcome.DONE, asked.outcome(), asked::toString);
  }

  /** Mail has had 2,000 a second, and has nothing now: the 2,000 of others are none of it. */
  @Test
  void whatItHadBeforeIsNotTakenOffThatOfOthers() {
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 100)).outcome());
    for (NodeId node : List.of(FIRST, SECOND_NODE)) {
      told(node, Map.of("shop", 2_000L, "mail", 0L, "", 5_000L));
    }
    served("mail", 60_000, 5);
    Decision more = asked(guaranteed("mail", 3_413));
    assertEquals(Outcome.REFUSED, more.outcome(), more::toString);
    assertTrue(more.detail().contains("a rate of 3412/s would fit"), more::toString);
  }

  /** Nodes do not know of the wiki yet, and count what it has among what has no objective. */
  @Test
  void whatNodesDoNotKnowOfYetIsNotCountedTwice() {
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    served("wiki", 60_000, 5);
    assertEquals(Outcome.DONE, asked(guaranteed("wiki", 2_000)).outcome());
    Decision more = asked(guaranteed("mail", 3_413));
    assertEquals(Outcome.REFUSED, more.outcome(), more::toString);
    assertTrue(more.detail().contains("3000/s are promised to others: with this"), more::toString);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 3_412)).outcome());
  }

  /**
   * Nodes say no more what they take: what they said last counts for nothing. Two serve 30 clients
   * in 20 ms by the table.
   */
  @Test
  void whatNodesSaidWhileSomethingWasPromisedIsOver() {
    requests++;
    long used = controller.tables().add(new AdminRequest.UseTable("reads", TABLE, 1), requests);
    toldOfOthers(FIRST);
    toldOfOthers(SECOND_NODE);
    requests++;
    long removed = objectives.add(new AdminRequest.RemoveObjective("shop", 1), requests);
    look();
    assertEquals(Outcome.DONE, decisions.of(used).outcome(), () -> decisions.all().toString());
    assertEquals(Outcome.DONE, decisions.of(removed).outcome());
    Objective thirty =
        Objective.guaranteed("mail").mean(Duration.ofMillis(20)).clients(30).reads(100);
    assertEquals(Outcome.REFUSED, asked(thirty).outcome());
    nanos += 60 * SECOND;
    controller.tick();
    settle();
    Decision asked = asked(thirty);
    assertEquals(Outcome.DONE, asked.outcome(), asked::toString);
    assertTrue(asked.detail().contains("by table reads: 30 clients on 2 nodes"), asked::toString);
  }

  /** The shop has 50 ms of 20, there is nothing to limit, and nothing starts nodes. */
  @Test
  void whereNothingHelpsItIsSaidWhatCouldBeLimited() {
    for (int check = 0; check < 2 * ControlTiming.DEFAULT.window(); check++) {
      nanos += 30 * SECOND;
      toldOfOthers(FIRST);
      toldOfOthers(SECOND_NODE);
      served("shop", 24_000, 50);
      controller.tick();
      settle();
    }
    List<Decision> about =
        decisions.all().stream()
            .filter(one -> one.what().equals("keep the objective of shop"))
            .toList();
    assertFalse(about.isEmpty(), () -> decisions.all().toString());
    assertTrue(
        about
            .getFirst()
            .detail()
            .endsWith(
                "; 2000/s are of applications without an objective: state one of best effort,"
                    + " which can be limited"),
        about::toString);
  }

  private void isNotSaidYet(Decision asked, String why) {
    assertEquals(Outcome.UNDER_WAY, asked.outcome(), asked::toString);
    assertTrue(asked.detail().contains(why), asked::toString);
  }

  private Decision now(Decision asked) {
    look();
    return decisions.of(asked.number());
  }

  @Test
  void whileTheMapIsBeingChangedNothingIsAccepted() {
    isMapKnown = false;
    Decision asked = asked(guaranteed("mail", 1_000_000));
    isNotSaidYet(asked, "the map");
    isNotSaidYet(now(asked), "the map");
    Decision fits = asked(guaranteed("mail", 10));
    isMapKnown = true;
    assertEquals(Outcome.REFUSED, now(asked).outcome());
    assertEquals(Outcome.DONE, now(fits).outcome());
  }

  @Test
  void whoComesToLeadHearsAllNodesFirst() {
    lead();
    Decision asked = asked(guaranteed("mail", 1_000_000));
    isNotSaidYet(asked, "n1, n2 have not said yet");
    told(FIRST);
    isNotSaidYet(now(asked), "n2 has not said yet");
    told(SECOND_NODE);
    assertEquals(Outcome.REFUSED, now(asked).outcome());
  }

  /** What cannot be said within a minute is not accepted either. */
  @Test
  void whatIsNotKnownInTimeIsPutOff() {
    lead();
    told(FIRST);
    Decision asked = asked(guaranteed("mail", 10));
    nanos += 59 * SECOND;
    isNotSaidYet(now(asked), "n2 has not said yet");
    nanos += 2 * SECOND;
    Decision over = now(asked);
    assertEquals(Outcome.PUT_OFF, over.outcome(), over::toString);
    assertTrue(over.detail().endsWith(": try again"), over::toString);
    told(SECOND_NODE);
    assertEquals(Outcome.DONE, asked(guaranteed("mail", 10)).outcome());
  }

  /** It takes nothing of others that is promised to them. */
  @Test
  void whatIsNoGuaranteeDoesNotWait() {
    isMapKnown = false;
    assertEquals(Outcome.DONE, asked(Objective.bestEffort("reports")).outcome());
    assertEquals(Outcome.DONE, asked(guaranteed("shop", 900)).outcome());
  }
}
