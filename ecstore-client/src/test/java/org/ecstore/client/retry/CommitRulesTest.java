package org.ecstore.client.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.error.ConflictException;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.OverloadedException;
import org.ecstore.client.fake.FakeStore;
import org.ecstore.client.retry.CommitRules.Step;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AbortReason;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.junit.jupiter.api.Test;

class CommitRulesTest {
  private static final ReadPoint POINT = new ReadPoint(new Position(7), new MapVersion(3));
  private static final Backoff BACKOFF = new Backoff(10, 1000);
  private static final long DEADLINE = 10_000_000_000L;

  /** What an answer to a commit says of the commit. */
  private enum Meaning {
    COMMITTED,
    NEVER,
    /** It did nothing and never will, for a reason that passes. */
    NOT_THIS_TIME,
    NOTHING_DONE,
    IN_DOUBT,
    ENDED
  }

  private static Answer replied(ClientReply reply) {
    return new Answer.Replied(reply);
  }

  private static Answer aborted(AbortReason reason) {
    return replied(new ClientReply.Aborted(reason, POINT));
  }

  private static Answer refused(RefusalCode code) {
    return replied(new ClientReply.Refused(code, "why"));
  }

  private static final AbortReason CONFLICT =
      new AbortReason.Conflict(
          new RangeId(1), KeyRange.single(Bytes.utf8("k")), Optional.empty(), Optional.empty());

  private static Map<Answer, Meaning> toCommit() {
    Map<Answer, Meaning> answers = new LinkedHashMap<>();
    answers.put(replied(new ClientReply.Committed(new Position(7), POINT)), Meaning.COMMITTED);
    answers.put(aborted(CONFLICT), Meaning.NEVER);
    answers.put(aborted(new AbortReason.TooOld(new Position(5))), Meaning.NEVER);
    answers.put(aborted(new AbortReason.RangeChanged(new RangeId(1))), Meaning.NOT_THIS_TIME);
    answers.put(aborted(new AbortReason.SettledByAsker()), Meaning.NOT_THIS_TIME);
    answers.put(aborted(new AbortReason.NotReachable("n2")), Meaning.NOT_THIS_TIME);
    answers.put(refused(RefusalCode.SNAPSHOT_TOO_OLD), Meaning.NEVER);
    answers.put(refused(RefusalCode.TOO_LARGE), Meaning.NEVER);
    answers.put(refused(RefusalCode.OVER_QUOTA), Meaning.NEVER);
    answers.put(refused(RefusalCode.BAD_REQUEST), Meaning.NEVER);
    answers.put(refused(RefusalCode.UNAVAILABLE), Meaning.NOTHING_DONE);
    answers.put(refused(RefusalCode.OVERLOADED), Meaning.NOTHING_DONE);
    answers.put(replied(new ClientReply.WrongRange(List.of())), Meaning.NOTHING_DONE);
    answers.put(new Answer.NotSent("no route"), Meaning.NOTHING_DONE);
    answers.put(new Answer.NoReply("lost"), Meaning.IN_DOUBT);
    answers.put(replied(new ClientReply.OutcomeUnknown("slow ledger")), Meaning.IN_DOUBT);
    answers.put(replied(new ClientReply.OutcomeExpired(new Position(9))), Meaning.IN_DOUBT);
    answers.put(replied(new ClientReply.Values(List.of(), FakeStore.SOURCE)), Meaning.IN_DOUBT);
    answers.put(new Answer.Ended("closed"), Meaning.ENDED);
    return answers;
  }

  private static Map<Answer, Meaning> toQuestion() {
    Map<Answer, Meaning> answers = new LinkedHashMap<>();
    toCommit()
        .forEach(
            (answer, meaning) ->
                answers.put(answer, meaning == Meaning.NOTHING_DONE ? Meaning.IN_DOUBT : meaning));
    answers.put(refused(RefusalCode.SNAPSHOT_TOO_OLD), Meaning.IN_DOUBT);
    answers.put(refused(RefusalCode.TOO_LARGE), Meaning.IN_DOUBT);
    answers.put(refused(RefusalCode.OVER_QUOTA), Meaning.IN_DOUBT);
    answers.put(refused(RefusalCode.BAD_REQUEST), Meaning.IN_DOUBT);
    answers.put(replied(new ClientReply.OutcomeExpired(new Position(9))), Meaning.ENDED);
    return answers;
  }

