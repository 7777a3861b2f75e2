package org.ecstore.tools.attack.attacker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.key.Bytes;
import org.ecstore.server.net.proof.FrameSeal;
import org.ecstore.server.net.proof.PeerHello;
import org.ecstore.server.net.proof.PeerProofs;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;

/**
 * A connection by which an attacker with the secret stands in for a node; it keeps what it said.
 */
public final class ProvenPeer implements AutoCloseable {
  private final RawClient wire;
  private final ByteArrayOutputStream said = new ByteArrayOutputStream();
  private final FrameSeal seal;

  /**
   * Greets.
   *
   * @throws IOException if the node does not let it in
   */
  ProvenPeer(AttackedNode node, AttackedNode as, ClusterSecret secret) throws IOException {
    wire = new RawClient(node.address());
    PeerHello hello =
        new PeerHello(
            node.cluster(), as.id(), as.incarnation(), node.id(), ClusterSecret.challenge());
    boolean open = false;
    try {
      say(Preamble.NODE.concat(framed(hello.encode())));
      PeerProofs proofs = new PeerProofs(secret, hello, PeerProofs.decode(frame()));
      say(framed(PeerProofs.encode(proofs.opener())));
      if (!ClusterSecret.same(proofs.acceptor(), PeerProofs.decode(frame()))) {
        throw new IOException(node.id() + " does not prove itself");
      }
      seal = proofs.seal();
      open = true;
    } finally {
      if (!open) {
        wire.close();
      }
    }
  }

  private Bytes frame() throws IOException {
    Bytes body = wire.receiveFrame();
    if (body.length() == 0) {
      throw new IOException("the greeting is cut");
    }
    return body;
  }

  private void say(Bytes bytes) throws IOException {
    said.writeBytes(bytes.array());
    wire.sendRaw(bytes);
  }

  public static Bytes framed(Bytes body) {
    return new WireWriter().i32(body.length()).raw(body.array()).toBytes();
  }

  /** A message with its seal, to be sent in the order of these calls. */
  Bytes sealed(Bytes body) {
    return framed(body.concat(Bytes.wrap(seal.next(body))));
  }

  /** Sends what was sealed. */
  void send(Bytes frames) throws IOException {
    say(frames);
  }

  /** Sends the last bytes, and waits until the node has taken them or closed the connection. */
  void end(Bytes last) throws IOException {
    wire.strike(last);
  }

  /** All that it has said, as a listener on the way has seen it. */
  Bytes said() {
    return Bytes.wrap(said.toByteArray());
  }

  @Override
  public void close() throws IOException {
    wire.close();
  }
}
