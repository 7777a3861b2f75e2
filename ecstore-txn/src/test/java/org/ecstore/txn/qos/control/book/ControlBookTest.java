package org.ecstore.txn.qos.control.book;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.control.ActionKind;
import org.ecstore.model.control.ActionStage;
import org.ecstore.model.control.ControlAction;
import org.ecstore.model.control.ControlMode;
import org.ecstore.model.control.ControlSettings;
import org.ecstore.txn.qos.control.book.ControlBook.HotThreshold;
import org.ecstore.txn.qos.control.book.ControlPast.Helpless;
import org.ecstore.wire.MalformedMessageException;
import org.junit.jupiter.api.Test;

class ControlBookTest {
  private final ControlBookForm form = new ControlBookForm();

  private static ControlAction action(
      long number, ActionKind kind, ActionStage stage, long perSecond) {
    boolean isOfNode = kind == ActionKind.ADD_NODE || kind == ActionKind.REMOVE_NODE;
    return new ControlAction(
        number,
        kind,
        "shop",
        perSecond > 0 ? "reports" : "",
        isOfNode ? Optional.of(new NodeId(3 + number)) : Optional.empty(),
        perSecond,
        "why",
        5,
        4,
        stage,
        0,
        "");
  }

  private static ControlBook over(ControlBook book, ActionKind kind, ActionStage stage) {
    ControlBook begun = book.begun(action(book.nextNumber(), kind, ActionStage.UNDER_WAY, 0));
    return begun.moved(begun.current().orElseThrow().at(stage, "over"));
  }

  @Test
  void oneActionIsNotOver() {
    ControlBook book = ControlBook.EMPTY;
    assertEquals(Optional.empty(), book.current());
    assertEquals(1, book.nextNumber());
    ControlBook begun = book.begun(action(1, ActionKind.LIMIT, ActionStage.UNDER_WAY, 200));
    assertEquals(1, begun.current().orElseThrow().number());
    assertEquals(200, begun.cap("reports").orElseThrow().perSecond());
    assertEquals(2, begun.nextNumber());
    ControlBook done = begun.moved(begun.current().orElseThrow().measured(3, "kept"));
    assertEquals(Optional.empty(), done.current());
    assertEquals(200, done.cap("reports").orElseThrow().perSecond());
    assertEquals(List.of(), done.withoutCaps(List.of("reports")).caps());
  }

  /** All applications of best effort share by one cap: another one takes its place. */
  @Test
  void thereIsOneCap() {
    ControlBook before =
        new ControlBook(
            ControlSettings.DEFAULT,
            List.of(new ControlBook.Cap("reports", 500, 1), new ControlBook.Cap("logs", 7, 2)),
            List.of(),
            0,
            ControlPatience.FIRST,
            HotThreshold.CONFIGURED,
            List.of());
    ControlBook limited = before.begun(action(1, ActionKind.LIMIT, ActionStage.UNDER_WAY, 200));
    assertEquals(List.of(new ControlBook.Cap("reports", 200, 0)), limited.caps());
    ControlBook done = limited.moved(limited.current().orElseThrow().measured(3, "kept"));
    ControlBook released = done.begun(action(2, ActionKind.RELEASE, ActionStage.UNDER_WAY, 400));
    assertEquals(List.of(new ControlBook.Cap("reports", 400, 0)), released.caps());
    done = released.moved(released.current().orElseThrow().measured(3, "kept"));
    ControlBook gone = done.begun(action(3, ActionKind.RELEASE, ActionStage.UNDER_WAY, 0));
    assertEquals(List.of(), gone.caps());
  }

  @Test
  void whatIsProposedHasNoEffectUntilItIsApproved() {
    ControlBook book = ControlBook.EMPTY.with(new ControlSettings(ControlMode.ASK, 5, 0));
    ControlBook proposed = book.begun(action(1, ActionKind.ADD_NODE, ActionStage.PROPOSED, 0));
    assertEquals(List.of(), proposed.added());
    assertTrue(proposed.proposed(1).isPresent());
    assertFalse(proposed.proposed(2).isPresent());
    ControlBook approved =
        proposed.moved(proposed.current().orElseThrow().at(ActionStage.UNDER_WAY, "approved"));
    assertEquals(List.of(new NodeId(4)), approved.added());
    assertEquals(4, approved.lastNode());
    assertFalse(approved.proposed(1).isPresent());
  }

