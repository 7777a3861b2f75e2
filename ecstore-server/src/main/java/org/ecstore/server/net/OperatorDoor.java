package org.ecstore.server.net;

import java.util.Optional;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass for which there is room, and requests of operators that come from a holder of
 * the cluster's secret (decision 0035). One for each connection of a client; event loop only.
 */
final class OperatorDoor {
  private final Optional<ClusterSecret> secret;
  private final ConnectionSlots.Slot slot;
  private final int slots;
  private @Nullable Bytes challenge;

  OperatorDoor(Optional<ClusterSecret> secret, ConnectionSlots.Slot slot, int slots) {
    this.secret = secret;
    this.slot = slot;
    this.slots = slots;
  }

  /** What has to be said to a request here; absent if it may pass. */
  Optional<ClientReply> answer(ClientRequest request) {
    return switch (request) {
      case ClientRequest.AskChallenge _ -> Optional.of(ask());
      case ClientRequest.Administer adminRequest -> operate(adminRequest);
      case ClientRequest.Hello _ -> {
        slot.sit();
        yield Optional.empty();
      }
      default -> isLook(request) || slot.sit() ? Optional.empty() : Optional.of(noRoom());
    };
  }

  /**
   * Whether a request is of those by which an operator looks, which need no seat. Their answers are
   * as long as the cluster is large, however short the question: so a connection has few of them
   * under way.
   */
  static boolean isLook(ClientRequest request) {
    return switch (request) {
      case ClientRequest.Inspect _,
          ClientRequest.Status _,
          ClientRequest.AskDecisions _,
          ClientRequest.ExplainBalance _,
          ClientRequest.AskObjectives _,
          ClientRequest.AskControl _,
          ClientRequest.AskTables _,
          ClientRequest.AskWholeTable _ ->
          true;
      default -> false;
    };
  }

  private ClientReply noRoom() {
    return new ClientReply.Refused(
        RefusalCode.OVERLOADED, "there are " + slots + " connections of clients already");
  }

  private Optional<ClientReply> operate(ClientRequest.Administer adminRequest) {
    Optional<String> objection = objection(adminRequest);
    if (objection.isEmpty()) {
      slot.isOperator();
    }
    return objection.map(OperatorDoor::refused);
  }

  private ClientReply ask() {
    Bytes fresh = ClusterSecret.challenge();
    challenge = fresh;
    return new ClientReply.Challenge(fresh);
  }

  private Optional<String> objection(ClientRequest.Administer adminRequest) {
    Bytes asked = challenge;
    challenge = null;
    if (secret.isEmpty()) {
      return Optional.of(
          "this node has no secret, so it takes no requests: see cluster.secret-file");
    }
    if (asked == null) {
      return Optional.of("a request without a challenge before it");
    }
    return OperatorProof.isGood(secret.get(), asked, adminRequest)
        ? Optional.empty()
        : Optional.of(
            "the operator does not have the secret of this cluster: name its file in"
                + " --secret-file");
  }

  private static ClientReply refused(String why) {
    return new ClientReply.Refused(RefusalCode.BAD_REQUEST, why);
  }
}
