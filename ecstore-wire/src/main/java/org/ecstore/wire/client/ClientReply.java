package org.ecstore.wire.client;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;

/** What a node answers. */
public sealed interface ClientReply {
  /** To {@link ClientRequest.Hello}. */
  record Welcome(int protocolVersion, String clusterId, NodeId node) implements ClientReply {}

  /** To {@link ClientRequest.Locate}; {@code hops} counts the nodes asked beyond the first. */
  record Located(Route route, int hops) implements ClientReply {}

  /** To Begin, BeginAt and RenewSnapshot: read at the point until the lease ends. */
  record Begun(ReadPoint point, long lease, int leaseMillis) implements ClientReply {}

  /** To {@link ClientRequest.Get}, one element a key, in the order asked. */
  record Values(List<Optional<Row>> rows) implements ClientReply {}

  /**
   * To {@link ClientRequest.Scan}: the rows in scan order and the part of the interval that they
   * are all of. If {@code covered} is less than was asked, the scan goes on from where it ends.
   */
  record Scanned(List<Row> rows, KeyRange covered) implements ClientReply {}

  /** Committed and durable. */
  record Committed(Position number, ReadPoint point) implements ClientReply {}

  /** Not committed, and never will be. */
  record Aborted(AbortReason reason, ReadPoint point) implements ClientReply {}

  /** The outcome is not known: ask again, or elsewhere, with {@link ClientRequest.AskOutcome}. */
  record OutcomeUnknown(String detail) implements ClientReply {}

  /** The snapshot is below the outcome floor: the outcome is no longer known (rule 7). */
  record OutcomeExpired(Position floor) implements ClientReply {}

  /** The range is not (or no longer) served here under that epoch: what the node knows instead. */
  record WrongRange(List<Route> routes) implements ClientReply {}

  /** Refused: nothing was done. */
  record Refused(RefusalCode code, String detail) implements ClientReply {}

  /** To {@link ClientRequest.Status}. */
  record StatusReport(ReadPoint point, List<NodeLine> nodes, List<Route> ranges)
      implements ClientReply {}

  /** One node in a status report. */
  record NodeLine(NodeId node, String address, String roles) {}
}
