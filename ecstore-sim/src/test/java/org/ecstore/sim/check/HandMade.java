package org.ecstore.sim.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.ledger.LedgerCodec;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.ReadLevel;
import org.ecstore.model.Row;
import org.ecstore.sim.history.SimHistory;
import org.ecstore.sim.history.SimKeys;

/**
 * Writes small histories, and a ledger that goes with them, by hand. One range holds all keys; its
 * epoch record is at position 1.
 */
final class HandMade {
  final SimHistory history = new SimHistory();
  final LedgerModel model = new LedgerModel();
  final Map<Bytes, Optional<Row>> finals = new TreeMap<>();
  private final List<LedgerEntry> ledger = new ArrayList<>();
  private long sequence;

  HandMade() {
    RangeDescriptor all =
        new RangeDescriptor(
            new RangeId(1), KeyRange.ALL, new Epoch(1), new NodeId(1), 1, List.of());
    record(
        1,
        new LedgerRecord.EpochChange(
            new MapChange(new MapVersion(1), List.of(), List.of(all), "first")));
  }

  /** Appends a record to the ledger, at a position or later. */
  void record(long position, LedgerRecord record) {
    ledger.add(new LedgerEntry(new Position(position), List.of(LedgerCodec.encode(record))));
    model.catchUp(ledger);
  }

  Txn txn(int client) {
    return new Txn(client);
  }

  /** A list as a row, as of a version. */
  static Row list(Bytes key, long version, long... elements) {
    List<Long> all = new ArrayList<>();
    Bytes value = Bytes.EMPTY;
    for (long element : elements) {
      value = SimKeys.append(all, element);
      all.add(element);
    }
    return new Row(key, new Position(version), value);
  }

  void atEnd(Row row) {
    finals.put(row.key(), Optional.of(row));
  }

  List<String> orderRules() {
    return OrderChecker.check(history, finals).stream().map(Finding::rule).toList();
  }

  List<String> positionRules() {
    List<Finding> all = new ArrayList<>(model.findings());
    all.addAll(PositionChecker.check(history, model));
    return all.stream().map(Finding::rule).toList();
  }

  /** A transaction being written down. */
  final class Txn {
    private final int client;
    private final List<SimHistory.KeyRead> reads = new ArrayList<>();
    private final List<SimHistory.IntervalRead> scans = new ArrayList<>();
    private final List<KeyWrite> writes = new ArrayList<>();
    private Isolation isolation = Isolation.SERIALIZABLE;
    private ReadLevel level = ReadLevel.SESSION;
    private long from;
    private long to;
    private long snapshot;
    private boolean recorded = true;
    private long floor;

    Txn(int client) {
      this.client = client;
    }

    Txn snapshotIsolation() {
      isolation = Isolation.SNAPSHOT;
      return this;
    }

    Txn strong() {
      level = ReadLevel.STRONG;
      return this;
    }

    Txn at(ReadLevel other) {
      level = other;
      return this;
    }

    /** Its snapshot, and when it began and ended. */
    Txn at(long position, long begin, long end) {
      snapshot = position;
      from = begin;
      to = end;
      return this;
    }

    Txn reads(Row row) {
      reads.add(new SimHistory.KeyRead(row.key(), Optional.of(row)));
      return this;
    }

    Txn readsAbsent(Bytes key) {
      reads.add(new SimHistory.KeyRead(key, Optional.empty()));
      return this;
    }

    Txn scans(KeyRange interval, Row... rows) {
      scans.add(new SimHistory.IntervalRead(interval, List.of(rows)));
      return this;
    }

    Txn writes(Row row) {
      writes.add(new KeyWrite(row.key(), Optional.of(row.value())));
      return this;
    }

    /** Its record is not put into the ledger. */
    Txn lost() {
      recorded = false;
      return this;
    }

    void committed(long number) {
      TxnId id = add(SimHistory.Outcome.COMMITTED, number, to);
      if (recorded) {
        record(
            number,
            new LedgerRecord.Commit(
                id,
                new NodeId(1),
                1,
                new Position(snapshot),
                new MapVersion(1),
                isolation,
                List.of(new LedgerRecord.RangeVote(new RangeId(1), new Epoch(1))),
                writes));
      }
    }

    void aborted() {
      add(SimHistory.Outcome.ABORTED, 0, to);
    }

    /** Its client was told that its outcome is forgotten, which is so below a position. */
    void expired(long below) {
      floor = below;
      unknown();
    }

    void unknown() {
      add(SimHistory.Outcome.UNKNOWN, 0, Long.MAX_VALUE);
    }

    void readOnly() {
      add(SimHistory.Outcome.READ_ONLY, 0, to);
    }

    private TxnId add(SimHistory.Outcome outcome, long number, long end) {
      TxnId id = new TxnId(client, ++sequence);
      history.add(
          new SimHistory.Attempt(
              id,
              client,
              isolation,
              level,
              from,
              end,
              new ReadPoint(new Position(snapshot), new MapVersion(1)),
              reads,
              scans,
              writes,
              CatalogStamp.at(0),
              outcome,
              number,
              floor));
      return id;
    }
  }
}
