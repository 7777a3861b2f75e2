package org.ecstore.replication.copy;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What an engine holds of the ledger and of coordination, by its own notes: what a restarted node
 * must find there again. An engine only ever gets what is durable in the ledger, so a ledger that
 * ends below is not the one it was filled from, or has lost records.
 *
 * @param through the highest position of which it holds anything, or has had anything applied
 * @param leastFolded the least fold position of its copies that are in a map
 * @param epoch the newest epoch of its copies: the version of the map change that made it
 * @param incarnation the last in which the node used it; 0 if it did not say
 */
public record Holdings(
    Position through, Optional<Position> leastFolded, Epoch epoch, long incarnation) {
  private static final int VERSION = 1;

  /** The highest version that was written into the engine. */
  private static final Bytes WRITTEN = Bytes.utf8("written");

  /** The incarnation of the node. */
  private static final Bytes INCARNATION = Bytes.utf8("incarnation");

  /** Reads all metadata of an engine. */
  public static Holdings of(List<MetadataEntry> metadata) {
    Position through = Position.ZERO;
    Optional<Position> leastFolded = Optional.empty();
    Epoch epoch = Epoch.ZERO;
    long incarnation = 0;
    for (MetadataEntry entry : metadata) {
      if (CopyMetadata.isCopy(entry)) {
        CopyMetadata copy = CopyMetadata.of(entry.value().orElseThrow());
        through = Position.max(through, Position.max(copy.base(), copy.folded()));
        if (!copy.epoch().equals(Epoch.ZERO)) {
          epoch = copy.epoch().compareTo(epoch) > 0 ? copy.epoch() : epoch;
          leastFolded =
              Optional.of(
                  leastFolded
                      .map(least -> Position.min(least, copy.folded()))
                      .orElse(copy.folded()));
        }
      } else if (entry.name().equals(WRITTEN)) {
        through = Position.max(through, new Position(number(entry)));
      } else if (entry.name().equals(INCARNATION)) {
        incarnation = number(entry);
      }
    }
    return new Holdings(through, leastFolded, epoch, incarnation);
  }

  /** Whether a node ever used the engine. */
  public boolean isAny() {
    return incarnation > 0 || leastFolded.isPresent() || through.isAfter(Position.ZERO);
  }

  /** The metadata entry that says in which incarnation the node uses the engine. */
  public static MetadataEntry incarnationEntry(long incarnation) {
    return entry(INCARNATION, incarnation);
  }

  /** The metadata entry that names the highest version among all writes so far. */
  public static MetadataEntry writtenEntry(Position newest) {
    return entry(WRITTEN, newest.value());
  }

  private static MetadataEntry entry(Bytes name, long number) {
    return new MetadataEntry(
        name, Optional.of(new WireWriter().u8(VERSION).varint(number).toBytes()));
  }

  private static long number(MetadataEntry entry) {
    WireReader in = new WireReader(entry.value().orElseThrow());
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException(
          "note " + entry.name() + " is of an unknown version: " + version);
    }
    long number = in.natural();
    in.expectEnd();
    return number;
  }
}
