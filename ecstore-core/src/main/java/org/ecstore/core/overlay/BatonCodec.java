package org.ecstore.core.overlay;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * The stored form of a {@link BatonTree}: in key order, each node's id, position and first key.
 * Where an interval ends follows from where the next one starts.
 */
public final class BatonCodec {
  private BatonCodec() {}

  /** Writes a tree. */
  public static void write(WireWriter out, BatonTree tree) {
    out.list(tree.inOrder(), BatonCodec::writeStart);
  }

  /**
   * Reads a tree.
   *
   * @throws MalformedMessageException if the bytes are not a tree that keeps its invariants
   */
  public static BatonTree read(WireReader in) {
    List<Start> starts = in.list(BatonCodec::readStart);
    List<Place> places = new ArrayList<>(starts.size());
    try {
      for (int i = 0; i < starts.size(); i++) {
        Start start = starts.get(i);
        Optional<Bytes> end =
            i + 1 < starts.size() ? Optional.of(starts.get(i + 1).key) : Optional.empty();
        places.add(new Place(start.node, start.position, KeyRange.between(start.key, end)));
      }
      return BatonTree.of(places);
    } catch (IllegalArgumentException | WrongArgumentException broken) {
      throw malformed(broken);
    }
  }

  private record Start(NodeId node, TreePosition position, Bytes key) {}

  private static void writeStart(WireWriter out, Place place) {
    out.node(place.node())
        .u8(place.position().level())
        .varint(place.position().number())
        .bytes(place.keys().start());
  }

  private static Start readStart(WireReader in) {
    NodeId node = in.node();
    int level = in.u8();
    long number = in.natural();
    try {
      return new Start(node, new TreePosition(level, number), in.bytes());
    } catch (IllegalArgumentException broken) {
      throw malformed(broken);
    }
  }

  private static MalformedMessageException malformed(RuntimeException broken) {
    return new MalformedMessageException("not a tree: " + broken.getMessage());
  }
}
