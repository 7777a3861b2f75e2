package org.ecstore.sim.ledger;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.ledger.RecordAssembler;
import org.ecstore.core.ledger.RecordParts;
import org.ecstore.core.port.Ledger.LedgerEntry;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.sim.world.World;

/** Notes what becomes of records that stand in several parts (rule 1). */
public final class RunsOfParts {
  /** A record was written in parts, all of them. */
  public static final String WHOLE = "a record in parts";

  /** A writer came no further than some parts of a record, and another went on after them. */
  public static final String VOID = "a take-over between the parts of a record";

  /** A read handed over some parts of a record, and the next read has to hand over the rest. */
  public static final String READ_WITHIN = "a read ends between the parts of a record";

  private RunsOfParts() {}

  /** Notes a read if it ends between two parts. */
  static void noteReadWithin(List<LedgerEntry> read, World world) {
    if (!read.isEmpty() && RecordParts.goesOn(read.getLast().records().getLast())) {
      world.happened(READ_WITHIN);
    }
  }

  /** Notes all runs of parts in the durable ledger, whole and void ones. */
  public static void noteAll(List<LedgerEntry> durable, World world) {
    RecordAssembler assembler = new RecordAssembler();
    for (LedgerEntry entry : durable) {
      long position = entry.first().value();
      for (Bytes raw : entry.records()) {
        Optional<Position> open = assembler.openSince();
        boolean whole = assembler.feed(new Position(position), raw).isPresent();
        if (whole && assembler.completedFrom().value() < position) {
          world.happened(WHOLE);
        } else if (open.isPresent() && !assembler.openSince().equals(open)) {
          world.happened(VOID);
        }
        position++;
      }
    }
  }
}
