package org.ecstore.tools.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.Tuple;
import org.ecstore.server.LocalCluster;

/**
 * How long recovery takes against the length of the ledger. A node that is down keeps the ledger
 * from being trimmed while so many transactions are committed; then, one after the other: the
 * sequencer ends and a standby takes over; the node comes back and replays what it missed; the
 * whole cluster ends and is opened again. All in one process, where membership tells of an end at
 * once: the time until a failure is noticed is not part of it.
 */
final class RecoveryMeasurement {
  private static final int NODES = 4;

  /** Of each range, so that a node that is back has something to recover before it serves. */
  private static final int COPIES = 1;

  private static final int CLIENTS = 32;
  private static final long PARTS = 64;

  /** Times in milliseconds, until a commit succeeds or the node serves. */
  record Row(
      String ledger, long records, long takeOverMillis, long nodeBackMillis, long reopenMillis) {}

  private final Path directory;
  private final String name;
  private final LocalCluster.LedgerOpening ledger;
  private final List<Long> lengths;
  private final LongConsumer step;

  RecoveryMeasurement(
      Path directory,
      String name,
      LocalCluster.LedgerOpening ledger,
      List<Long> lengths,
      LongConsumer step) {
    this.directory = directory;
    this.name = name;
    this.ledger = ledger;
    this.lengths = List.copyOf(lengths);
    this.step = step;
  }

  List<Row> run() throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (long length : lengths) {
      rows.add(measure(directory.resolve(name + "-" + length), length));
      step.accept(1);
    }
    return rows;
  }

  private Row measure(Path home, long length) throws IOException, InterruptedException {
    long takeOver;
    long nodeBack;
    try (Subject subject = Subject.start(home, NODES, COPIES, ledger)) {
      NodeId sequencer = subject.sequencer().orElseThrow();
      NodeId away = subject.cluster().nodes().getLast();
      if (away.equals(sequencer)) {
        away = subject.cluster().nodes().getFirst();
      }
      long part = partBeside(subject, List.of(sequencer, away));
      CommitLoad load =
          new CommitLoad(
              subject.store(),
              CLIENTS,
              part * CommitLoad.KEYS / PARTS,
              (part + 1) * CommitLoad.KEYS / PARTS);
      subject.cluster().killNode(away);
      load.commitTransactions(length);
      long begun = System.nanoTime();
      subject.cluster().killNode(sequencer);
      load.commitTransactions(1);
      takeOver = millisSince(begun);
      subject.cluster().restartNode(sequencer);
      begun = System.nanoTime();
      subject.cluster().restartNode(away);
      nodeBack = millisSince(begun);
    }
    long begun = System.nanoTime();
    try (Subject again = Subject.start(home, NODES, COPIES, ledger)) {
      new CommitLoad(again.store(), 1).commitTransactions(1);
      return new Row(name, length, takeOver, nodeBack, millisSince(begun));
    }
  }

  /** A part of the keys that none of these nodes serves. */
  private static long partBeside(Subject subject, List<NodeId> nodes) {
    for (long part = 0; part < PARTS; part++) {
      Bytes first = key(part * CommitLoad.KEYS / PARTS);
      Bytes last = key((part + 1) * CommitLoad.KEYS / PARTS - 1);
      if (nodes.stream()
          .flatMap(node -> subject.look(node).copies().stream())
          .noneMatch(copy -> copy.keys().contains(first) || copy.keys().contains(last))) {
        return part;
      }
    }
    throw new IllegalStateException("every range is with one of " + nodes);
  }

  private static Bytes key(long number) {
    return Tuple.of(number).encode(CommitLoad.TABLE.keys().start());
  }

  private static long millisSince(long begun) {
    return (System.nanoTime() - begun) / 1_000_000;
  }
}