  private static ControlBook failedToGo(ControlBook book, NodeId node) {
    return ordered(book, node, ActionStage.FAILED);
  }

  /** A node that is ordered away. */
  private static ControlBook ordered(ControlBook book, NodeId node, ActionStage end) {
    ControlAction remove =
        new ControlAction(
            book.nextNumber(),
            ActionKind.REMOVE_NODE,
            "shop",
            "",
            Optional.of(node),
            0,
            "why",
            5,
            4,
            ActionStage.UNDER_WAY,
            0,
            "");
    return book.begun(remove).moved(remove.at(end, "over"));
  }

  /** The newest first; one that cannot go comes after the others, and not never. */
  @Test
  void aNodeThatCannotGoKeepsNoOther() {
    ControlBook book = ControlBook.EMPTY;
    for (int i = 0; i < 3; i++) {
      book = over(book, ActionKind.ADD_NODE, ActionStage.DONE);
    }
    List<NodeId> added = book.added();
    assertEquals(3, added.size());
    assertFalse(book.hasFailedToGo(added.get(2)));
    for (int round = 0; round < 2; round++) {
      for (NodeId node : added.reversed()) {
        assertEquals(Optional.of(node), book.nextToGo(_ -> true));
        book = failedToGo(book, node);
        assertTrue(book.hasFailedToGo(node));
      }
    }
    assertEquals(Optional.of(added.get(1)), book.nextToGo(added.get(1)::equals));
    assertEquals(Optional.empty(), book.nextToGo(_ -> false));
  }

