package org.ecstore.server.secret;

import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.WireWriter;

/**
 * By what an operator shows that it has the secret: a proof over the node's challenge and over the
 * wish itself, so that who hands the wish on cannot make another of it.
 */
public final class OperatorProof {
  private static final String LABEL = "ecStore 1: an operator wishes";

  private OperatorProof() {}

  /** The wish with its proof. */
  public static ClientRequest.Operate sign(
      ClusterSecret secret, Bytes challenge, ClientRequest.Operate wish) {
    return wish.with(over(secret, challenge, wish));
  }

  /** Whether a wish has come from a holder of the secret, in answer to this challenge. */
  public static boolean isGood(ClusterSecret secret, Bytes challenge, ClientRequest.Operate wish) {
    return ClusterSecret.same(wish.proof(), over(secret, challenge, wish));
  }

  private static Bytes over(ClusterSecret secret, Bytes challenge, ClientRequest.Operate wish) {
    Bytes said = ClientCodec.encodeRequest(0, wish.with(Bytes.EMPTY));
    return secret.proof(new WireWriter().text(LABEL).bytes(challenge).bytes(said).toBytes());
  }
}