  private static CommitRules rules() {
    return new CommitRules(BACKOFF, new Deadline(DEADLINE));
  }

  @Test
  void everyAnswerToACommitLeadsToTheStepThatItsMeaningAllows() {
    toCommit()
        .forEach(
            (answer, meaning) ->
                checkStep(answer, meaning, rules().onCommit(answer, 0, 0.5), true));
  }

  @Test
  void everyAnswerToAQuestionLeadsToTheStepThatItsMeaningAllows() {
    for (Answer doubt : List.of(new Answer.NoReply("lost"))) {
      toQuestion()
          .forEach(
              (answer, meaning) -> {
                CommitRules rules = rules();
                assertInstanceOf(Step.Ask.class, rules.onCommit(doubt, 0, 0.5));
                checkStep(answer, meaning, rules.onOutcome(answer, 0, 0.5), false);
              });
    }
  }

  private static void checkStep(Answer answer, Meaning meaning, Step step, boolean toCommit) {
    Class<? extends Step> expected =
        switch (meaning) {
          case COMMITTED -> Step.Committed.class;
          case NEVER -> Step.NotCommitted.class;
          case NOT_THIS_TIME -> Step.SendAgain.class;
          case NOTHING_DONE -> toCommit ? Step.SendAgain.class : Step.Ask.class;
          case IN_DOUBT -> Step.Ask.class;
          case ENDED -> Step.Unknown.class;
        };
    assertInstanceOf(expected, step, () -> "after " + answer);
  }

  /** All dialogues of up to four answers: once in doubt, only a durable record or time ends it. */
  @Test
  void onceInDoubtNothingIsSentAgain() {
    List<Answer> commits = new ArrayList<>(toCommit().keySet());
    Map<Answer, Meaning> meanings = toQuestion();
    List<Answer> questions = new ArrayList<>(meanings.keySet());
    long dialogues = 0;
    for (Answer first : commits) {
      for (Answer second : commits) {
        for (Answer third : questions) {
          for (Answer fourth : questions) {
            play(first, second, third, fourth, meanings);
            dialogues++;
          }
        }
      }
    }
    assertTrue(dialogues > 50_000, "dialogues: " + dialogues);
  }

  private static void play(
      Answer first, Answer second, Answer third, Answer fourth, Map<Answer, Meaning> meanings) {
    CommitRules rules = rules();
    Step step = rules.onCommit(first, 0, 0.9);
    if (step instanceof Step.SendAgain) {
      step = rules.onCommit(second, 0, 0.9);
    }
    for (Answer answer : List.of(third, fourth)) {
      if (step instanceof Step.Ask) {
        step = rules.onOutcome(answer, 0, 0.9);
        assertTrue(
            !(step instanceof Step.SendAgain) || meanings.get(answer) == Meaning.NOT_THIS_TIME,
            "sent again while in doubt");
      }
    }
  }

  @Test
  void theFirstQuestionGoesOutAtOnceAndLaterOnesWaitLonger() {
    CommitRules rules = rules();
    Answer lost = new Answer.NoReply("lost");
    double most = Math.nextDown(1.0);
    assertEquals(new Step.Ask(0), rules.onCommit(lost, 0, most));
    assertEquals(new Step.Ask(9), rules.onOutcome(lost, 0, most));
    assertEquals(new Step.Ask(19), rules.onOutcome(lost, 0, most));
    assertEquals(new Step.Ask(39), rules.onOutcome(lost, 0, most));
  }

  @Test
  void doubtAtTheDeadlineIsUnknownAndNeverFailed() {
    Answer lost = new Answer.NoReply("the last word");
    assertEquals(new Step.Unknown("the last word"), rules().onCommit(lost, DEADLINE, 0.5));
    CommitRules rules = rules();
    assertInstanceOf(Step.Ask.class, rules.onCommit(lost, DEADLINE - 1, 0.5));
    assertInstanceOf(Step.Unknown.class, rules.onOutcome(lost, DEADLINE - 1, 0.9));
  }

  @Test
  void aRefusalAtTheDeadlineSaysWhyAndThatNothingWasDone() {
    Step step = rules().onCommit(refused(RefusalCode.UNAVAILABLE), DEADLINE, 0.5);
    assertEquals(ErrorCode.UNAVAILABLE, ((Step.NotCommitted) step).cause().code());
    step = rules().onCommit(refused(RefusalCode.OVERLOADED), DEADLINE, 0.5);
    assertEquals(ErrorCode.OVERLOADED, ((Step.NotCommitted) step).cause().code());
  }

