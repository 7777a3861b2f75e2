package org.ecstore.replication.quorum;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;

/**
 * What the copies of a range have said about a key in one quorum read, and what follows (rule 13).
 *
 * <p>Every answer is the key's state as of some closed position, and at one position no two copies
 * differ: the ledger decides what a range holds there (rule 11). So the answer with the highest
 * closed position is the newest, whether it is a value or the absence of one; versions need not be
 * compared, nor tombstones be kept to tell an absent key from one that a copy has not heard of.
 */
public class QuorumTally {
  private final Map<NodeId, CopyAnswer> answers = new TreeMap<>();
  private final Map<NodeId, Position> closed = new TreeMap<>();

  /** A copy that counts has answered, or answers again. */
  public void answered(NodeId node, CopyAnswer answer) {
    CopyAnswer before = answers.get(node);
    if (before == null || !before.closed().isAfter(answer.closed())) {
      answers.put(node, answer);
    }
    holds(node, answer.closed());
  }

  /** A copy is known to be closed there. */
  public void holds(NodeId node, Position position) {
    closed.merge(node, position, Position::max);
  }

  /** How many copies have answered. */
  public int size() {
    return answers.size();
  }

  /** The copies that have answered, each with the position where it was closed then. */
  public Map<NodeId, Position> closedBy() {
    Map<NodeId, Position> all = new TreeMap<>();
    answers.forEach((node, answer) -> all.put(node, answer.closed()));
    return all;
  }

  /** The newest answer and who gave it; only once there is one. */
  public Map.Entry<NodeId, CopyAnswer> newest() {
    return answers.entrySet().stream().max(Map.Entry.comparingByValue(order())).orElseThrow();
  }

  /** Which of two answers is older. */
  @RuleSeam(13)
  protected Comparator<CopyAnswer> order() {
    return Comparator.comparing(CopyAnswer::closed);
  }

  /** How many of these copies are known to have every commit through a position. */
  public int holders(List<NodeId> copies, Position position) {
    return copies.size() - lacking(copies, position).size();
  }

  /** Those of which that is not known. */
  public List<NodeId> lacking(List<NodeId> copies, Position position) {
    List<NodeId> all = new ArrayList<>();
    for (NodeId node : copies) {
      if (position.isAfter(closed.getOrDefault(node, Position.ZERO))) {
        all.add(node);
      }
    }
    return all;
  }

  /** The value that goes with an answer: its own, or another copy's of the same version. */
  public Optional<Bytes> valueOf(CopyAnswer answer) {
    return answers.values().stream()
        .filter(other -> isSameVersion(answer, other))
        .flatMap(other -> other.value().stream())
        .findFirst();
  }

  /** Whether the value of one answer may be returned as that of the other. */
  @RuleSeam(13)
  protected boolean isSameVersion(CopyAnswer one, CopyAnswer other) {
    return one.version().equals(other.version());
  }

  /** Copies that give different values to one version, in words: that is never right. */
  public Optional<String> contradiction() {
    for (Map.Entry<NodeId, CopyAnswer> one : answers.entrySet()) {
      for (Map.Entry<NodeId, CopyAnswer> other : answers.entrySet()) {
        CopyAnswer a = one.getValue();
        CopyAnswer b = other.getValue();
        if (a.version().isPresent()
            && a.version().equals(b.version())
            && a.digest() != b.digest()) {
          return Optional.of(
              "the copies on %s and %s differ at version %s"
                  .formatted(one.getKey(), other.getKey(), a.version().get()));
        }
      }
    }
    return Optional.empty();
  }
}
