package org.ecstore.txn.steward.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.id.MapVersion;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.junit.jupiter.api.Test;

class DecisionsTest {
  private final List<String> logged = new ArrayList<>();
  private final Decisions decisions =
      new Decisions(
          new OperatorLog() {
            @Override
            public void info(String text) {
              logged.add(text);
            }

            @Override
            public void warn(String text) {
              logged.add(text);
            }
          });

  private void recall(long nanos, String what) {
    decisions.recall(nanos, Cause.OBJECTIVE, what, "why", Outcome.DONE, "detail");
  }

  private List<String> whats() {
    return decisions.all().stream().map(Decision::what).toList();
  }

  @Test
  void whatIsRecalledHasItsPlaceByTime() {
    decisions.open(50, Cause.OPERATOR, List.of(), "fifty", "");
    recall(60, "sixty");
    recall(-40, "before the clock began");
    recall(40, "forty");
    recall(0, "earlier");
    recall(0, "not as early");
    decisions.open(70, Cause.OPERATOR, List.of(), "seventy", "");
    assertEquals(
        List.of(
            "earlier",
            "not as early",
            "before the clock began",
            "forty",
            "fifty",
            "sixty",
            "seventy"),
        whats());
    assertEquals(List.of(), logged, "who decided it has said so");
  }

  @Test
  void whatIsPutOffAgainIsKeptOnceAlsoIfAnEarlierStewardDid() {
    decisions.recall(5, Cause.OBJECTIVE, "keep it", "why", Outcome.PUT_OFF, "nothing helps");
    recall(6, "add n4");
    long again = decisions.open(7, Cause.OBJECTIVE, List.of(), "keep it", "why");
    decisions.end(again, Outcome.PUT_OFF, MapVersion.ZERO, "nothing helps yet");
    assertEquals(List.of("add n4", "keep it"), whats());
  }

  @Test
  void ofVeryMuchTheOldestIsForgotten() {
    for (int i = 1; i <= 2_000; i++) {
      recall(i, "step " + i);
    }
    assertEquals(1_000, decisions.all().size());
    assertEquals("step 2000", whats().getLast());
    assertEquals("step 1001", whats().getFirst());
  }
}
