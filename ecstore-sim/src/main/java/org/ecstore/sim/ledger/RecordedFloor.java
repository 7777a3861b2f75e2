package org.ecstore.sim.ledger;

import java.util.List;
import org.ecstore.core.ledger.LedgerRecord;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/** The version floor that the durable ledger says, trimmed or not (rule 14). */
public final class RecordedFloor {
  private final SimLedger ledger;
  private final RecordAssembler records = new RecordAssembler();
  private Position floor = Position.ZERO;
  private int entriesRead;

  public RecordedFloor(SimLedger ledger) {
    this.ledger = ledger;
  }

  /** The floor as recorded by now. */
  public Position now() {
    catchUp(ledger.durable());
    return floor;
  }

  /** Whether versions below a position may be deleted by now. */
  public boolean allows(Position below) {
    if (below.isAfter(floor)) {
      catchUp(ledger.durable());
    }
    return below.isAtOrBelow(floor);
  }

  private void catchUp(List<LedgerEntry> durable) {
    while (entriesRead < durable.size()) {
      LedgerEntry entry = durable.get(entriesRead++);
      long position = entry.first().value();
      for (Bytes raw : entry.records()) {
        records.feed(new Position(position++), raw).ifPresent(whole -> take(whole.record()));
      }
    }
  }

  private void take(LedgerRecord record) {
    if (record instanceof LedgerRecord.VersionFloor(var recorded)) {
      floor = Position.max(floor, recorded);
    }
  }

  @Override
  public String toString() {
    return floor.toString();
  }
}
