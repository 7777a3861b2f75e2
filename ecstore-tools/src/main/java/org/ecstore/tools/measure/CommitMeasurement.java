package org.ecstore.tools.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.ecstore.txn.sequencer.BatchSizes;

/**
 * Latency and throughput of commits against the number of clients, on several kinds of ledger in
 * turn: for each number of clients and each round every kind is measured before the next round
 * begins, so that whatever else the machine does falls on all of them.
 */
final class CommitMeasurement {
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final int WARM_UP_CLIENTS = 16;

  /** One cell. */
  record Row(String ledger, int clients, int round, CommitLoad.Result load, BatchSizes batches) {}

  private final Map<String, Subject> subjects;
  private final List<Integer> clients;
  private final int rounds;
  private final Duration each;
  private final LongConsumer step;

  CommitMeasurement(
      Map<String, Subject> subjects,
      List<Integer> clients,
      int rounds,
      Duration each,
      LongConsumer step) {
    this.subjects = subjects;
    this.clients = List.copyOf(clients);
    this.rounds = rounds;
    this.each = each;
    this.step = step;
  }

  List<Row> run() throws InterruptedException {
    for (Subject subject : subjects.values()) {
      new CommitLoad(subject.store(), WARM_UP_CLIENTS).run(WARM_UP);
    }
    List<Row> rows = new ArrayList<>();
    for (int count : clients) {
      for (int round = 1; round <= rounds; round++) {
        for (Map.Entry<String, Subject> entry : subjects.entrySet()) {
          rows.add(measure(entry.getKey(), entry.getValue(), count, round));
          step.accept(1);
        }
      }
    }
    return rows;
  }

  private Row measure(String ledger, Subject subject, int count, int round)
      throws InterruptedException {
    BatchSizes before = subject.batches();
    CommitLoad.Result load = new CommitLoad(subject.store(), count).run(each);
    return new Row(ledger, count, round, load, subject.batches().since(before));
  }
}
