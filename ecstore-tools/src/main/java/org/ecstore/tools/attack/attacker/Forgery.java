package org.ecstore.tools.attack.attacker;

import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.ecstore.core.message.Envelope;
import org.ecstore.core.message.EnvelopeCodec;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.ReadLevel;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.replication.message.ReplicationMessage.MapRequest;
import org.ecstore.txn.message.NodeMessages;
import org.ecstore.verify.door.RawClient;

/**
 * The forger that has no secret: greets as any node of the cluster, requests as an operator, and
 * claims as a client to have seen what the ledger does not have.
 */
public final class Forgery implements Attacker {
  private static final int CLAIMS = 240;
  private static final int GREETINGS_OF = 6;

  private final List<AttackedNode> nodes;
  private final Consumer<String> finding;
  private final EnvelopeCodec codec = new EnvelopeCodec(NodeMessages.tables());

  public Forgery(List<AttackedNode> nodes, Consumer<String> finding) {
    this.nodes = nodes;
    this.finding = finding;
  }

  @Override
  public int strike(AttackedNode node, SplittableRandom random) throws IOException {
    return random.nextInt(GREETINGS_OF) == 0 ? greet(node, random) : claim(node, random);
  }

  private int greet(AttackedNode node, SplittableRandom random) throws IOException {
    AttackedNode as = nodes.get(random.nextInt(nodes.size()));
    NodeId who = random.nextInt(4) == 0 ? new NodeId(1 + random.nextLong(1 << 20)) : as.id();
    long incarnation = as.incarnation() + random.nextInt(-1, 2);
    Envelope said =
        new Envelope(who, incarnation, node.id(), far(random), new MapRequest(MapVersion.ZERO));
    Forger forger = new Forger(node.address(), node.cluster(), node.id(), random.nextLong());
    Forger.Trial trial = forger.one(random, who, incarnation, codec.encode(said));
    if (trial.answer() == Forger.Answer.BELIEVED) {
      finding.accept(node.id() + " believes one that " + trial.name() + " as " + who);
    }
    return trial.frames();
  }

  private int claim(AttackedNode node, SplittableRandom random) throws IOException {
    Burst burst = Burst.ofClient();
    for (int i = 1; i <= CLAIMS; i++) {
      burst.frame(ClientCodec.encodeRequest(i, claimed(node, random)));
    }
    try (RawClient client = new RawClient(node.address())) {
      client.strike(burst.toBytes(), reply -> check(node, reply));
    }
    return burst.frames();
  }

  private void check(AttackedNode node, ClientReply reply) {
    if (reply instanceof ClientReply.Decided) {
      finding.accept(node.id() + " obeys a request without the secret: " + reply);
    }
  }

  private static ReadPoint far(SplittableRandom random) {
    long position = random.nextBoolean() ? Long.MAX_VALUE - 5 : random.nextLong(Long.MAX_VALUE);
    return new ReadPoint(
        new Position(position),
        random.nextBoolean() ? MapVersion.ZERO : new MapVersion(random.nextLong(Long.MAX_VALUE)));
  }

  private ClientRequest claimed(AttackedNode node, SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> new ClientRequest.AskChallenge();
      case 1, 2 ->
          new ClientRequest.Administer(
              adminRequest(node, random), random.nextInt(9), proof(random));
      case 3 -> new ClientRequest.Begin(ReadLevel.SESSION, far(random));
      case 4 -> new ClientRequest.BeginAt(far(random).position());
      case 5 -> new ClientRequest.AskOutcome(new TxnId(random.nextLong(), 1), far(random));
      case 6 ->
          new ClientRequest.Get(
              far(random),
              new RangeId(random.nextLong(9)),
              new Epoch(random.nextLong(Long.MAX_VALUE)),
              List.of(RealRequests.JUNK.start()));
      default -> new ClientRequest.Begin(ReadLevel.STRONG, far(random));
    };
  }

  private static AdminRequest adminRequest(AttackedNode node, SplittableRandom random) {
    return random.nextBoolean() ? new AdminRequest.Drain(node.id()) : new AdminRequest.Rebalance();
  }

  private static Bytes proof(SplittableRandom random) {
    byte[] proof = new byte[random.nextInt(4) == 0 ? random.nextInt(64) : 32];
    random.nextBytes(proof);
    return Bytes.wrap(proof);
  }
}
