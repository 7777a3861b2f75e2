package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.core.message.NodeMessage;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.replication.message.ReplicationMessage.MapRequest;
import org.ecstore.txn.message.NodeMessages;

/**
 * The forger that has the secret: in the name of another node it says that the ledger goes far
 * beyond where it is (decision 0035), and last something that no node says: of another incarnation,
 * by another's way, to another, changed, or no message at all.
 */
public final class SecretHolder implements Attacker {
  private static final int MESSAGES = 250;

  private final List<AttackedNode> nodes;
  private final ClusterSecret secret;
  private final EnvelopeCodec codec = new EnvelopeCodec(NodeMessages.tables());

  public SecretHolder(List<AttackedNode> nodes, ClusterSecret secret) {
    this.nodes = nodes;
    this.secret = secret;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    AttackedNode as = other(nodes, node, random);
    try (ProvenPeer peer = new ProvenPeer(node, as, secret)) {
      Burst burst = new Burst();
      for (int i = 0; i < MESSAGES; i++) {
        burst.raw(peer.sealed(codec.encode(far(as.id(), as.incarnation(), node.id(), random))));
      }
      peer.end(burst.raw(last(peer, node, as, random)).toBytes());
    }
    return MESSAGES + 1;
  }

  /** Any node but this one. */
  static AttackedNode other(List<AttackedNode> nodes, AttackedNode node, SplittableRandom random) {
    List<AttackedNode> others =
        nodes.stream().filter(each -> !each.id().equals(node.id())).toList();
    return others.get(random.nextInt(others.size()));
  }

  private Bytes last(ProvenPeer peer, AttackedNode node, AttackedNode as, SplittableRandom random) {
    long incarnation = as.incarnation();
    Bytes good = codec.encode(far(as.id(), incarnation, node.id(), random));
    return switch (random.nextInt(5)) {
      case 0 -> peer.sealed(codec.encode(far(as.id(), incarnation + 1, node.id(), random)));
      case 1 -> peer.sealed(codec.encode(far(node.id(), incarnation, node.id(), random)));
      case 2 -> peer.sealed(codec.encode(far(as.id(), incarnation, as.id(), random)));
      case 3 -> peer.sealed(good.slice(0, random.nextInt(good.length())));
      default -> flipped(peer.sealed(good), random);
    };
  }

  private static Bytes flipped(Bytes frame, SplittableRandom random) {
    byte[] array = frame.array().clone();
    array[Integer.BYTES + random.nextInt(array.length - Integer.BYTES)] ^=
        (byte) (1 << random.nextInt(8));
    return Bytes.wrap(array);
  }

  private static Envelope far(NodeId from, long incarnation, NodeId to, SplittableRandom random) {
    long position = random.nextBoolean() ? Long.MAX_VALUE - 5 : random.nextLong(Long.MAX_VALUE);
    NodeMessage body =
        random.nextInt(8) == 0
            ? new MapRequest(MapVersion.ZERO)
            : new MapNews(List.of(), Optional.empty());
    return new Envelope(
        from, incarnation, to, new ReadPoint(new Position(position), MapVersion.ZERO), body);
  }
}
