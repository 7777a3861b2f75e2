package org.ecstore.client.read;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.error.ChangesLostException;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ChangeMark;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * Asks nodes for changes (rule 29): the same one as long as it answers, as it has what follows at
 * hand. For one thread, but for {@link #cancel}.
 */
public final class ChangeCalls {
  /** The node waits no longer in one request. */
  private static final Duration WAIT_MAX = Duration.ofSeconds(5);

  /** Beside its wait: it may have many readers, and a part of the ledger to read. */
  private static final Duration GRACE = Duration.ofSeconds(12);

  private final Cluster cluster;
  private final List<KeyRange> intervals;
  private List<String> node = List.of();
  private volatile @Nullable CompletableFuture<Answer> underWay;
  private volatile boolean cancelled;

  /** Of changes to some keys. */
  public ChangeCalls(Cluster cluster, List<KeyRange> intervals) {
    this.cluster = cluster;
    this.intervals = List.copyOf(intervals);
  }

  /**
   * The next changes above a mark; none, if there were none for a while.
   *
   * @param wait for the next change, if there is none yet
   * @param patience how long nodes may have other things to do, or be away
   * @throws ChangesLostException if they are no longer kept
   */
  public ClientReply.ChangesRead read(ChangeMark mark, Duration wait, Duration patience) {
    Duration each = wait.compareTo(WAIT_MAX) < 0 ? wait : WAIT_MAX;
    Deadline deadline = Deadline.after(cluster.time().nanos(), patience.plus(each));
    Attempts attempts = new Attempts(cluster, deadline, "tell what was changed");
    ClientRequest request =
        new ClientRequest.ReadChanges(
            mark, intervals, Limits.CHANGES_BYTES_MAX, (int) each.toMillis());
    // So that another node is asked before time is up, where one says nothing.
    Duration half = patience.dividedBy(2);
    Duration grace = half.compareTo(GRACE) < 0 ? half : GRACE;
    while (true) {
      for (String address : cluster.addresses(node)) {
        Answer answer = ask(address, request, each.plus(grace));
        if (answer instanceof Answer.Replied replied) {
          if (replied.reply() instanceof ClientReply.ChangesRead read) {
            node = List.of(address);
            return checked(read, mark, address);
          }
          if (replied.reply() instanceof ClientReply.ChangesLost lost) {
            throw lost(mark.after(), lost);
          }
        }
        node = List.of();
        cluster.passOver(address);
        attempts.noteAnswer(address, answer);
        attempts.checkTime();
      }
      attempts.backOff();
    }
  }

  private Answer ask(String address, ClientRequest request, Duration timeout) {
    CompletableFuture<Answer> future = cluster.start(address, request, timeout);
    underWay = future;
    if (cancelled) {
      return new Answer.Ended("the reader is closed");
    }
    return cluster.await(future, timeout);
  }

  /** Ends a call that waits; any thread. */
  public void cancel() {
    cancelled = true;
    CompletableFuture<Answer> waits = underWay;
    if (waits != null) {
      waits.complete(new Answer.Ended("the reader is closed"));
    }
  }

  private static ClientReply.ChangesRead checked(
      ClientReply.ChangesRead read, ChangeMark asked, String address) {
    Position before = asked.after();
    for (ClientReply.CommitChanges commit : read.commits()) {
      if (commit.number().isAtOrBelow(before)) {
        throw Cluster.protocol("a node told commits out of order", address, commit.number());
      }
      before = commit.number();
    }
    if (!asked.after().isAtOrBelow(read.mark().after())) {
      throw Cluster.protocol("a node told changes from before", address, read.mark());
    }
    return read;
  }

  private static ChangesLostException lost(Position after, ClientReply.ChangesLost lost) {
    return lost.last().isAtOrBelow(after) && !lost.last().equals(after)
        ? new ChangesLostException(
            "the store does not reach as far as the reader has come: it was restored, or the token"
                + " is of another one",
            null,
            "after",
            after,
            "last",
            lost.last())
        : new ChangesLostException(
            "the changes behind where the reader has come are no longer kept: begin anew with what"
                + " is in the table, and have nodes keep more (changes.kept)",
            null,
            "after",
            after,
            "first kept",
            lost.first());
  }
}
