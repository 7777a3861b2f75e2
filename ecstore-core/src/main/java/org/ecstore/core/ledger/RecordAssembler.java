package org.ecstore.core.ledger;

import java.util.Optional;
import org.ecstore.check.Check;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Makes logical records of the raw records of a ledger, fed in order (rule 1). A run that is
 * followed by anything but its next part, at the next position, is void and skipped: its writer was
 * fenced. A run whose first parts were not fed is skipped too.
 *
 * <p>Hence a reader that goes on elsewhere must not begin between the parts of a run that it still
 * wants: begin at or below {@link #openSince}, or after the position of a logical record. Owned by
 * one event loop.
 */
public final class RecordAssembler {
  private static final int BUFFER_BYTES_MAX = 4 << 20;

  private final boolean makesCheckpoints;
  private Position last = Position.ZERO;
  private Position completedFrom = Position.ZERO;
  private @Nullable OpenRun open;

  /** One that makes every logical record. */
  public RecordAssembler() {
    this(true);
  }

  private RecordAssembler(boolean makesCheckpoints) {
    this.makesCheckpoints = makesCheckpoints;
  }

  /**
   * One that passes checkpoints by: each has all outcomes that are remembered, which is as much as
   * a tenth of the ledger, and who reads what was committed needs none of it.
   */
  public static RecordAssembler withoutCheckpoints() {
    return new RecordAssembler(false);
  }

  private boolean isPassedBy(Bytes beginning) {
    return !makesCheckpoints && LedgerCodec.isCheckpoint(beginning);
  }

  /** A logical record and its position, that of its last part. */
  public record Assembled(Position position, LedgerRecord record) {}

  /**
   * Takes the raw record at a position, which must be above the last one fed; gives the logical
   * record that it completes, if it completes one.
   *
   * @throws MalformedMessageException if it is no record, or completes a run that is none
   */
  public Optional<Assembled> feed(Position position, Bytes raw) {
    Check.that(position.isAfter(last), "raw records are fed in order", last, position);
    final boolean adjacent = position.equals(last.next());
    last = position;
    OpenRun before = open;
    open = null;
    if (!RecordParts.isPart(raw)) {
      completedFrom = position;
      return isPassedBy(raw)
          ? Optional.empty()
          : Optional.of(new Assembled(position, LedgerCodec.decode(raw)));
    }
    RecordParts.Part part = RecordParts.Part.decode(raw);
    OpenRun run;
    if (part.index() == 0) {
      run = new OpenRun(position, part, isPassedBy(part.payload()));
    } else if (before != null && adjacent && part.follows(before.lastPart)) {
      run = before;
      run.add(part);
    } else {
      return Optional.empty();
    }
    if (!part.isLast()) {
      open = run;
      return Optional.empty();
    }
    completedFrom = run.first;
    return run.isPassedBy ? Optional.empty() : Optional.of(new Assembled(position, run.record()));
  }

  /** Where the logical record that was completed last begins: the position of its first part. */
  public Position completedFrom() {
    return completedFrom;
  }

  /** The position of the first part of a run that is not complete yet. */
  public Optional<Position> openSince() {
    return open == null ? Optional.empty() : Optional.of(open.first);
  }

  private static final class OpenRun {
    private final Position first;
    private final boolean isPassedBy;
    private final WireWriter payload;
    private RecordParts.Part lastPart;

    OpenRun(Position first, RecordParts.Part part, boolean isPassedBy) {
      this.first = first;
      this.isPassedBy = isPassedBy;
      this.lastPart = part;
      this.payload = new WireWriter(isPassedBy ? 0 : bytesAbout(part));
      keep(part);
    }

    private void keep(RecordParts.Part part) {
      if (!isPassedBy) {
        payload.raw(part.payload().array());
      }
    }

    /** All parts of a run but the last are about equally long; a forged count costs little. */
    private static int bytesAbout(RecordParts.Part first) {
      long bytes = (long) first.count() * first.payload().length();
      return (int) Math.min(bytes, BUFFER_BYTES_MAX);
    }

    LedgerRecord record() {
      return LedgerCodec.decode(new WireReader(payload.array(), 0, payload.length()));
    }

    void add(RecordParts.Part part) {
      if ((long) payload.length() + part.payload().length() > LedgerCodec.LOGICAL_BYTES_MAX) {
        throw new MalformedMessageException("a run of parts is longer than any logical record");
      }
      lastPart = part;
      keep(part);
    }
  }
}
