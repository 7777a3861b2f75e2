package org.ecstore.core.overlay;

import org.ecstore.core.map.MapCodec;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The stored form of a {@link ClusterState}. */
public final class ClusterStateCodec {
  private static final int FORMAT = 2;
  private static final int WITHOUT_SEATS = 1;

  private ClusterStateCodec() {}

  /** The state as bytes. */
  public static Bytes encode(ClusterState state) {
    WireWriter out = new WireWriter();
    out.u8(FORMAT);
    MapCodec.writeMap(out, state.ranges());
    BatonCodec.write(out, state.tree());
    out.optional(state.lastChange(), MapCodec::writeChange).varint(state.nextRangeId());
    out.list(
        state.preferences().all(),
        (to, preference) -> to.range(preference.keys()).node(preference.node()));
    return out.toBytes();
  }

  /**
   * The state from bytes.
   *
   * @throws MalformedMessageException if they are not one, or of a format not known here
   */
  public static ClusterState decode(Bytes bytes) {
    WireReader in = new WireReader(bytes);
    int format = in.u8();
    if (format != FORMAT && format != WITHOUT_SEATS) {
      throw new MalformedMessageException("cluster state of unknown format " + format);
    }
    ClusterState state =
        new ClusterState(
            MapCodec.readMap(in),
            BatonCodec.read(in),
            in.optional(MapCodec::readChange),
            in.natural(),
            format == WITHOUT_SEATS
                ? PrimaryPreferences.NONE
                : new PrimaryPreferences(
                    in.list(from -> new PrimaryPreferences.Preference(from.range(), from.node()))));
    in.expectEnd();
    return state;
  }
}
