package org.ecstore.server;

import java.time.Duration;
import java.util.function.BiConsumer;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.port.Event;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.loop.LateEvents;

/**
 * Refuses requests that waited in a node's inbox for so long that who sent them will have given
 * them up before they are done. A commit that is refused here was not begun, and its client is told
 * so while it still listens: half of its time is left. Questions what became of a commit are
 * answered however late, for they settle others; so is who looks at this node, as operators do when
 * it is late, but not who looks at the whole cluster, of which another node knows as much.
 */
final class LateRequests implements LateEvents {
  private static final long WAIT_NANOS_MAX = Duration.ofSeconds(2).toNanos();

  private final BiConsumer<ClientCall, ClientReply> reply;

  LateRequests(BiConsumer<ClientCall, ClientReply> reply) {
    this.reply = reply;
  }

  @Override
  public boolean refused(Event event, long waitedNanos) {
    if (!(event instanceof Event.Called(var call, var request))
        || waitedNanos <= timeoutNanos(request)) {
      return false;
    }
    String detail = "waited in line for " + waitedNanos / 1_000_000 + " ms and was not begun";
    reply.accept(call, new ClientReply.Refused(RefusalCode.OVERLOADED, detail));
    return true;
  }

  private static long timeoutNanos(ClientRequest request) {
    return switch (request) {
      case ClientRequest.Commit commit ->
          Math.min(WAIT_NANOS_MAX, commit.timeoutMillis() * 1_000_000L / 2);
      case ClientRequest.Locate _,
          ClientRequest.Begin _,
          ClientRequest.BeginWith _,
          ClientRequest.BeginAt _,
          ClientRequest.Get _,
          ClientRequest.Scan _,
          ClientRequest.QuorumGet _,
          ClientRequest.QuorumWait _,
          ClientRequest.ReadChanges _,
          ClientRequest.Status _,
          ClientRequest.AskDecisions _,
          ClientRequest.ExplainBalance _,
          ClientRequest.AskObjectives _,
          ClientRequest.AskControl _,
          ClientRequest.AskTables _,
          ClientRequest.AskWholeTable _ ->
          WAIT_NANOS_MAX;
      case ClientRequest.Hello _,
          ClientRequest.RenewSnapshot _,
          ClientRequest.EndSnapshot _,
          ClientRequest.AskOutcome _,
          ClientRequest.Inspect _,
          ClientRequest.Explain _,
          ClientRequest.Administer _,
          ClientRequest.AskChallenge _ ->
          Long.MAX_VALUE;
    };
  }
}
