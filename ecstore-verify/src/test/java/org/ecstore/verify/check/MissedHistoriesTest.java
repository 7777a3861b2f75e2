package org.ecstore.verify.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.ecstore.verify.history.History;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole histories that were once taken for clean. */
class MissedHistoriesTest {
  @TempDir private Path directory;

  private void assertFound(String kind, String history) throws Exception {
    Path file = Files.writeString(directory.resolve("history.jsonl"), history);
    for (Promise promise : new Promise[] {HandMade.STRICT, HandMade.SESSION_SNAPSHOT}) {
      Report report = HistoryChecker.check(History.read(file), promise);
      assertEquals(Report.Verdict.VIOLATED, report.verdict(), report::toString);
      assertTrue(report.counts().containsKey(kind), report::toString);
    }
  }

  /** A transfer of unknown outcome is seen at 3 and not at 5. */
  @Test
  void unknownTransferThatFlickers() throws Exception {
    assertFound(
        "wrong-balances",
        """
        {"index": 0, "time": 0, "process": 0, "type": "invoke", "f": "open", "value": {"0": 100, "1": 100}}
        {"index": 1, "time": 1000, "process": 0, "type": "ok", "f": "open", "value": {"0": 100, "1": 100}, "sts": 0, "cts": 1}
        {"index": 2, "time": 2000, "process": 1, "type": "invoke", "f": "transfer", "value": {"from": 0, "to": 1, "amount": 5}}
        {"index": 3, "time": 3000, "process": 1, "type": "info", "f": "transfer", "value": {"from": 0, "to": 1, "amount": 5}, "sts": 1}
        {"index": 4, "time": 4000, "process": 2, "type": "invoke", "f": "read", "value": null}
        {"index": 5, "time": 5000, "process": 2, "type": "ok", "f": "read", "value": {"0": 95, "1": 105}, "sts": 3}
        {"index": 6, "time": 6000, "process": 3, "type": "invoke", "f": "read", "value": null}
        {"index": 7, "time": 7000, "process": 3, "type": "ok", "f": "read", "value": {"0": 100, "1": 100}, "sts": 5}
        """);
  }

  /** Balances below the position at which they were set. */
  @Test
  void balancesBeforeTheOpening() throws Exception {
    assertFound(
        "balance-before-opening",
        """
        {"index": 0, "time": 0, "process": 2, "type": "invoke", "f": "read", "value": null}
        {"index": 1, "time": 1000, "process": 0, "type": "invoke", "f": "open", "value": {"0": 100, "1": 100}}
        {"index": 2, "time": 2000, "process": 0, "type": "ok", "f": "open", "value": {"0": 100, "1": 100}, "sts": 0, "cts": 1}
        {"index": 3, "time": 3000, "process": 2, "type": "ok", "f": "read", "value": {"0": 1, "1": 2}, "sts": 0}
        {"index": 4, "time": 4000, "process": 3, "type": "invoke", "f": "read", "value": null}
        {"index": 5, "time": 5000, "process": 3, "type": "ok", "f": "read", "value": {"0": 100, "1": 100}, "sts": 1}
        """);
  }

  /** Of a transaction of unknown outcome one write is seen and the other is not. */
  @Test
  void unknownTransactionSeenInHalf() throws Exception {
    assertFound(
        "fractured",
        """
        {"index": 0, "time": 0, "process": 9, "type": "invoke", "f": "txn", "value": [["w", 1, 9], ["w", 2, 9]]}
        {"index": 1, "time": 1000, "process": 9, "type": "ok", "f": "txn", "value": [["w", 1, 9], ["w", 2, 9]], "sts": 0, "cts": 1}
        {"index": 2, "time": 2000, "process": 0, "type": "invoke", "f": "txn", "value": [["w", 1, 1], ["w", 2, 1]]}
        {"index": 3, "time": 3000, "process": 0, "type": "info", "f": "txn", "value": [["w", 1, 1], ["w", 2, 1]]}
        {"index": 4, "time": 4000, "process": 1, "type": "invoke", "f": "txn", "value": [["r", 1, null], ["r", 2, null]]}
        {"index": 5, "time": 5000, "process": 1, "type": "ok", "f": "txn", "value": [["r", 1, 1], ["r", 2, 9]], "sts": 3}
        """);
  }
}
