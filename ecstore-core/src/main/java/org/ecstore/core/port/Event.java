package org.ecstore.core.port;

import java.util.List;
import java.util.Optional;
import org.ecstore.core.message.Envelope;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientRequest;

/** Everything that a node learns comes as one of these, one at a time, on its event loop. */
public sealed interface Event {
  /** A message of another node. */
  record Delivered(Envelope envelope) implements Event {}

  /** A request of a client. */
  record Called(ClientCall call, ClientRequest request) implements Event {}

  /** A client's connection is of this application, as the client says. */
  record Greeted(long connection, String application) implements Event {}

  /**
   * A client has sent a report of the service that it has, along with a request.
   *
   * @param application which it says that it is; empty if it says none
   */
  record Reported(long connection, String application, Bytes report) implements Event {}

  /** A client's connection has closed: its leases end, its calls need no reply. */
  record ClientGone(long connection) implements Event {}

  record TimerFired(long token) implements Event {}

  record EngineDone(long token, EngineResult result) implements Event {}

  record LedgerDone(long token, LedgerResult result) implements Event {}

  record CoordinationDone(long token, CoordinationResult result) implements Event {}

  /**
   * Who is there, as coordination knows it.
   *
   * @param members the live members, this node among them, in order of their ids
   * @param succession the same nodes in the order in which they would lead, if none joined or went
   *     meanwhile but who leads
   */
  record MembersChanged(List<Coordination.Member> members, List<NodeId> succession)
      implements Event {}

  /** The node that should be sequencer and steward; absent while none is. Only a hint (rule 6). */
  record LeaderHinted(Optional<NodeId> leader) implements Event {}

  /** A watched value has changed. */
  record KeyChanged(String key) implements Event {}

  /**
   * Another process has joined under this node's id, with this incarnation or a later one. This one
   * is no member any more, hears no more news, and must end.
   */
  record Displaced(long by) implements Event {}

  /**
   * What this node uses of its process has met a bug and does nothing any more: the node must end,
   * so that its guard starts it anew.
   *
   * @param part which it is, for people
   * @param detail what it met
   */
  record PartFailed(String part, String detail) implements Event {}
}
