package org.ecstore.core.ledger;

import java.util.List;
import org.ecstore.core.map.MapCodec;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.protocol.WriteKind;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of ledger records:
 *
 * <pre>  version (1 byte) | type (1 byte) | fields</pre>
 *
 * <p>Type numbers are fixed for ever, since ledgers outlive releases: 1 no-op, 2 commit, 3 abort, 4
 * epoch change, 5 version floor, 6 checkpoint, 7 commit that changes the catalog, 8 checkpoint of a
 * store with a catalog; 15 is one part of a longer record ({@link RecordParts}). Fields are in the
 * order of the record's components: 2 and 6 end before the catalog's version. The format is apart
 * from the client protocol's, though both carry writes, of the same kinds ({@link WriteKind}): they
 * change at different times. Key and value limits are not checked again here: they held when the
 * record was written, perhaps under other limits.
 */
public final class LedgerCodec {
  /** The first byte of every record. */
  public static final int VERSION = 1;

  /** The longest encoding of a logical record, in bytes: room for a checkpoint of many outcomes. */
  public static final int LOGICAL_BYTES_MAX = 256 << 20;

  static final int PART = 15;

  private static final int NO_OP = 1;
  private static final int COMMIT = 2;
  private static final int ABORT = 3;
  private static final int EPOCH_CHANGE = 4;
  private static final int VERSION_FLOOR = 5;
  private static final int CHECKPOINT = 6;
  private static final int COMMIT_TO_CATALOG = 7;
  private static final int CHECKPOINT_WITH_CATALOG = 8;

  private static final int SERIALIZABLE = 1;
  private static final int SNAPSHOT = 2;

  private LedgerCodec() {}

  /** About the length of a record's encoding, so that a buffer for a large one need not grow. */
  static int bytesAbout(LedgerRecord record) {
    long bytes = 256;
    if (record instanceof LedgerRecord.Commit commit) {
      bytes += 32L * commit.votes().size();
      for (KeyWrite write : commit.writes()) {
        bytes += 12L + write.key().length() + write.mutation().length();
      }
    }
    return (int) Math.min(bytes, LOGICAL_BYTES_MAX);
  }

  /** A logical record in one piece. */
  public static Bytes encode(LedgerRecord record) {
    WireWriter out = new WireWriter(bytesAbout(record));
    write(out, record);
    return out.toBytes();
  }

  /**
   * The logical record that these bytes are, all of them.
   *
   * @throws MalformedMessageException if they are not one, or only a part of one
   */
  public static LedgerRecord decode(Bytes bytes) {
    return decode(new WireReader(bytes));
  }

  /** The same of all that a reader has left. */
  static LedgerRecord decode(WireReader in) {
    LedgerRecord record = read(in);
    in.expectEnd();
    return record;
  }

  /** Writes a logical record, version and type first, as a field of something else. */
  public static void write(WireWriter out, LedgerRecord record) {
    out.u8(VERSION);
    switch (record) {
      case LedgerRecord.NoOp() -> out.u8(NO_OP);
      case LedgerRecord.Commit commit -> writeCommit(out, commit);
      case LedgerRecord.Abort(var txn, var snapshot) -> out.u8(ABORT).txn(txn).position(snapshot);
      case LedgerRecord.EpochChange(var change) ->
          MapCodec.writeChange(out.u8(EPOCH_CHANGE), change);
      case LedgerRecord.VersionFloor(var floor) -> out.u8(VERSION_FLOOR).position(floor);
      case LedgerRecord.Checkpoint checkpoint -> writeCheckpoint(out, checkpoint);
    }
  }

  /** Reads what {@link #write} wrote. */
  public static LedgerRecord read(WireReader in) {
    int type = readType(in);
    return switch (type) {
      case NO_OP -> new LedgerRecord.NoOp();
      case COMMIT, COMMIT_TO_CATALOG -> readCommit(in, type == COMMIT_TO_CATALOG);
      case ABORT -> new LedgerRecord.Abort(in.txn(), in.position());
      case EPOCH_CHANGE -> new LedgerRecord.EpochChange(MapCodec.readChange(in));
      case VERSION_FLOOR -> new LedgerRecord.VersionFloor(in.position());
      case CHECKPOINT, CHECKPOINT_WITH_CATALOG ->
          readCheckpoint(in, type == CHECKPOINT_WITH_CATALOG);
      case PART -> throw new MalformedMessageException("a part is not a logical record");
      default -> throw new MalformedMessageException("unknown type of ledger record: " + type);
    };
  }

