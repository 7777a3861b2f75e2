package org.ecstore.sim.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.model.Row;

/** What the clients of quorums saw, in order of end. Times are virtual. */
public final class QuorumHistory {
  /**
   * A write of which a client was told that W copies have it.
   *
   * @param ledgerEnd the last durable position when it was told
   */
  public record Write(
      Bytes key, long number, Quorum quorum, int client, long toldNanos, long ledgerEnd) {}

  /**
   * A read: the key as of a position.
   *
   * @param nodes whose copies answered
   * @param mayBeStale whether the answer says that it may miss what a quorum has
   * @param ledgerEnd the last durable position when it was complete
   */
  public record Read(
      Bytes key,
      Optional<Row> row,
      long at,
      Quorum quorum,
      int client,
      long invokedNanos,
      long completedNanos,
      String copies,
      List<NodeId> nodes,
      boolean mayBeStale,
      long ledgerEnd) {
    public Read {
      nodes = List.copyOf(nodes);
    }

    @Override
    public String toString() {
      return "client %d read %s as %s as of %d by %s from %s%s, %.6f to %.6f s"
          .formatted(
              client,
              key,
              row.map(found -> found.value() + " of " + found.version()).orElse("absent"),
              at,
              quorum,
              copies,
              mayBeStale ? ", which may be stale" : "",
              invokedNanos / 1e9,
              completedNanos / 1e9);
    }
  }

  private final List<Write> writes = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();

  public void add(Write write) {
    writes.add(write);
  }

  public void add(Read read) {
    reads.add(read);
  }

  public List<Write> writes() {
    return Collections.unmodifiableList(writes);
  }

  public List<Read> reads() {
    return Collections.unmodifiableList(reads);
  }
}
