package org.ecstore.tools.cli.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.tools.terminal.BadInputException;
import org.junit.jupiter.api.Test;

/** Range 1 was split into 5 and 6; range 2 was moved and became 7, and that was moved to be 8. */
class RangeNamesTest {
  private static final Bytes G = Tuple.of("g").encode();
  private static final Bytes M = Tuple.of("m").encode();

  private final List<String> said = new ArrayList<>();
  private final RangeNames names =
      new RangeNames(
          List.of(
              route(5, KeyRange.of(Bytes.EMPTY, G)),
              route(6, KeyRange.of(G, M)),
              route(8, KeyRange.from(M))),
          () ->
              List.of(
                  done(1, "split range r1: r5 is below (\"g\"), r6 from it on"),
                  done(2, "move range r2 to n3: it is r7"),
                  line(2, "refused", "r5 is another's"),
                  done(7, "move range r7 to n1: it is r8")),
          said::add);

  private static Route route(long range, KeyRange keys) {
    return new Route(new RangeId(range), new Epoch(1), keys, new NodeId(1), "h:1");
  }

  private static DecisionLine done(long range, String detail) {
    return line(range, DecisionLine.DONE, detail);
  }

  private static DecisionLine line(long range, String outcome, String detail) {
    return new DecisionLine(
        range,
        Optional.empty(),
        3,
        "operator",
        List.of(new RangeId(range)),
        "what",
        "",
        outcome,
        detail);
  }

  private long found(String text) throws IOException {
    return names.find(text).value();
  }

  private void refused(String text, String... parts) {
    String reason =
        String.valueOf(assertThrows(BadInputException.class, () -> names.find(text)).getMessage());
    for (String part : parts) {
      assertTrue(reason.contains(part), reason);
    }
  }

  /** Decisions are about the range that was, and a key means the one that is. */
  @Test
  void asItIsNamedAnIdIsNotFollowed() {
    assertEquals(new RangeId(1), names.asNamed("r1"));
    assertEquals(new RangeId(2), names.asNamed("2"));
    assertEquals(new RangeId(6), names.asNamed("(\"h\")"));
    assertEquals(List.of(), said);
    assertThrows(BadInputException.class, () -> names.asNamed("()"));
  }

  @Test
  void rangeThatIsThereIsItself() throws IOException {
    assertEquals(5, found("r5"));
    assertEquals(6, found("6"));
    assertEquals(List.of(), said);
  }

  @Test
  void rangeThatHasBecomeAnotherIsFollowedAndSaid() throws IOException {
    assertEquals(8, found("r2"));
    assertEquals(List.of("range r2 is r8 now, from (\"m\") to the end"), said);
  }

  @Test
  void rangeThatHasBecomeSeveralIsRefusedWithTheirNames() {
    refused(
        "r1", "has become several: r5 from the beginning to (\"g\"), r6 from (\"g\") to (\"m\")");
  }

  @Test
  void rangeThatIsNotRememberedIsRefused() {
    refused("r99", "there is no range r99", "give a key");
  }

  @Test
  void keyStandsForItsRange() throws IOException {
    assertEquals(5, found("(alice)"));
    assertEquals(6, found("(h, 42)"));
    assertEquals(8, found("zoe"));
    refused("(open", "parenthesis is not closed");
  }
}
