package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.replication.message.ReplicationMessage.MapNews;
import org.ecstore.txn.message.NodeMessages;
import org.ecstore.verify.door.RawClient;

/**
 * One on the way, who has seen a greeting and sealed messages and says them again: later on the
 * same connection, on another one that is not greeted, and on one that is.
 */
public final class Replay implements Attacker {
  private static final int MESSAGES = 60;

  private final List<AttackedNode> nodes;
  private final ClusterSecret secret;
  private final Consumer<String> finding;
  private final EnvelopeCodec codec = new EnvelopeCodec(NodeMessages.tables());

  public Replay(List<AttackedNode> nodes, ClusterSecret secret, Consumer<String> finding) {
    this.nodes = nodes;
    this.secret = secret;
    this.finding = finding;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    AttackedNode as = SecretHolder.other(nodes, node, random);
    Bytes message =
        codec.encode(
            new Envelope(
                as.id(),
                as.incarnation(),
                node.id(),
                ReadPoint.ZERO,
                new MapNews(List.of(), Optional.empty())));
    int replayed = 0;
    try (ProvenPeer seen = new ProvenPeer(node, as, secret)) {
      List<Bytes> sealed = new ArrayList<>();
      Burst burst = new Burst();
      for (int i = 0; i < MESSAGES; i++) {
        sealed.add(seen.sealed(message));
        burst.raw(sealed.getLast());
      }
      seen.send(burst.toBytes());
      replayed += wholly(node, seen.said());
      try (ProvenPeer other = new ProvenPeer(node, as, secret)) {
        replayed += again(other, sealed, random);
      }
      replayed += again(seen, sealed, random);
    }
    return replayed;
  }

  private static int again(ProvenPeer peer, List<Bytes> sealed, SplittableRandom random)
      throws IOException {
    Burst burst = new Burst();
    int first = random.nextInt(sealed.size());
    for (Bytes each : sealed.subList(first, sealed.size())) {
      burst.raw(each);
    }
    peer.end(burst.toBytes());
    return sealed.size() - first;
  }

  /** A node that takes it proves itself in turn. */
  private int wholly(AttackedNode node, Bytes said) throws IOException {
    try (RawClient wire = new RawClient(node.address())) {
      wire.sendRaw(said);
      wire.receiveFrame();
      if (wire.receiveFrame().length() > 0) {
        finding.accept(node.id() + " takes a connection again that it was shown");
      }
    }
    return MESSAGES + 2;
  }
}