  /** Whether the encoding of a logical record, or of its beginning, is that of a checkpoint. */
  static boolean isCheckpoint(Bytes bytes) {
    if (bytes.length() < 2 || (bytes.at(0) & 0xff) != VERSION) {
      return false;
    }
    int type = bytes.at(1) & 0xff;
    return type == CHECKPOINT || type == CHECKPOINT_WITH_CATALOG;
  }

  static int readType(WireReader in) {
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("unknown version of a ledger record: " + version);
    }
    return in.u8();
  }

  private static void writeCommit(WireWriter out, LedgerRecord.Commit commit) {
    out.u8(commit.catalogVersion() == 0 ? COMMIT : COMMIT_TO_CATALOG);
    out.txn(commit.txn()).node(commit.coordinator()).varint(commit.coordinatorIncarnation());
    out.position(commit.snapshot()).mapVersion(commit.mapVersion());
    out.u8(
        switch (commit.isolation()) {
          case SERIALIZABLE -> SERIALIZABLE;
          case SNAPSHOT -> SNAPSHOT;
        });
    out.list(commit.votes(), (to, vote) -> to.rangeId(vote.range()).epoch(vote.epoch()));
    out.list(
        commit.writes(), (to, write) -> WriteKind.write(to.bytes(write.key()), write.mutation()));
    writeCatalogVersion(out, commit.catalogVersion());
  }

  private static void writeCatalogVersion(WireWriter out, long version) {
    if (version != 0) {
      out.varint(version);
    }
  }

  private static long readCatalogVersion(WireReader in, boolean isThere) {
    if (!isThere) {
      return 0;
    }
    long version = in.natural();
    if (version == 0) {
      throw new MalformedMessageException("no version of the catalog where one is announced");
    }
    return version;
  }

  private static LedgerRecord.Commit readCommit(WireReader in, boolean changesCatalog) {
    return new LedgerRecord.Commit(
        in.txn(),
        in.node(),
        in.varint(),
        in.position(),
        in.mapVersion(),
        readIsolation(in),
        in.list(from -> new LedgerRecord.RangeVote(from.rangeId(), from.epoch())),
        in.list(from -> new KeyWrite(from.bytes(), WriteKind.read(from))),
        readCatalogVersion(in, changesCatalog));
  }

  private static Isolation readIsolation(WireReader in) {
    int number = in.u8();
    return switch (number) {
      case SERIALIZABLE -> Isolation.SERIALIZABLE;
      case SNAPSHOT -> Isolation.SNAPSHOT;
      default -> throw new MalformedMessageException("unknown isolation: " + number);
    };
  }

  private static void writeCheckpoint(WireWriter out, LedgerRecord.Checkpoint checkpoint) {
    out.u8(checkpoint.catalogVersion() == 0 ? CHECKPOINT : CHECKPOINT_WITH_CATALOG);
    MapCodec.writeMap(out, checkpoint.map());
    out.position(checkpoint.versionFloor()).position(checkpoint.outcomeFloor());
    out.list(
        checkpoint.outcomes(),
        (to, settled) ->
            to.txn(settled.txn()).position(settled.number()).bool(settled.committed()));
    writeCatalogVersion(out, checkpoint.catalogVersion());
  }

  private static LedgerRecord.Checkpoint readCheckpoint(WireReader in, boolean hasCatalog) {
    var map = MapCodec.readMap(in);
    Position versionFloor = in.position();
    Position outcomeFloor = in.position();
    List<LedgerRecord.Settled> outcomes =
        in.list(from -> new LedgerRecord.Settled(from.txn(), from.position(), from.bool()));
    return new LedgerRecord.Checkpoint(
        map, versionFloor, outcomeFloor, outcomes, readCatalogVersion(in, hasCatalog));
  }
}
