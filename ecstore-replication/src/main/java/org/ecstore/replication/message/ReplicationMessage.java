package org.ecstore.replication.message;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.map.MapChange;
import org.ecstore.core.map.RangeMap;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.core.message.Reply;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Row;
import org.ecstore.wire.Limits;

/** Messages between the replication strata of two nodes. */
public sealed interface ReplicationMessage extends NodeMessage {
  /** Send me the map changes after the version I have (rule 8). */
  record MapRequest(MapVersion have) implements ReplicationMessage {}

  /**
   * Map changes in order, or the whole map where the changes are no longer kept. Only recorded
   * changes: the envelope's pair covers them.
   */
  record MapNews(List<MapChange> changes, Optional<RangeMap> whole) implements ReplicationMessage {
    public MapNews {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Send me a part of your copy: the rows of an interval, from a key on, as of one position. {@code
   * stamp} is the position of the first chunk of the transfer, absent in the question for that one
   * (rule 10).
   */
  record CopyFetch(
      long call, long transfer, RangeId range, Epoch epoch, KeyRange rest, Optional<Position> stamp)
      implements ReplicationMessage {}

  /**
   * Rows as of {@code stamp}, which is that of the transfer, or above where versions as of that are
   * folded by now (rule W7); {@code complete} if nothing is left of the interval.
   */
  record CopyChunk(long call, Position stamp, List<Row> rows, boolean complete)
      implements ReplicationMessage, Reply {
    public CopyChunk {
      rows = List.copyOf(rows);
    }
  }

  /** No copy to send, or none that has all through that stamp. */
  record CopyRefused(long call, String detail) implements ReplicationMessage, Reply {}

  /** The transfer is over: the ledger need not be kept for it. */
  record CopyDone(long transfer) implements ReplicationMessage {}

  /** Which key halves your range? */
  record MiddleRequest(long call, RangeId range, Epoch epoch, boolean byLoad)
      implements ReplicationMessage {}

  /** The key, if there is one. */
  record MiddleReply(long call, Optional<Bytes> key) implements ReplicationMessage, Reply {}

  /**
   * From the primary to a secondary (rule 11): every write to the range above {@code previous}
   * through {@code closed}, in order of their numbers. A heartbeat is one without writes. The epoch
   * is the stream's incarnation: under it one incarnation of one node is primary.
   */
  record StreamUpdate(
      RangeId range, Epoch epoch, Position previous, Position closed, List<VersionedWrite> writes)
      implements ReplicationMessage {
    public StreamUpdate {
      writes = List.copyOf(writes);
    }

    @Override
    public long weight() {
      long bytes = 0;
      for (VersionedWrite write : writes) {
        bytes += write.bytes() + Limits.ITEM_HEAP_BYTES;
      }
      return bytes;
    }
  }

  /** From a secondary: its copy is closed at this position, send what is above. */
  record StreamAck(RangeId range, Epoch epoch, Position closed) implements ReplicationMessage {}
}
