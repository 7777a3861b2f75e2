package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.ecstore.cluster.process.StewardSilentException;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.Decided;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;

/** A steward by script: each answer is given once, the last one for ever. */
class AdminCallTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long ID = 4711;
  private static final NodeId ONE = new NodeId(1);
  private static final NodeId TWO = new NodeId(2);
  private static final AdminRequest SPLIT =
      new AdminRequest.Split(new RangeId(2), Optional.empty());

  /**
   * What the steward on a node says of the request; no steward says anything if there is no
   * outcome.
   */
  private record Said(NodeId steward, String outcome, String detail) {}

  private static final Said SILENCE = new Said(ONE, "", "");

  private final Deque<Said> script = new ArrayDeque<>();
  private final List<ClientRequest.Administer> heard = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private long now;

  private final AdminCall.Clock clock =
      new AdminCall.Clock() {
        @Override
        public long nanos() {
          return now;
        }

        @Override
        public void pause(long millis) {
          now += millis * 1_000_000;
        }
      };

  private <T extends ClientReply> T answer(ClientRequest request, Class<T> kind) {
    if (!(request instanceof ClientRequest.Administer adminRequest)) {
      return kind.cast(new Decided(ONE, List.of(line("operator", "split", "under way", ""))));
    }
    heard.add(adminRequest);
    Said next = script.size() > 1 ? script.remove() : script.element();
    if (next.equals(SILENCE)) {
      now += 3 * SECOND;
      throw new StewardSilentException("the steward is not reached: node 3 does not answer");
    }
    return kind.cast(
        new Decided(
            next.steward(), List.of(line("operator", "split", next.outcome(), next.detail()))));
  }

  private static DecisionLine line(String cause, String what, String outcome, String detail) {
    return new DecisionLine(5, Optional.of(1L), 9, cause, List.of(), what, "", outcome, detail);
  }

  private AdminCall.Outcome call(Said... answers) throws IOException, InterruptedException {
    script.addAll(List.of(answers));
    return new AdminCall(this::answer, clock, said::add, SPLIT, ID).untilOver(60 * SECOND);
  }

  @Test
  void whatAWishWaitsForIsSaidWheneverItChanges() throws Exception {
    call(
        new Said(ONE, "under way", "n2 still serves 2 ranges"),
        new Said(ONE, "under way", "n2 still serves 2 ranges"),
        new Said(ONE, "under way", "n2 still serves 1 ranges"),
        new Said(ONE, "done", "it has left the tree"));
    assertEquals(
        List.of(
            "split, under way: n2 still serves 2 ranges",
            "split, under way: n2 still serves 1 ranges"),
        said);
  }

  private void assertOneRequest(int times) {
    assertEquals(times, heard.size());
    assertTrue(
        heard.stream().allMatch(one -> one.equals(new ClientRequest.Administer(SPLIT, ID))),
        heard::toString);
  }

  @Test
  void answerThatDoesNotComeIsAskedForAgainAsTheSameWish() throws Exception {
    AdminCall.Outcome outcome =
        call(SILENCE, SILENCE, new Said(ONE, "under way", ""), new Said(ONE, "done", "r8 and r9"));
    assertEquals("r8 and r9", outcome.line().detail());
    assertEquals(Optional.empty(), outcome.earlier());
    assertOneRequest(4);
    assertEquals(
        List.of(
            "the steward is not reached: node 3 does not answer; asking again", "split, under way"),
        said);
  }

  @Test
  void nextStewardIsToldTheSameWishAndTheOperatorIsToldSo() throws Exception {
    AdminCall.Outcome outcome =
        call(
            new Said(ONE, "under way", ""),
            SILENCE,
            new Said(TWO, "under way", ""),
            new Said(TWO, "refused", "there is no range r2"));
    assertOneRequest(4);
    assertTrue(
        said.contains("n2 is steward now, in place of n1: it was told the request"),
        said::toString);
    assertEquals(
        "split, refused: there is no range r2 (n1, steward before, may have done it: see cluster"
            + " status)",
        StewardCommands.failed(outcome));
  }

  @Test
  void wishThatIsNotOverInTimeGoesOn() {
    BadInputException late =
        assertThrows(BadInputException.class, () -> call(new Said(ONE, "under way", "")));
    assertEquals(
        "split is not done yet; it goes on while n1 is steward, see cluster decisions: if another"
            + " is, give the command again",
        late.getMessage());
    assertTrue(now > 60 * SECOND && now < 62 * SECOND, () -> "" + now);
  }

  @Test
  void stewardThatNeverAnswersMayHaveHeardTheWish() {
    BadInputException late = assertThrows(BadInputException.class, () -> call(SILENCE));
    assertTrue(
        String.valueOf(late.getMessage()).contains("may have been heard or not"), late::getMessage);
  }

  private Decided look(Said... answers) throws IOException, InterruptedException {
    script.addAll(List.of(answers));
    ClientRequest question = new ClientRequest.Administer(SPLIT, ID);
    return AdminCall.answered(this::answer, clock, said::add, question, Decided.class, 10_000);
  }

  @Test
  void aQuestionIsAskedAgainUntilTheStewardKnowsTheAnswer() throws Exception {
    assertEquals(TWO, look(SILENCE, SILENCE, new Said(TWO, "done", "")).steward());
    assertEquals(3, heard.size());
    assertEquals(1, said.size(), "why it is waited is said once");
    assertTrue(said.getFirst().endsWith("; asking again"), said::toString);
  }

  @Test
  void aQuestionThatNoStewardAnswersIsGivenUp() {
    assertThrows(StewardSilentException.class, () -> look(SILENCE));
    assertTrue(now > 10 * SECOND && now < 15 * SECOND, () -> "" + now);
  }

  @Test
  void keysThatAreNoneSayHowToGiveThem() {
    for (String text : List.of("", "  ", "x''", "()", "a b", "(a")) {
      BadInputException refused =
          assertThrows(BadInputException.class, () -> StewardCommands.key("--at", text), text);
      String why = String.valueOf(refused.getMessage());
      assertTrue(why.startsWith("--at") && why.contains("\"(users, m)\""), why);
    }
  }
}
