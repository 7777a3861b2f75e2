package org.ecstore.tools.attack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.tools.attack.attacker.AttackedNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each attacker finds the weakness that is planted for it, and none where there is none. */
@Timeout(120)
class WeakNodeTest {
  private static final int BURSTS = 60;

  private final AttackFindings findings = new AttackFindings();
  private final ClusterSecret secret = ClusterSecret.random();

  private void attack(AttackKind kind, WeakNode weak) throws Exception {
    List<AttackedNode> nodes = List.of(weak.asSeen(1), weak.asSeen(2));
    SplittableRandom random = new SplittableRandom(1);
    try (Attackers.Armed armed = new Attackers(nodes, secret, findings::add).of(kind)) {
      for (int i = 0; i < BURSTS && !findings.any(); i++) {
        try {
          armed.attacker().strike(nodes.getFirst(), random);
        } catch (IOException cut) {
          // It is an answer.
        }
      }
    }
  }

  private static AttackKind finder(WeakNode.Weakness weakness) {
    return switch (weakness) {
      case BELIEVES_NODES, OBEYS_WISHES, LONG_GREETINGS -> AttackKind.FORGED;
      case SAME_CHALLENGE -> AttackKind.REPLAYED;
      case WRONG_ANSWERS -> AttackKind.GREEDY;
    };
  }

  @ParameterizedTest
  @EnumSource
  void weaknessIsFound(WeakNode.Weakness weakness) throws Exception {
    try (WeakNode weak = new WeakNode(secret, EnumSet.of(weakness))) {
      attack(finder(weakness), weak);
    }
    assertTrue(findings.any(), weakness::toString);
  }

  @Test
  void whatIsNotWeakIsNotBlamed() throws Exception {
    EnumSet<WeakNode.Weakness> none = EnumSet.noneOf(WeakNode.Weakness.class);
    try (WeakNode sound = new WeakNode(secret, none)) {
      for (AttackKind kind :
          List.of(AttackKind.FORGED, AttackKind.HOLDER, AttackKind.REPLAYED, AttackKind.RANDOM)) {
        attack(kind, sound);
      }
    }
    assertEquals(List.of(), findings.all());
    assertFalse(findings.any());
  }
}