  /** Long pauses, and an end long before the deadline: asking on would make it worse. */
  @Test
  void anOverloadedNodeIsAskedAFewTimesOnly() {
    CommitRules rules = rules();
    Answer overloaded = refused(RefusalCode.OVERLOADED);
    // Those before something else was said do not count.
    assertEquals(new Step.SendAgain(50_000_000), rules.onCommit(overloaded, 0, 0.5));
    assertInstanceOf(
        Step.SendAgain.class, rules.onCommit(refused(RefusalCode.UNAVAILABLE), 0, 0.5));
    for (long pause : new long[] {50, 100, 200, 400, 800}) {
      assertEquals(new Step.SendAgain(pause * 1_000_000), rules.onCommit(overloaded, 0, 0.5));
    }
    Step.NotCommitted end =
        assertInstanceOf(Step.NotCommitted.class, rules.onCommit(overloaded, 0, 0.5));
    assertInstanceOf(OverloadedException.class, end.cause());
    assertTrue(end.cause().getMessage().contains("overloaded"), end.cause().getMessage());
  }

  @Test
  void eachReasonHasItsException() {
    assertEquals(ErrorCode.CONFLICT, cause(aborted(CONFLICT)).code());
    assertInstanceOf(ConflictException.class, cause(aborted(CONFLICT)));
    assertEquals(
        ErrorCode.SNAPSHOT_TOO_OLD,
        cause(aborted(new AbortReason.TooOld(POINT.position()))).code());
    assertEquals(ErrorCode.SNAPSHOT_TOO_OLD, cause(refused(RefusalCode.SNAPSHOT_TOO_OLD)).code());
    assertEquals(ErrorCode.TOO_LARGE, cause(refused(RefusalCode.TOO_LARGE)).code());
    assertEquals(ErrorCode.OVER_QUOTA, cause(refused(RefusalCode.OVER_QUOTA)).code());
    assertEquals(ErrorCode.PROTOCOL, cause(refused(RefusalCode.BAD_REQUEST)).code());
  }

  /** A pause, not an error: until the deadline it is sent again, then it says unavailable. */
  @Test
  void whatPassesIsSentAgainUntilTheDeadline() {
    for (AbortReason reason :
        List.of(
            new AbortReason.RangeChanged(new RangeId(1)),
            new AbortReason.NotReachable("n"),
            new AbortReason.SettledByAsker())) {
      CommitRules rules = rules();
      assertInstanceOf(Step.SendAgain.class, rules.onCommit(aborted(reason), 0, 0.5));
      Step step = rules.onCommit(aborted(reason), DEADLINE, 0.5);
      Step.NotCommitted not = assertInstanceOf(Step.NotCommitted.class, step);
      assertEquals(ErrorCode.UNAVAILABLE, not.cause().code());
      assertEquals(Optional.of(POINT), not.point());
    }
  }

  @Test
  void marksOfItsOwnEarlierTriesAreNoConflict() {
    CommitRules rules = rules();
    TxnId own = new TxnId(1, 1);
    TxnId foreign = new TxnId(1, 2);
    rules.sends(own);
    rules.sends(new TxnId(1, 3));
    assertInstanceOf(Step.SendAgain.class, rules.onCommit(conflictWith(own), 0, 0.5));
    Step step = rules.onCommit(conflictWith(foreign), 0, 0.5);
    assertEquals(ErrorCode.CONFLICT, ((Step.NotCommitted) step).cause().code());
  }

  private static Answer conflictWith(TxnId other) {
    return aborted(
        new AbortReason.Conflict(
            new RangeId(1),
            KeyRange.single(Bytes.utf8("k")),
            Optional.of(other),
            Optional.empty()));
  }

  private static EcStoreException cause(Answer answer) {
    return ((Step.NotCommitted) rules().onCommit(answer, 0, 0.5)).cause();
  }

  @Test
  void anAbortBringsItsPointToTheSession() {
    Step step = rules().onCommit(aborted(CONFLICT), 0, 0.5);
    assertEquals(Optional.of(POINT), ((Step.NotCommitted) step).point());
  }
}
