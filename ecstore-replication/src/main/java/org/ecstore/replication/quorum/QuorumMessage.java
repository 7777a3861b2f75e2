package org.ecstore.replication.quorum;

import java.util.List;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.message.Reply;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;

/** Messages of quorum reads and writes. All are under one {@code (range, epoch)}. */
public sealed interface QuorumMessage extends NodeMessage {
  /** What has your copy of this key? {@code whole} asks for the value, not only its digest. */
  record Probe(long call, RangeId range, Epoch epoch, Bytes key, boolean whole)
      implements QuorumMessage {}

  /** The answer; from a primary also how far others have closed, by their own word to it. */
  record Probed(long call, CopyAnswer answer, List<Held> others) implements QuorumMessage, Reply {
    public Probed {
      others = List.copyOf(others);
    }
  }

  /** A copy was closed there. */
  record Held(NodeId node, Position closed) {}

  /** No copy that counts, under that epoch, at present. */
  record NotCounted(long call, String detail) implements QuorumMessage, Reply {}

  /** Answer when your copy is closed at this position: bring it there if it is not. */
  record Reach(long call, RangeId range, Epoch epoch, Position position) implements QuorumMessage {}

  /** The copy is closed there. */
  record Reached(long call, Position closed) implements QuorumMessage, Reply {}

  /** To the primary: through where must my copy be closed before it counts? */
  record Confirm(long call, RangeId range, Epoch epoch) implements QuorumMessage {}

  /** The position through which a copy must be closed to count. */
  record Confirmed(long call, Position through) implements QuorumMessage, Reply {}

  /** To the primary: answer when {@code w} copies have this commit. */
  record Await(long call, RangeId range, Epoch epoch, int w, Position number, long waitNanos)
      implements QuorumMessage {}

  /** So many copies have it; fewer than asked for once the time is over. */
  record Awaited(long call, int copies) implements QuorumMessage, Reply {}
}
