package org.ecstore.client.retry;

import org.ecstore.protocol.ClientReply;

/** What came of asking a node. */
public sealed interface Answer {
  /** It replied. */
  record Replied(ClientReply reply) implements Answer {}

  /** No reply, and the request never left: nothing was done. */
  record NotSent(String detail) implements Answer {}

  /** No reply, though the request left: it may have been done, or may be done later. */
  record NoReply(String detail) implements Answer {}

  /** The caller was interrupted or the store closed while it waited: no more may be asked. */
  record Ended(String detail) implements Answer {}
}
