package org.ecstore.client.routing;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.Overloads;
import org.ecstore.client.retry.Refusals;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyText;
import org.ecstore.protocol.ClientReply;

/**
 * The tries of one request that may safely be repeated: reads at a fixed snapshot, and questions.
 * Remembers the last failure, to name it when time is up. For one thread.
 */
public final class Attempts {
  /** Tries in a row without a wait, each for news that a range has moved. */
  private static final int MOVES_MAX = 4;

  private final Cluster cluster;
  private final Deadline deadline;
  private final String purpose;
  private final Optional<Bytes> key;
  private final Overloads overloads = new Overloads();
  private String ifSilent = "";
  private int failures;
  private int moves;
  private boolean said;
  private String lastNode = "none";
  private String last = "none";

  public Attempts(Cluster cluster, Deadline deadline, String purpose) {
    this(cluster, deadline, purpose, Optional.empty());
  }

  /**
   * As above.
   *
   * @param key that it is about
   */
  public Attempts(Cluster cluster, Deadline deadline, String purpose, Optional<Bytes> key) {
    this.cluster = cluster;
    this.deadline = deadline;
    this.purpose = purpose;
    this.key = key;
  }

  /** What has to be said if no node says a word until time is up. */
  void ifSilent(String hint) {
    ifSilent = hint;
  }

  /** Remembers why a node could not do it. */
  public void note(String node, String detail) {
    said = true;
    lastNode = node;
    last = detail;
  }

  /** A node that cannot be reached tells less than what another one has said. */
  private void noteSilence(String node, String detail) {
    if (!said) {
      lastNode = node;
      last = detail;
    }
  }

  /**
   * Remembers an answer that is none.
   *
   * @throws EcStoreException if another try would not help
   */
  public void noteAnswer(String node, Answer answer) {
    if (answer instanceof Answer.NotSent notSent) {
      noteSilence(node, notSent.detail());
    } else if (answer instanceof Answer.NoReply noReply) {
      noteSilence(node, noReply.detail());
    } else if (answer instanceof Answer.Ended ended) {
      cluster.checkOpen();
      throw new UnavailableException("the wait was cut short", null, "by", ended.detail());
    } else if (answer instanceof Answer.Replied replied) {
      if (!(replied.reply() instanceof ClientReply.Refused refused)) {
        throw Cluster.protocol(
            "a node answered something else", node, replied.reply().getClass().getSimpleName());
      }
      if (!Refusals.mayPass(refused)) {
        throw Refusals.toException(refused);
      }
      note(node, refused.code() + " " + refused.detail());
      if (Refusals.isOverload(refused)) {
        overloads.heard(node + ": " + refused.detail(), refused.againMillis());
      }
    } else {
      throw new IllegalStateException("an answer of no known kind: " + answer);
    }
  }

  /** Some of what is asked for has come: overload counts anew. */
  public void progressed() {
    overloads.progressed();
  }

  /** Throws if time is up. */
  public void checkTime() {
    cluster.checkOpen();
    if (deadline.isOver(cluster.time().nanos())) {
      throw timeIsUp();
    }
  }

  /**
   * Goes on to the next try: at once if news of moved ranges is all that came, a few times in a
   * row; otherwise after a while.
   */
  public void next(boolean moved, boolean failed) {
    if (failed || (moved && ++moves > MOVES_MAX)) {
      backOff();
    } else {
      checkTime();
    }
  }

  /** Waits before another try, longer each time; throws if the deadline is nearer than that. */
  public void backOff() {
    failures++;
    cluster.checkOpen();
    double random = cluster.time().random();
    boolean overloaded = overloads.tried();
    long delay =
        overloaded ? overloads.delayNanos(random) : cluster.backoff().delayNanos(failures, random);
    boolean isLate = deadline.left(cluster.time().nanos()) <= delay;
    if (overloaded && (isLate || overloads.isEnough())) {
      throw overloads.exception("no node could " + purpose);
    }
    if (isLate) {
      throw timeIsUp();
    }
    if (!cluster.time().pause(delay)) {
      throw new UnavailableException("the wait was cut short", null, "by", "interrupted");
    }
  }

  private EcStoreException timeIsUp() {
    List<Object> details = new ArrayList<>();
    key.ifPresent(about -> details.addAll(List.of("key", KeyText.brief(about))));
    details.addAll(List.of("node", lastNode, "last", last, "tries", failures + 1));
    return new UnavailableException(
        "no node could " + purpose + " before the deadline" + (said ? "" : ifSilent),
        null,
        details.toArray());
  }
}