  @Test
  void whatWasTakenBackTooSoonTakesTwiceAsLong() {
    ControlBook book = over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE);
    assertEquals(1, book.patience().windows());
    book =
        over(
            over(book, ActionKind.REMOVE_NODE, ActionStage.DONE),
            ActionKind.ADD_NODE,
            ActionStage.DONE);
    assertEquals(2, book.patience().windows());
    for (int i = 0; i < 10; i++) {
      book = over(book, ActionKind.REMOVE_NODE, ActionStage.DONE);
      book = over(book, ActionKind.ADD_NODE, ActionStage.DONE);
    }
    assertEquals(ControlPatience.WINDOWS_MAX, book.patience().windows());
    assertEquals(
        ControlPatience.FIRST, book.with(new ControlSettings(ControlMode.ACT, 5, 0)).patience());
  }

  /**
   * It was not there: that it is ordered away takes nothing back, and another is no sign of haste.
   */
  @Test
  void aNodeThatNeverCameIsNotTakenBack() {
    ControlBook book = ControlBook.EMPTY;
    for (int i = 0; i < 5; i++) {
      book = over(book, ActionKind.ADD_NODE, ActionStage.FAILED);
      book = ordered(book, book.added().getLast(), ActionStage.DONE);
    }
    book = over(book, ActionKind.ADD_NODE, ActionStage.DONE);
    assertEquals(1, book.patience().windows());
  }

  private static ControlBook swung(ControlBook book, int times) {
    ControlBook with = book;
    for (int i = 0; i < times; i++) {
      with = over(with, ActionKind.REMOVE_NODE, ActionStage.DONE);
      with = over(with, ActionKind.ADD_NODE, ActionStage.DONE);
    }
    return with;
  }

  private static ControlBook notNeeded(ControlBook book, int windows) {
    ControlBook with = book;
    for (int i = 0; i < windows; i++) {
      with = with.notNeeded(ControlPatience.PROOF);
    }
    return with;
  }

  @Test
  void whatWasNotNeededForLongTakesHalfAsLongTheNextTime() {
    ControlBook added = swung(over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE), 3);
    assertEquals(new ControlPatience(8, 0), added.patience());
    assertEquals(added, added.notNeeded(ControlPatience.PROOF), "nothing was taken back since");
    ControlBook removed = over(added, ActionKind.REMOVE_NODE, ActionStage.DONE);
    ControlBook nearly = notNeeded(removed, ControlPatience.PROOF - 1);
    assertEquals(new ControlPatience(8, 15), nearly.patience());
    ControlBook tooSoon = over(nearly, ActionKind.ADD_NODE, ActionStage.DONE);
    assertEquals(new ControlPatience(16, 0), tooSoon.patience());
    ControlBook proven = notNeeded(nearly, 1);
    assertEquals(new ControlPatience(4, 16), proven.patience());
    assertEquals(proven, notNeeded(proven, 100), "once for what is taken back");
    ControlBook again = over(proven, ActionKind.ADD_NODE, ActionStage.DONE);
    assertEquals(new ControlPatience(4, 0), again.patience(), "it was not taken back too soon");
  }

  @Test
  void whatIsTakenBackNextIsProvenAnew() {
    ControlBook added = swung(over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE), 2);
    ControlBook proven = notNeeded(over(added, ActionKind.REMOVE_NODE, ActionStage.DONE), 16);
    assertEquals(new ControlPatience(2, 16), proven.patience());
    ControlBook moved = over(proven, ActionKind.REBALANCE, ActionStage.DONE);
    assertEquals(proven.patience(), moved.patience());
    ControlBook next = over(moved, ActionKind.REMOVE_NODE, ActionStage.DONE);
    assertEquals(new ControlPatience(2, 0), next.patience());
    ControlBook first = notNeeded(next, 16);
    assertEquals(new ControlPatience(1, 16), first.patience());
    ControlBook least = over(first, ActionKind.REMOVE_NODE, ActionStage.DONE);
    assertEquals(least, notNeeded(least, 16), "it cannot become less");
  }

  /**
   * However a load comes and goes: nine actions, and four in 16 windows. The time is that in which
   * something waits to be taken back, and is not needed.
   */
  @Test
  void actionsAreFewHoweverALoadSwings() {
    for (int seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      int often = random.nextInt(100);
      ControlBook book = over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE);
      int windows = 0;
      for (int i = 0; i < 200; i++) {
        int away = random.nextInt(100) < often ? random.nextInt(16) : 16;
        windows += book.patience().windows() + away;
        book = notNeeded(over(book, ActionKind.REMOVE_NODE, ActionStage.DONE), away);
        book = over(book, ActionKind.ADD_NODE, ActionStage.DONE);
        long actions = book.nextNumber() - 1;
        int passed = windows;
        assertTrue(actions <= 9 + passed / 4, () -> actions + " actions in " + passed + " windows");
      }
    }
  }

  @Test
  void proofComesBackAndIsForgottenWhereTheBookIsFrozen() {
    ControlBook added = swung(over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE), 1);
    ControlBook removed = over(added, ActionKind.REMOVE_NODE, ActionStage.DONE);
    assertEquals(1, form.encode(removed).at(0), "as earlier releases read it");
    ControlBook counted = notNeeded(removed, 3);
    assertEquals(new ControlPatience(2, 3), counted.patience());
    assertEquals(counted, form.decode(form.encode(counted)));
    assertEquals(2, form.encode(counted).at(0));
    ControlBook frozen = counted.with(new ControlSettings(ControlMode.FREEZE, 5, 0));
    assertEquals(ControlPatience.FIRST, frozen.patience());
    assertEquals(1, form.encode(frozen).at(0));
  }

  @Test
  void nodesThatWereAskedForAreKnownByTheirNumbers() {
    ControlBook book = over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.FAILED);
    assertEquals(List.of(new NodeId(4)), book.added());
    ControlBook without = book.without(new NodeId(4));
    assertEquals(List.of(), without.added());
    assertEquals(4, without.lastNode());
  }

  @Test
  void bytesComeBack() {
    ControlBook book = over(ControlBook.EMPTY, ActionKind.ADD_NODE, ActionStage.DONE);
    book = book.begun(action(2, ActionKind.LIMIT, ActionStage.UNDER_WAY, 7));
    assertEquals(book, form.decode(form.encode(book)));
    assertEquals(1, form.encode(book).at(0), "as earlier releases read it");
    ControlBook weighed = book.weighed(Map.of("reports", 3));
    assertEquals(3, weighed.cap("reports").orElseThrow().weight());
    assertEquals(weighed, form.decode(form.encode(weighed)));
    Bytes wrong = Bytes.of(9);
    assertThrows(MalformedMessageException.class, () -> form.decode(wrong));
  }

  @Test
  void whatHasBroughtNothingIsNotDoneTwiceInARow() {
    ControlBook begun =
        ControlBook.EMPTY.begun(action(1, ActionKind.REBALANCE, ActionStage.UNDER_WAY, 0));
    ControlAction current = begun.current().orElseThrow();
    assertFalse(begun.moved(current.measured(5, "as before")).mayRebalance());
    ControlBook gained = begun.moved(current.measured(3, "less"));
    assertTrue(gained.mayRebalance());
    ControlBook inVain = begun.moved(current.measured(0, "no load"));
    assertFalse(inVain.mayRebalance());
    assertTrue(over(inVain, ActionKind.ADD_NODE, ActionStage.FAILED).mayRebalance());
  }

  /** Moved primaries and a lower threshold: each is tried once in vain, until anything else is. */
  @Test
  void neitherOfTwoIsTriedAgainAfterBoth() {
    ControlBook book = over(ControlBook.EMPTY, ActionKind.REBALANCE, ActionStage.DONE);
    assertTrue(book.mayLowerThreshold());
    book = over(book, ActionKind.LOWER_THRESHOLD, ActionStage.DONE);
    assertFalse(book.mayLowerThreshold());
    assertFalse(book.mayRebalance());
    book = over(book, ActionKind.ADD_NODE, ActionStage.DONE);
    assertTrue(book.mayLowerThreshold());
    assertTrue(book.mayRebalance());
  }

  /** A limit that brought nothing is not the first thing to try, until anything else is done. */
  @Test
  void aLimitInVainIsNotTheFirstThingAgain() {
    ControlBook begun =
        ControlBook.EMPTY.begun(action(1, ActionKind.LIMIT, ActionStage.UNDER_WAY, 100));
    ControlAction current = begun.current().orElseThrow();
    assertFalse(begun.moved(current.measured(5, "as before")).mayLimit());
    assertTrue(begun.moved(current.measured(3, "less")).mayLimit());
    ControlBook inVain = begun.moved(current.measured(5, "as before"));
    assertFalse(over(inVain, ActionKind.REBALANCE, ActionStage.DONE).mayLimit());
    assertTrue(over(inVain, ActionKind.ADD_NODE, ActionStage.DONE).mayLimit());
  }

  /** By an operator, or as it was no longer needed. */
  @Test
  void whatWasWithdrawnWasNotDone() {
    ControlBook book = ControlBook.EMPTY.with(new ControlSettings(ControlMode.ASK, 5, 0));
    book = book.begun(action(1, ActionKind.REBALANCE, ActionStage.PROPOSED, 0));
    book = book.moved(book.current().orElseThrow().at(ActionStage.WITHDRAWN, "rejected"));
    assertTrue(book.mayRebalance(), "it was not tried");
    book = over(book, ActionKind.REBALANCE, ActionStage.DONE);
    assertFalse(book.mayRebalance());
    book = book.begun(action(3, ActionKind.ADD_NODE, ActionStage.PROPOSED, 0));
    book = book.moved(book.current().orElseThrow().at(ActionStage.WITHDRAWN, "rejected"));
    assertFalse(book.mayRebalance(), "nothing was done since");
  }

  @Test
  void theThresholdIsKeptUntilItIsRaised() {
    ControlBook lowered =
        ControlBook.EMPTY
            .begun(action(1, ActionKind.LOWER_THRESHOLD, ActionStage.UNDER_WAY, 225))
            .uneven(2_000);
    assertEquals(new HotThreshold(225, 2_000), lowered.hotThreshold());
    assertEquals(lowered, form.decode(form.encode(lowered)));
    assertEquals(2, form.encode(lowered).at(0));
    ControlBook more =
        lowered
            .moved(lowered.current().orElseThrow().measured(3, "kept"))
            .begun(action(2, ActionKind.LOWER_THRESHOLD, ActionStage.UNDER_WAY, 100))
            .uneven(1_500);
    assertEquals(new HotThreshold(100, 2_000), more.hotThreshold(), "it was more uneven before");
    ControlBook raised = over(more, ActionKind.RAISE_THRESHOLD, ActionStage.DONE);
    assertEquals(HotThreshold.CONFIGURED, raised.hotThreshold());
    assertEquals(raised, raised.uneven(2_000));
    assertEquals(2, form.encode(raised).at(0), "earlier releases know no such actions");
    assertEquals(raised, form.decode(form.encode(raised)));
    ControlBook again = over(raised, ActionKind.REBALANCE, ActionStage.DONE);
    again = again.begun(action(5, ActionKind.LOWER_THRESHOLD, ActionStage.UNDER_WAY, 225));
    assertEquals(2, again.patience().windows());
  }

  @Test
  void aProposedThresholdIsNotKept() {
    ControlBook book = ControlBook.EMPTY.with(new ControlSettings(ControlMode.ASK, 5, 0));
    ControlBook proposed =
        book.begun(action(1, ActionKind.LOWER_THRESHOLD, ActionStage.PROPOSED, 225));
    assertEquals(HotThreshold.CONFIGURED, proposed.hotThreshold());
    ControlBook approved =
        proposed.moved(proposed.current().orElseThrow().at(ActionStage.UNDER_WAY, "approved"));
    assertEquals(225, approved.hotThreshold().perSecond());
  }

  /** What an earlier release cannot read is forgotten where an upgrade, or the way back, begins. */
  @Test
  void thePastIsKeptUntilTheBookIsFrozen() {
    ControlAction first = action(1, ActionKind.REBALANCE, ActionStage.UNDER_WAY, 0);
    ControlBook book = ControlBook.EMPTY.begun(first, 77_000);
    book = book.moved(first.at(ActionStage.DONE, "over"));
    book = book.with(new Helpless("shop", 78_000, "violated", "nothing helps"));
    book = book.with(new Helpless("mail", 79_000, "violated", "nothing helps"));
    book = book.with(new Helpless("shop", 80_000, "violated", "nothing helps"));
    assertEquals(77_000, book.past().begunMillis(1));
    assertEquals(0, book.past().begunMillis(2));
    assertEquals(
        List.of("mail", "shop"),
        book.past().helpless().stream().map(Helpless::application).toList());
    assertEquals(2, form.encode(book).at(0));
    assertEquals(book, form.decode(form.encode(book)));
    assertEquals(book.past(), book.with(new ControlSettings(ControlMode.ACT, 5, 0)).past());
    ControlBook frozen = book.with(new ControlSettings(ControlMode.FREEZE, 5, 0));
    assertEquals(ControlPast.NONE, frozen.past());
    assertEquals(1, form.encode(frozen).at(0));
    assertEquals(book.actions(), frozen.actions());
  }

  @Test
  void timesOfActionsThatAreForgottenAreForgotten() {
    ControlBook book = ControlBook.EMPTY;
    for (int i = 1; i <= 300; i++) {
      ControlAction next = action(i, ActionKind.REBALANCE, ActionStage.UNDER_WAY, 0);
      book = book.begun(next, i).moved(next.at(ActionStage.DONE, "over"));
      book = book.with(new Helpless("app" + i, i, "violated", "nothing helps"));
    }
    assertEquals(ControlBook.ACTIONS_MAX, book.past().begunMillis().size());
    assertEquals(300, book.past().begunMillis(300));
    assertEquals(ControlPast.HELPLESS_MAX, book.past().helpless().size());
    assertEquals(book, form.decode(form.encode(book)));
  }

  @Test
  void onlySoManyActionsAreKept() {
    ControlBook book = ControlBook.EMPTY;
    for (int i = 0; i < 300; i++) {
      book = over(book, ActionKind.REBALANCE, ActionStage.DONE);
    }
    assertEquals(ControlBook.ACTIONS_MAX, book.actions().size());
    assertEquals(301, book.nextNumber());
    assertTrue(form.encode(book).length() < 64 << 10);
  }

  @Test
  void pricesAreWrittenOut() {
    assertEquals(
        "act, with 5 nodes and 9999999999 an hour at most",
        ControlText.of(new ControlSettings(ControlMode.ACT, 5, 9_999_999_999_000L)));
    assertEquals(
        "act, with 5 nodes and 0.3 an hour at most",
        ControlText.of(new ControlSettings(ControlMode.ACT, 5, 300)));
  }
}
