package org.ecstore.server.admission;

import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;

/**
 * Why something was not admitted. Nothing was done for it.
 *
 * @param code {@code OVERLOADED}, or {@code TOO_LARGE} for what can never fit here
 * @param againMillis when it is worth another try; 0 for what can never fit
 */
public record Refusal(RefusalCode code, String detail, int againMillis) {
  /** The answer to a client. */
  public ClientReply.Refused reply() {
    return new ClientReply.Refused(code, detail, againMillis);
  }
}
