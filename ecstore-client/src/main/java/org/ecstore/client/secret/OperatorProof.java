package org.ecstore.client.secret;

import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.WireWriter;

/**
 * By what an operator shows that it has the secret: a proof over the node's challenge and over the
 * request itself, so that who hands the request on cannot make another of it.
 */
public final class OperatorProof {
  private static final String LABEL = "ecStore 1: an operator request";

  private OperatorProof() {}

  /** The request with its proof. */
  public static ClientRequest.Administer sign(
      ClusterSecret secret, Bytes challenge, ClientRequest.Administer adminRequest) {
    return adminRequest.with(over(secret, challenge, adminRequest));
  }

  /** Whether a request has come from a holder of the secret, in answer to this challenge. */
  public static boolean isGood(
      ClusterSecret secret, Bytes challenge, ClientRequest.Administer adminRequest) {
    return ClusterSecret.same(adminRequest.proof(), over(secret, challenge, adminRequest));
  }

  private static Bytes over(
      ClusterSecret secret, Bytes challenge, ClientRequest.Administer adminRequest) {
    Bytes said = ClientCodec.encodeRequest(0, adminRequest.with(Bytes.EMPTY));
    return secret.proof(new WireWriter().text(LABEL).bytes(challenge).bytes(said).toBytes());
  }
}
