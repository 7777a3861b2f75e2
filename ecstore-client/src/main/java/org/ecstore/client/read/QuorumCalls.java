package org.ecstore.client.read;

import java.time.Duration;
import java.util.List;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.model.Quorum;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/** Reads from quorums of copies, and waits for them (rule 13). Any node can coordinate. */
public final class QuorumCalls {
  /** Of the time for a request, how much is the node's. */
  private static final double NODE_SHARE = 0.8;

  private final Cluster cluster;

  public QuorumCalls(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Reads a key, no earlier than what the session has seen, as far as its key's range has changed
   * hands since; what is read is then seen too.
   */
  public ClientReply.QuorumValue get(
      Bytes key, Quorum quorum, SessionToken session, Deadline deadline) {
    Attempts attempts = new Attempts(cluster, deadline, "read from " + quorum.r() + " copies");
    while (true) {
      // Who told what was seen has it: one that is cut off would have to be waited for.
      for (String address : cluster.addresses(session.addresses())) {
        ReadPoint seen = session.point();
        Answer answer =
            cluster.ask(
                address,
                new ClientRequest.QuorumGet(key, quorum, seen, nodeMillis(deadline)),
                deadline);
        if (answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.QuorumValue value) {
          if (value.row().isPresent() && !value.row().get().key().equals(key)) {
            throw Cluster.protocol("a node answered for another key", address, value);
          }
          session.advance(
              new ReadPoint(value.at(), seen.mapVersion()), address, cluster.time().nanos());
          return value;
        }
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      cluster.moveOn();
      attempts.backOff();
    }
  }

  /**
   * Waits until W copies have a commit. Returns how many are known to have it: fewer than W once
   * the time is over, or as soon as it is no use to ask on, as of a store that was closed.
   */
  public int reach(Position number, List<Bytes> keys, Quorum quorum, Deadline deadline) {
    Attempts attempts = new Attempts(cluster, deadline, "wait for " + quorum.w() + " copies");
    int most = 0;
    try {
      while (true) {
        for (String address : cluster.addresses(List.of())) {
          ClientRequest request =
              new ClientRequest.QuorumWait(number, keys, quorum, nodeMillis(deadline));
          Answer answer = cluster.ask(address, request, deadline);
          if (answer instanceof Answer.Replied replied
              && replied.reply() instanceof ClientReply.QuorumReached reached) {
            most = Math.max(most, reached.copies());
            if (most >= quorum.w()) {
              return most;
            }
          } else {
            attempts.noteAnswer(address, answer);
          }
          attempts.checkTime();
        }
        cluster.moveOn();
        attempts.backOff();
      }
    } catch (EcStoreException e) {
      // The commit is durable: an exception here would say that nothing was done.
      return most;
    }
  }

  private int nodeMillis(Deadline deadline) {
    Duration timeout = cluster.timeout(deadline);
    return (int) Math.max(1, Math.min(60_000, timeout.toMillis() * NODE_SHARE));
  }
}
