package org.ecstore.server.net;

import java.util.Optional;
import org.ecstore.key.Bytes;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.server.secret.ClusterSecret;
import org.ecstore.server.secret.OperatorProof;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests pass for which there is room, and wishes of operators that come from a holder of
 * the cluster's secret (decision 0035). One for each connection of a client; event loop only.
 */
final class OperatorDoor {
  private final Optional<ClusterSecret> secret;
  private final ConnectionSlots.Seat seat;
  private final int seats;
  private @Nullable Bytes challenge;

  OperatorDoor(Optional<ClusterSecret> secret, ConnectionSlots.Seat seat, int seats) {
    this.secret = secret;
    this.seat = seat;
    this.seats = seats;
  }

  /** What is to be said to a request here; absent if it may pass. */
  Optional<ClientReply> answer(ClientRequest request) {
    return switch (request) {
      case ClientRequest.AskChallenge _ -> Optional.of(ask());
      case ClientRequest.Operate wish -> operate(wish);
      case ClientRequest.Hello _ -> {
        seat.sit();
        yield Optional.empty();
      }
      // To look costs little, and is what an operator does first.
      case ClientRequest.Inspect _,
          ClientRequest.Status _,
          ClientRequest.AskDecisions _,
          ClientRequest.ExplainBalance _ ->
          Optional.empty();
      default -> seat.sit() ? Optional.empty() : Optional.of(noRoom());
    };
  }

  private ClientReply noRoom() {
    return new ClientReply.Refused(
        RefusalCode.OVERLOADED, "there are " + seats + " connections of clients already");
  }

  private Optional<ClientReply> operate(ClientRequest.Operate wish) {
    Optional<String> objection = objection(wish);
    if (objection.isEmpty()) {
      seat.isOperator();
    }
    return objection.map(OperatorDoor::refused);
  }

  private ClientReply ask() {
    Bytes fresh = ClusterSecret.challenge();
    challenge = fresh;
    return new ClientReply.Challenge(fresh);
  }

  private Optional<String> objection(ClientRequest.Operate wish) {
    Bytes asked = challenge;
    challenge = null;
    if (secret.isEmpty()) {
      return Optional.of("this node has no secret, so it takes no wishes: see cluster.secret-file");
    }
    if (asked == null) {
      return Optional.of("a wish without a challenge before it");
    }
    return OperatorProof.isGood(secret.get(), asked, wish)
        ? Optional.empty()
        : Optional.of(
            "who wishes does not have the secret of this cluster: give its file in --secret-file");
  }

  private static ClientReply refused(String why) {
    return new ClientReply.Refused(RefusalCode.BAD_REQUEST, why);
  }
}
