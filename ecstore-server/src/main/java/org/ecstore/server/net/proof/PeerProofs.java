package org.ecstore.server.net.proof;

import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/**
 * What two nodes prove to each other when one connects to the other (decision 0035):
 *
 * <pre>
 *   opener    PeerHello: cluster, who, in which incarnation, to whom, a challenge
 *   acceptor  a challenge
 *   opener    its proof
 *   acceptor  its proof, once membership knows the opener in this incarnation
 *   opener    messages, each with a {@link FrameSeal}
 * </pre>
 *
 * <p>Each proof is an HMAC under the cluster's secret over all of the greeting, both challenges and
 * the role of who proves: neither can be used again, by the other side, or for another node.
 */
public final class PeerProofs {
  private static final String OPENER = "ecStore 2: a node connects";
  private static final String ACCEPTOR = "ecStore 2: a node is connected to";
  private static final String SESSION = "ecStore 2: frames of a node";

  private final ClusterSecret secret;
  private final Bytes greeting;

  /**
   * The proofs of one greeting.
   *
   * @param challenge of the acceptor
   */
  public PeerProofs(ClusterSecret secret, PeerHello hello, Bytes challenge) {
    this.secret = secret;
    greeting = new WireWriter().bytes(hello.encode()).bytes(challenge).toBytes();
  }

  /** By what the opener shows that it has the secret. */
  public Bytes opener() {
    return proof(OPENER);
  }

  /** By what the acceptor shows it. */
  public Bytes acceptor() {
    return proof(ACCEPTOR);
  }

  /** The seal of the messages that follow. */
  public FrameSeal seal() {
    return new FrameSeal(ClusterSecret.keyedBy(proof(SESSION)));
  }

  private Bytes proof(String label) {
    return secret.proof(new WireWriter().text(label).bytes(greeting).toBytes());
  }

  /** A challenge or a proof as the body of a frame. */
  public static Bytes encode(Bytes value) {
    return new WireWriter().u8(PeerHello.VERSION).bytes(value).toBytes();
  }

  /**
   * The challenge or proof in the body of a frame.
   *
   * @throws MalformedMessageException if it is none
   */
  public static Bytes decode(Bytes body) {
    WireReader in = new WireReader(body);
    if (in.u8() != PeerHello.VERSION) {
      throw new MalformedMessageException("not of the greeting of nodes");
    }
    Bytes value = in.bytes(ClusterSecret.PROOF_BYTES);
    in.expectEnd();
    if (value.length() != ClusterSecret.PROOF_BYTES) {
      throw new MalformedMessageException("a greeting cut short");
    }
    return value;
  }
}
