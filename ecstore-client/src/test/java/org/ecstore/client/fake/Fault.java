package org.ecstore.client.fake;

import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/** What goes wrong with a request. */
public sealed interface Fault {
  /** Nothing. */
  record None() implements Fault {}

  /** It does not leave the client. */
  record NotSent() implements Fault {}

  /** The connection breaks before the node gets it. */
  record LoseRequest() implements Fault {}

  /** The node does it, then the connection breaks. */
  record LoseReply() implements Fault {}

  /** The node does it; nothing is heard before the timeout. */
  record SlowReply() implements Fault {}

  /** It hangs in the network beyond the timeout, and arrives after the next question. */
  record Late() implements Fault {}

  /** The node answers this instead of doing it. */
  record Instead(ClientReply reply) implements Fault {}

  /** Chooses the fault for each request. */
  interface Plan {
    Fault on(String address, ClientRequest request);

    /** Commits are done, and what became of them cannot be found out. */
    static Plan outcomesLost() {
      return (address, request) ->
          request instanceof ClientRequest.Commit
              ? new LoseReply()
              : request instanceof ClientRequest.AskOutcome ? new LoseRequest() : new None();
    }
  }
}
