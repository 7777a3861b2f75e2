package org.ecstore.tools.attack;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.ecstore.tools.attack.attacker.Attacker;
import org.ecstore.tools.attack.attacker.Forgery;
import org.ecstore.tools.attack.attacker.Greed;
import org.ecstore.tools.attack.attacker.MutatedRequests;
import org.ecstore.tools.attack.attacker.PartialFrames;
import org.ecstore.tools.attack.attacker.RandomBytes;
import org.ecstore.tools.attack.attacker.RealRequests;
import org.ecstore.tools.attack.attacker.Replay;
import org.ecstore.tools.attack.attacker.SecretHolder;

/** The attackers of each kind, for the nodes of one cluster. */
final class Attackers {
  private final List<AttackedNode> nodes;
  private final ClusterSecret secret;
  private final Consumer<String> finding;

  /** An attacker, and what has to be let go of after it. */
  record Armed(Attacker attacker, AutoCloseable after) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      try {
        after.close();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
    }
  }

  Attackers(List<AttackedNode> nodes, ClusterSecret secret, Consumer<String> finding) {
    this.nodes = List.copyOf(nodes);
    this.secret = secret;
    this.finding = finding;
  }

  Armed of(AttackKind kind) throws IOException {
    return switch (kind) {
      case RANDOM -> armed(new RandomBytes());
      case PARTIAL -> {
        PartialFrames partial = new PartialFrames(RealRequests.at(nodes.getFirst()));
        yield new Armed(partial, partial);
      }
      case MUTATED -> armed(new MutatedRequests(RealRequests.at(nodes.getFirst())));
      case FORGED -> armed(new Forgery(nodes, finding));
      case HOLDER -> armed(new SecretHolder(nodes, secret));
      case REPLAYED -> armed(new Replay(nodes, secret, finding));
      case GREEDY -> {
        Greed greed = new Greed(finding);
        yield new Armed(greed, greed);
      }
    };
  }

  private static Armed armed(Attacker attacker) {
    return new Armed(attacker, () -> {});
  }
}
