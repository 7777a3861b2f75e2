package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.ecstore.id.NodeId;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.server.net.proof.PeerHello;
import org.ecstore.server.net.proof.PeerProofs;
import org.ecstore.verify.door.RawClient;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;

/**
 * An attacker that has no secret and stands in for a node, knowing what any client is told: the
 * cluster, the node, the protocol. It sees nothing of the node but its port.
 */
public final class Forger {
  private static final int RANDOM_BYTES = 32;

  /** A greeting and what follows it. */
  private static final int FRAMES_A_TRIAL = 2;

  private final InetSocketAddress target;
  private final String cluster;
  private final NodeId node;
  private final SplittableRandom random;

  /** What a node did about an attack. */
  public enum Answer {
    /** It closed the connection. */
    CUT,
    /** It answered as it would to a node that has proven itself. */
    BELIEVED
  }

  /** One that knows already what a client is told. */
  Forger(InetSocketAddress target, String cluster, NodeId node, long seed) {
    this.target = target;
    this.cluster = cluster;
    this.node = node;
    this.random = new SplittableRandom(seed);
  }

  /** Learns what it needs as a client. */
  public static Forger at(InetSocketAddress target, long seed) throws IOException {
    try (RawClient client = new RawClient(target)) {
      client.sendRaw(Preamble.CLIENT);
      client.send(0, new ClientRequest.Hello(ProtocolVersions.SPOKEN, "forger"));
      if (client.receive().reply() instanceof ClientReply.Welcome(_, var cluster, var node, _, _)) {
        return new Forger(target, cluster, node, seed);
      }
      throw new IOException("no welcome");
    }
  }

  /** What came of one attack. */
  public record Trial(String name, Answer answer, int frames) {}

  /** An attack, with a message that it would have the node believe. */
  private interface Attack {
    Answer run(NodeId as, long incarnation, Bytes message) throws IOException;
  }

  private Map<String, Attack> attacks() {
    Map<String, Attack> attacks = new LinkedHashMap<>();
    attacks.put(
        "greets as nodes did before there was a secret", (as, _, say) -> greetOfOld(as, say));
    attacks.put("greets and goes on at once", this::greetOnly);
    attacks.put("guesses the proof", this::guess);
    attacks.put("sends the challenge back", this::reflect);
    attacks.put("hands the proof of the node itself back", (as, in, _) -> reflectGreeting(as, in));
    attacks.put("greets as the node itself", (_, in, say) -> guess(node, in, say));
    attacks.put("greets with a name of a mebibyte", (as, _, _) -> longName(as));
    attacks.put("sends random frames", (_, _, _) -> noise());
    return attacks;
  }

  /** Every attack once, with a message that it would have the node believe. */
  public Map<String, Answer> all(NodeId as, long incarnation, Bytes message) throws IOException {
    Map<String, Answer> answers = new LinkedHashMap<>();
    for (Map.Entry<String, Attack> each : attacks().entrySet()) {
      answers.put(each.getKey(), each.getValue().run(as, incarnation, message));
    }
    return answers;
  }

  /** One of them, drawn. */
  Trial one(SplittableRandom draw, NodeId as, long incarnation, Bytes message) throws IOException {
    var all = List.copyOf(attacks().entrySet());
    Map.Entry<String, Attack> drawn = all.get(draw.nextInt(all.size()));
    Answer answer = drawn.getValue().run(as, incarnation, message);
    return new Trial(drawn.getKey(), answer, FRAMES_A_TRIAL);
  }

  /** The greeting of version 1, which says who it is and proves nothing. */
  public Answer greetOfOld(NodeId as, Bytes message) throws IOException {
    try (RawClient wire = connected()) {
      wire.sendFrame(new WireWriter().u8(1).text(cluster).node(as).node(node).toBytes());
      return after(wire, message);
    }
  }

  private Answer greetOnly(NodeId as, long incarnation, Bytes message) throws IOException {
    try (RawClient wire = connected()) {
      wire.sendFrame(hello(as, incarnation, randomBytes()));
      wire.receiveFrame();
      return after(wire, message);
    }
  }

  private Answer guess(NodeId as, long incarnation, Bytes message) throws IOException {
    try (RawClient wire = connected()) {
      wire.sendFrame(hello(as, incarnation, randomBytes()));
      if (wire.receiveFrame().length() == 0) {
        return Answer.CUT;
      }
      wire.sendFrame(PeerProofs.encode(randomBytes()));
      return after(wire, message);
    }
  }

  /** The challenge as its own proof. */
  private Answer reflect(NodeId as, long incarnation, Bytes message) throws IOException {
    try (RawClient wire = connected()) {
      wire.sendFrame(hello(as, incarnation, randomBytes()));
      wire.sendFrame(wire.receiveFrame());
      return after(wire, message);
    }
  }

  /** What one connection is challenged with is the challenge on another. */
  private Answer reflectGreeting(NodeId as, long incarnation) throws IOException {
    try (RawClient one = connected();
        RawClient other = connected()) {
      one.sendFrame(hello(as, incarnation, randomBytes()));
      Bytes first = one.receiveFrame();
      if (first.length() == 0) {
        return Answer.CUT;
      }
      other.sendFrame(hello(as, incarnation, PeerProofs.decode(first)));
      one.sendFrame(other.receiveFrame());
      return one.closedSilently() ? Answer.CUT : Answer.BELIEVED;
    }
  }

  private Answer longName(NodeId as) throws IOException {
    try (RawClient wire = connected()) {
      wire.sendFrame(new PeerHello("x".repeat(1 << 20), as, 1, node, randomBytes()).encode());
      return wire.closedSilently() ? Answer.CUT : Answer.BELIEVED;
    } catch (IOException closed) {
      return Answer.CUT;
    }
  }

  private Answer noise() throws IOException {
    try (RawClient wire = connected()) {
      byte[] frame = new byte[2 + random.nextInt(200)];
      random.nextBytes(frame);
      wire.sendFrame(Bytes.wrap(frame));
      return after(wire, Bytes.wrap(frame));
    }
  }

  private RawClient connected() throws IOException {
    RawClient wire = new RawClient(target);
    wire.sendRaw(Preamble.NODE);
    return wire;
  }

  private Bytes hello(NodeId as, long incarnation, Bytes challenge) {
    return new PeerHello(cluster, as, incarnation, node, challenge).encode();
  }

  private Bytes randomBytes() {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static Answer after(RawClient wire, Bytes message) throws IOException {
    try {
      wire.sendFrame(message);
    } catch (IOException closed) {
      return Answer.CUT;
    }
    return wire.closedSilently() ? Answer.CUT : Answer.BELIEVED;
  }
}
