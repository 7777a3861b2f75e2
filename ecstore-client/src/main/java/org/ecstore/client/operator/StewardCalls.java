package org.ecstore.client.operator;

import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.ErrorCode;
import org.ecstore.client.error.NotAllowedException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.Refusals;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.secret.ClusterSecret;
import org.ecstore.client.secret.OperatorProof;
import org.ecstore.model.AdminRequest;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientReply.DecisionLine;
import org.ecstore.protocol.ClientRequest;

/**
 * Asks the node that leads through any node, and tells it what an operator wants, with the proof
 * that this takes (decision 0035). A request has an id: it is told again where no answer comes, and
 * to the next leader, and is still one request. Safe for use by several threads.
 */
public final class StewardCalls {
  private final Cluster cluster;
  private final SecureRandom ids = new SecureRandom();

  /**
   * By address: a challenge is good for the next request of its connection, and all threads share
   * the connections.
   */
  private final Map<String, ReentrantLock> proving = new ConcurrentHashMap<>();

  public StewardCalls(Cluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Asks what changes nothing, node after node, until one has the answer.
   *
   * @throws UnavailableException if none has it before the deadline
   */
  public <T extends ClientReply> T ask(ClientRequest question, Class<T> kind, Deadline deadline) {
    cluster.checkOpen();
    Attempts attempts = new Attempts(cluster, deadline, "say what the leading node knows");
    while (true) {
      for (String address : cluster.addresses(List.of())) {
        Answer answer = cluster.ask(address, question, deadline);
        if (answer instanceof Answer.Replied replied && kind.isInstance(replied.reply())) {
          return kind.cast(replied.reply());
        }
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      cluster.moveOn();
      attempts.backOff();
    }
  }

  /**
   * Tells a request until it is over: done, refused or put off, as the line says.
   *
   * @param secret of the cluster; without it nodes that have a port refuse the request
   * @throws NotAllowedException if nodes do not take the secret, or ask for one
   * @throws UnavailableException if no node has taken it before the deadline; nothing was done
   * @throws EcStoreException with {@link ErrorCode#UNKNOWN_OUTCOME} if one may have, and it is not
   *     known what came of it
   */
  public DecisionLine tell(AdminRequest wanted, Optional<ClusterSecret> secret, Deadline deadline) {
    cluster.checkOpen();
    return new Told(wanted, secret, deadline).untilOver();
  }

  /** One request. For one thread. */
  private final class Told {
    private final ClientRequest.Administer request;
    private final Optional<ClusterSecret> secret;
    private final Deadline deadline;
    private final Attempts attempts;
    private boolean isPerhapsTaken;
    private boolean isRefusedOnce;

    Told(AdminRequest wanted, Optional<ClusterSecret> secret, Deadline deadline) {
      this.request = new ClientRequest.Administer(wanted, ids.nextLong(1, Long.MAX_VALUE));
      this.secret = secret;
      this.deadline = deadline;
      this.attempts = new Attempts(cluster, deadline, "have the leading node do it");
    }

    DecisionLine untilOver() {
      try {
        while (true) {
          Optional<DecisionLine> over = toldOnce();
          if (over.isPresent()) {
            return over.get();
          }
          attempts.backOff();
        }
      } catch (UnavailableException e) {
        if (!isPerhapsTaken) {
          throw e;
        }
        throw new EcStoreException(
            ErrorCode.UNKNOWN_OUTCOME,
            "it is not known whether the request was done: ask for the state, or request the same"
                + " again",
            e,
            "last",
            String.valueOf(e.getMessage()));
      }
    }

    /** Tells node after node, until one of them has an answer of the leader. */
    private Optional<DecisionLine> toldOnce() {
      for (String address : cluster.addresses(List.of())) {
        Answer answer = told(address);
        Optional<DecisionLine> line = line(answer);
        if (line.isPresent() && !line.get().isOver()) {
          attempts.note(address, line.get().words());
          attempts.checkTime();
          return Optional.empty();
        }
        if (line.isPresent()) {
          return line;
        }
        if (isRefused(answer)) {
          mayBeTriedAgain(address, (ClientReply.Refused) ((Answer.Replied) answer).reply());
        } else {
          attempts.noteAnswer(address, answer);
        }
        attempts.checkTime();
      }
      cluster.moveOn();
      return Optional.empty();
    }

    /** Once: it may have been a new connection, which had sent no challenge. */
    private void mayBeTriedAgain(String address, ClientReply.Refused refused) {
      if ((isRefusedOnce || secret.isEmpty()) && !isPerhapsTaken) {
        throw new NotAllowedException(
            "nodes do it for those alone who have the cluster's secret: give its file in"
                + " EcStoreOptions.secretFile",
            null,
            "node",
            address,
            "says",
            refused.detail());
      }
      isRefusedOnce = true;
      attempts.note(address, refused.detail());
    }

    private Answer told(String address) {
      if (secret.isEmpty()) {
        return told(address, request);
      }
      ReentrantLock turn = proving.computeIfAbsent(address, any -> new ReentrantLock());
      try {
        long left = Math.max(1, deadline.left(cluster.time().nanos()));
        if (!turn.tryLock(left, TimeUnit.NANOSECONDS)) {
          return new Answer.NotSent("other requests of this client are under way");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return new Answer.Ended("interrupted");
      }
      try {
        Answer asked = cluster.ask(address, new ClientRequest.AskChallenge(), deadline);
        if (asked instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Challenge challenge) {
          return told(address, OperatorProof.sign(secret.get(), challenge.random(), request));
        }
        // A node in this process has no port, and asks for no proof.
        return isRefused(asked) ? told(address, request) : asked;
      } finally {
        turn.unlock();
      }
    }

    private Answer told(String address, ClientRequest.Administer signed) {
      Answer answer = cluster.ask(address, signed, deadline);
      isPerhapsTaken |= mayBeTaken(answer);
      return answer;
    }
  }

  private static boolean mayBeTaken(Answer answer) {
    return !(answer instanceof Answer.NotSent
        || isRefused(answer)
        || (answer instanceof Answer.Replied replied && Refusals.isOverload(replied.reply())));
  }

  private static boolean isRefused(Answer answer) {
    return answer instanceof Answer.Replied replied
        && replied.reply() instanceof ClientReply.Refused refused
        && refused.code() == RefusalCode.BAD_REQUEST;
  }

  private static Optional<DecisionLine> line(Answer answer) {
    return answer instanceof Answer.Replied replied
            && replied.reply() instanceof ClientReply.Decided decided
        ? decided.decisions().stream().findFirst()
        : Optional.empty();
  }
}
