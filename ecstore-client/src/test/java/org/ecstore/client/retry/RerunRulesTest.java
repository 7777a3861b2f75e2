package org.ecstore.client.retry;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.EnumSet;
import java.util.OptionalLong;
import java.util.Set;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.id.TxnId;
import org.junit.jupiter.api.Test;

class RerunRulesTest {
  private static final double MOST = Math.nextDown(1.0);

  private static RerunRules rules() {
    return new RerunRules(new Backoff(10, 1000), new Deadline(100));
  }

  @Test
  void onlyWhatIsKnownToHaveDoneNothingRunsAgain() {
    Set<ErrorCode> again =
        EnumSet.of(ErrorCode.CONFLICT, ErrorCode.SNAPSHOT_TOO_OLD, ErrorCode.UNAVAILABLE);
    for (ErrorCode code : ErrorCode.values()) {
      EcStoreException failure = new EcStoreException(code, "text", null);
      assertEquals(
          again.contains(code), rules().afterFailure(failure, 0, MOST).isPresent(), code.name());
    }
    assertEquals(
        OptionalLong.empty(),
        rules().afterFailure(new UnknownOutcomeException(new TxnId(1, 2), null, "x"), 0, 0));
  }

  @Test
  void waitsLongerEachTimeUntilTheDeadlineIsNearerThanTheWait() {
    RerunRules rules = rules();
    EcStoreException failure = new UnavailableException("text", null);
    assertEquals(OptionalLong.of(9), rules.afterFailure(failure, 0, MOST));
    assertEquals(OptionalLong.of(19), rules.afterFailure(failure, 9, MOST));
    assertEquals(OptionalLong.of(39), rules.afterFailure(failure, 28, MOST));
    assertEquals(OptionalLong.empty(), rules.afterFailure(failure, 67, MOST));
    assertEquals(4, rules.failures());
  }
}
