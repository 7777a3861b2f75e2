package org.ecstore.core.map;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.ecstore.id.MapVersion;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The bytes of range descriptors, map changes and whole maps, as fields of ledger records and
 * messages. What they are part of carries the version of the format.
 */
public final class MapCodec {
  private MapCodec() {}

  public static void writeDescriptor(WireWriter out, RangeDescriptor descriptor) {
    out.rangeId(descriptor.id()).range(descriptor.keys()).epoch(descriptor.epoch());
    out.node(descriptor.primary()).varint(descriptor.primaryIncarnation());
    out.list(descriptor.secondaries(), WireWriter::node);
  }

  public static RangeDescriptor readDescriptor(WireReader in) {
    return new RangeDescriptor(
        in.rangeId(), in.range(), in.epoch(), in.node(), in.varint(), in.list(WireReader::node));
  }

  public static void writeChange(WireWriter out, MapChange change) {
    out.mapVersion(change.version()).list(change.retired(), WireWriter::rangeId);
    out.list(change.placed(), MapCodec::writeDescriptor).text(change.reason());
  }

  public static MapChange readChange(WireReader in) {
    return new MapChange(
        in.mapVersion(),
        in.list(WireReader::rangeId),
        in.list(MapCodec::readDescriptor),
        in.text());
  }

  public static void writeMap(WireWriter out, RangeMap map) {
    out.mapVersion(map.version()).list(map.ranges(), MapCodec::writeDescriptor);
  }

  /**
   * A whole map.
   *
   * @throws MalformedMessageException also if its ranges do not tile all keys, each owned once
   */
  public static RangeMap readMap(WireReader in) {
    MapVersion version = in.mapVersion();
    List<RangeDescriptor> ranges = in.list(MapCodec::readDescriptor);
    requireTiled(ranges);
    return RangeMap.of(version, ranges);
  }

  private static void requireTiled(List<RangeDescriptor> ranges) {
    Optional<Bytes> expected = Optional.of(Bytes.EMPTY);
    Set<RangeId> ids = new HashSet<>();
    for (RangeDescriptor range : ranges) {
      if (expected.isEmpty() || !expected.get().equals(range.keys().start())) {
        throw new MalformedMessageException("gap or overlap before range " + range.id());
      }
      if (!ids.add(range.id())) {
        throw new MalformedMessageException("range " + range.id() + " twice in a map");
      }
      expected = range.keys().end();
    }
    if (!ranges.isEmpty() && expected.isPresent()) {
      throw new MalformedMessageException("ranges end at " + expected.get());
    }
  }
}
