package org.ecstore.replication.copy;

import org.ecstore.core.port.Engine.MetadataEntry;
import org.ecstore.id.Epoch;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What an engine keeps beside the data of a copy, so that a restart knows from where to replay:
 * through which position the store has it, and never how far it is closed, for that is only in
 * memory (rule W3). An epoch of zero marks a copy that was built but is in no map yet.
 */
record CopyMetadata(RangeId id, Epoch epoch, KeyRange keys, Position base, Position folded) {
  private static final Bytes PREFIX = Bytes.utf8("copy/");
  private static final int VERSION = 2;

  static Bytes name(RangeId id) {
    return PREFIX.concat(Bytes.utf8(Long.toString(id.value())));
  }

  static boolean isCopy(MetadataEntry entry) {
    return entry.name().startsWith(PREFIX) && entry.value().isPresent();
  }

  MetadataEntry toEntry() {
    WireWriter out = new WireWriter();
    out.u8(VERSION).rangeId(id).epoch(epoch).range(keys).position(base).position(folded);
    return new MetadataEntry(name(id), java.util.Optional.of(out.toBytes()));
  }

  static CopyMetadata of(Bytes value) {
    WireReader in = new WireReader(value);
    int version = in.u8();
    if (version != VERSION) {
      throw new MalformedMessageException("copy metadata entry of an unknown version: " + version);
    }
    CopyMetadata entry =
        new CopyMetadata(in.rangeId(), in.epoch(), in.range(), in.position(), in.position());
    in.expectEnd();
    return entry;
  }
}
