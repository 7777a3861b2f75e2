package org.ecstore.txn.sequencer;

import java.util.Map;
import java.util.TreeMap;
import org.ecstore.id.NodeId;
import org.ecstore.txn.limit.RateBucket;
import org.ecstore.txn.message.TxnMessage.Asker;

/**
 * How many questions for outcomes may make a record: each of an id without one does (rule 5), and a
 * client that makes ids up would fill the ledger with them, and the memory of outcomes, until no
 * commit is taken any more. An asker that is refused asks again.
 *
 * <p>Clients and participants have a bucket each: clients that make ids up must not keep
 * participants from settling the intents that stand in the way of other transactions. While less
 * than half of the clients' is left, those of each node that asks for them have a share: clients of
 * one node must not keep the others' from asking.
 */
final class Questions {
  /** A client asks for an outcome without a record only where its commit was lost on the way. */
  static final RateBucket.Rate OF_CLIENTS = new RateBucket.Rate(5_000, 500);

  /** A participant asks for each intent whose coordinator is gone. */
  static final RateBucket.Rate OF_PARTICIPANTS = new RateBucket.Rate(20_000, 2_000);

  /** Of what clients may ask, for the clients of one node, while there is little. */
  static final int SHARES = 8;

  private static final RateBucket.Rate OF_ONE_NODE =
      new RateBucket.Rate(OF_CLIENTS.burst() / SHARES, OF_CLIENTS.perSecond() / SHARES);

  /** More nodes than that are forgotten while they ask nothing. */
  private static final int NODES_KEPT = 64;

  private final Map<NodeId, RateBucket> ofNodes = new TreeMap<>();
  private final RateBucket ofClients = new RateBucket(OF_CLIENTS);
  private final RateBucket ofParticipants = new RateBucket(OF_PARTICIPANTS);

  /**
   * Whether one more may be made, which then counts.
   *
   * @param from the node that asks, for itself or for a client
   */
  boolean admits(Asker asker, NodeId from, long nowNanos) {
    return switch (asker) {
      case CLIENT -> admitsClientOf(from, nowNanos);
      case PARTICIPANT -> ofParticipants.admits(nowNanos);
    };
  }

  private boolean admitsClientOf(NodeId node, long nowNanos) {
    RateBucket share = ofNodes.computeIfAbsent(node, _ -> new RateBucket(OF_ONE_NODE));
    if (ofNodes.size() > NODES_KEPT) {
      ofNodes.values().removeIf(bucket -> bucket != share && bucket.taken(nowNanos) == 0);
    }
    boolean scarce = 2 * ofClients.taken(nowNanos) >= OF_CLIENTS.burst();
    if ((scarce && !share.hasRoom(nowNanos)) || !ofClients.admits(nowNanos)) {
      return false;
    }
    share.take(nowNanos);
    return true;
  }
}
