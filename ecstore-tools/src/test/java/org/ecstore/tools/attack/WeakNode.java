package org.ecstore.tools.attack;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.id.NodeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.server.net.proof.PeerHello;
import org.ecstore.server.net.proof.PeerProofs;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.ecstore.tools.attack.attacker.ProvenPeer;
import org.ecstore.wire.Preamble;

/** A node's port with planted weaknesses, to see that the attackers find them. */
final class WeakNode implements AutoCloseable {
  private static final int GREETING_MAX = 4_096;
  private static final int FRAME_MAX = 80 << 20;

  private final ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final Set<Weakness> weaknesses;
  private final ClusterSecret secret;
  private final Bytes always = ClusterSecret.challenge();

  /** What is wrong with it. */
  enum Weakness {
    /** It answers every peer that says that it is a node. */
    BELIEVES_NODES,
    /** It does what any peer requests. */
    OBEYS_WISHES,
    /** It takes a greeting of any length. */
    LONG_GREETINGS,
    /** It gives the same challenge each time. */
    SAME_CHALLENGE,
    /** It answers a large transaction with what no client expects. */
    WRONG_ANSWERS
  }

  WeakNode(ClusterSecret secret, Set<Weakness> weaknesses) throws IOException {
    this.secret = secret;
    this.weaknesses = EnumSet.copyOf(weaknesses);
    Thread.ofVirtual().start(this::accept);
  }

  AttackedNode asSeen(long id) {
    return new AttackedNode(
        (InetSocketAddress) listening.getLocalSocketAddress(),
        List.of(),
        "weak",
        new NodeId(id),
        1);
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listening.accept();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      byte[] preamble = new byte[Preamble.LENGTH];
      in.readFully(preamble);
      if (Bytes.wrap(preamble).equals(Preamble.NODE)) {
        serveNode(in, out);
      } else {
        serveClient(in, out);
      }
    } catch (IOException | RuntimeException cut) {
      // As a node does upon what it does not understand.
    }
  }

  private Bytes readGreeting(DataInputStream in) throws IOException {
    Bytes body = read(in);
    if (body.length() > GREETING_MAX && !weaknesses.contains(Weakness.LONG_GREETINGS)) {
      throw new IOException("too long");
    }
    return body;
  }

  private static Bytes read(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > FRAME_MAX) {
      throw new IOException("no frame");
    }
    byte[] body = new byte[length];
    in.readFully(body);
    return Bytes.wrap(body);
  }

  private static void write(DataOutputStream out, Bytes body) throws IOException {
    out.write(ProvenPeer.framed(body).array());
    out.flush();
  }

  private void serveNode(DataInputStream in, DataOutputStream out) throws IOException {
    PeerHello hello = PeerHello.decode(readGreeting(in));
    Bytes challenge =
        weaknesses.contains(Weakness.SAME_CHALLENGE) ? always : ClusterSecret.challenge();
    write(out, PeerProofs.encode(challenge));
    Bytes proof = PeerProofs.decode(read(in));
    PeerProofs proofs = new PeerProofs(secret, hello, challenge);
    boolean proven = ClusterSecret.same(proofs.opener(), proof);
    if (proven || weaknesses.contains(Weakness.BELIEVES_NODES)) {
      write(out, PeerProofs.encode(proofs.acceptor()));
      while (proven) {
        read(in);
      }
    }
  }

  private void serveClient(DataInputStream in, DataOutputStream out) throws IOException {
    while (true) {
      CorrelatedRequest call = ClientCodec.decodeRequest(read(in));
      write(out, ClientCodec.encodeReply(call.correlation(), reply(call.request())));
    }
  }

  private ClientReply reply(ClientRequest request) {
    return switch (request) {
      case ClientRequest.Hello _ ->
          new ClientReply.Welcome(ProtocolVersions.SPOKEN.highest(), "weak", new NodeId(1));
      case ClientRequest.Begin _ -> new ClientReply.Begun(ReadPoint.ZERO, 0, 0);
      case ClientRequest.Administer _ when weaknesses.contains(Weakness.OBEYS_WISHES) ->
          new ClientReply.Decided(new NodeId(1), List.of());
      case ClientRequest.Commit _ when weaknesses.contains(Weakness.WRONG_ANSWERS) ->
          new ClientReply.QuorumReached(1);
      default -> new ClientReply.OutcomeUnknown("it is weak");
    };
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
