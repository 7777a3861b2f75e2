package org.ecstore.client.commit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.ecstore.client.error.CatalogChangedException;
import org.ecstore.client.error.TooLargeException;
import org.ecstore.client.error.UnavailableException;
import org.ecstore.client.error.UnknownOutcomeException;
import org.ecstore.client.observe.OperationKind;
import org.ecstore.client.observe.StoreObserver;
import org.ecstore.client.observing.Observing;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.CommitRules;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Cluster;
import org.ecstore.client.routing.SessionToken;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.id.TxnId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.Tuple;
import org.ecstore.model.CatalogStamp;
import org.ecstore.model.Isolation;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.RequestWeight;
import org.ecstore.wire.Limits;

/**
 * Commits transactions: sends the commit to the primary of the first key written, of those that are
 * the application's if there are some, which becomes the coordinator, and does what {@link
 * CommitRules} say until the outcome is known. Safe for use by several threads; blocks.
 */
public final class Commits {
  /** Keys of the table that the library keeps for itself begin like this. */
  private static final Bytes OWN = Tuple.of("ecstore").encode();

  private final Cluster cluster;
  private final CommitCounters counters;
  private final CommitsUnderWay underWay;
  private final Supplier<TxnId> ids;
  private final LongConsumer catalogTold;

  /**
   * Commits of a client.
   *
   * @param catalogTold is given the version of the catalog that a node has named
   */
  public Commits(
      Cluster cluster,
      CommitCounters counters,
      CommitsUnderWay underWay,
      Supplier<TxnId> ids,
      LongConsumer catalogTold) {
    this.cluster = cluster;
    this.catalogTold = catalogTold;
    this.underWay = underWay;
    this.counters = counters;
    this.ids = ids;
  }

  /** What to commit. There is at least one write; reads and intervals are those to validate. */
  public record Content(
      ReadPoint point,
      Isolation isolation,
      List<Bytes> reads,
      List<KeyRange> intervals,
      List<KeyWrite> writes,
      CatalogStamp catalog) {
    /** Throws if it is over the limit of a transaction. */
    void checkSize() {
      checkItems((long) reads.size() + intervals.size() + writes.size());
      checkSize(bytes());
    }

    /**
     * Throws if it takes more memory than a node has for one transaction.
     *
     * @param weightMax as the node has said; 0 if it has not
     */
    void checkWeight(long weightMax, String address) {
      if (weightMax == 0) {
        return;
      }
      long items = (long) reads.size() + intervals.size() + writes.size();
      long weight = RequestWeight.of(bytes(), items);
      if (weight > weightMax) {
        throw new TooLargeException(
            "the transaction takes more memory than the node's heap allows: write fewer or smaller"
                + " values at a time, or give nodes more heap",
            null,
            "bytes",
            weight,
            "max",
            weightMax,
            "node",
            address);
      }
    }

    private long bytes() {
      long bytes = 0;
      for (Bytes key : reads) {
        bytes += key.length();
      }
      for (KeyRange interval : intervals) {
        bytes += interval.start().length() + interval.end().map(Bytes::length).orElse(0);
      }
      for (KeyWrite write : writes) {
        bytes += write.key().length() + write.mutation().length();
      }
      return bytes;
    }

    /** Throws if so many keys and intervals are over the limit of a transaction. */
    public static void checkItems(long items) {
      if (items > Limits.TRANSACTION_ITEMS_MAX) {
        throw new TooLargeException(
            "the transaction has too many keys and intervals",
            null,
            "items",
            items,
            "max",
            Limits.TRANSACTION_ITEMS_MAX);
      }
    }

    public static void checkSize(long bytes) {
      if (bytes > Limits.TRANSACTION_BYTES_MAX) {
        throw new TooLargeException(
            "the transaction is too large",
            null,
            "bytes",
            bytes,
            "max",
            Limits.TRANSACTION_BYTES_MAX);
      }
    }
  }

  /** A commit that is durable: under which id, and its number. */
  public record Done(TxnId id, Position number) {}

  /**
   * Commits, and tells the session what it learns.
   *
   * @param content made when its turn has come, so that its snapshot is of then
   * @throws UnknownOutcomeException if the outcome could not be found out before the deadline
   * @throws org.ecstore.client.error.EcStoreException otherwise if nothing was done
   */
  public Done commit(Supplier<Content> content, SessionToken session, Deadline deadline) {
    // Half of the time is left to do it, and to find out what became of it.
    underWay.begin(Math.max(0, deadline.left(cluster.time().nanos()) / 2));
    try {
      return observed(content.get(), session, deadline);
    } finally {
      underWay.end();
    }
  }

  private Done observed(Content content, SessionToken session, Deadline deadline) {
    StoreObserver observer = cluster.observer();
    Done done =
        Observing.operation(
            observer,
            OperationKind.COMMIT,
            home(content.writes),
            () -> committed(content, session, deadline));
    observer.committed();
    return done;
  }

  private Done committed(Content content, SessionToken session, Deadline deadline) {
    content.checkSize();
    CommitRules rules = new CommitRules(cluster.backoff(), deadline);
    TxnId id = ids.get();
    rules.sends(id);
    Sent sent = send(id, content, deadline);
    CommitRules.Step step =
        rules.onCommit(sent.answer, cluster.time().nanos(), cluster.time().random());
    Set<String> asked = new HashSet<>();
    while (true) {
      if (step instanceof CommitRules.Step.Committed committed) {
        session.advance(committed.point(), sent.address, cluster.time().nanos());
        counters.committed(!asked.isEmpty());
        return new Done(id, committed.number());
      }
      if (step instanceof CommitRules.Step.NotCommitted not) {
        counters.aborted(!asked.isEmpty());
        String address = sent.address;
        not.point().ifPresent(point -> session.advance(point, address, cluster.time().nanos()));
        if (not.cause() instanceof CatalogChangedException changed) {
          catalogTold.accept(changed.version());
        }
        throw not.cause();
      }
      if (step instanceof CommitRules.Step.Unknown unknown) {
        counters.unknown();
        cluster.observer().leftUnknown();
        throw new UnknownOutcomeException(id, null, unknown.last());
      }
      if (step instanceof CommitRules.Step.SendAgain again) {
        if (!cluster.time().pause(again.delayNanos())) {
          throw new UnavailableException("the wait was cut short", null, "by", "interrupted");
        }
        if (!asked.isEmpty()) {
          counters.settled();
          asked.clear();
        }
        id = ids.get();
        rules.sends(id);
        sent = send(id, content, deadline);
        step = rules.onCommit(sent.answer, cluster.time().nanos(), cluster.time().random());
      } else if (step instanceof CommitRules.Step.Ask ask) {
        Answer answer =
            cluster.time().pause(ask.delayNanos())
                ? ask(id, content.point, sent.address, asked, deadline)
                : new Answer.Ended("interrupted");
        step = rules.onOutcome(answer, cluster.time().nanos(), cluster.time().random());
      } else {
        throw new IllegalStateException("a step of no known kind: " + step);
      }
    }
  }

  private record Sent(String address, Answer answer) {}

  /** What the library writes beside the application's records does not draw these to its node. */
  private static Bytes home(List<KeyWrite> writes) {
    for (KeyWrite write : writes) {
      if (!write.key().startsWith(OWN)) {
        return write.key();
      }
    }
    return writes.get(0).key();
  }

  private Sent send(TxnId id, Content content, Deadline deadline) {
    Route route = cluster.route(home(content.writes), deadline);
    content.checkWeight(cluster.transactionMax(route.address()), route.address());
    Duration timeout = halfOf(deadline);
    ClientRequest commit =
        new ClientRequest.Commit(
            id,
            content.point,
            content.isolation,
            content.reads,
            content.intervals,
            content.writes,
            (int) Math.max(1, timeout.toMillis()),
            Optional.of(content.catalog));
    Answer answer = cluster.await(cluster.start(route.address(), commit, timeout), timeout);
    if (answer instanceof Answer.Replied replied
        && replied.reply() instanceof ClientReply.WrongRange wrong) {
      cluster.learn(wrong, route);
    } else {
      cluster.routeFailed(route, answer);
    }
    return new Sent(route.address(), answer);
  }

  /** At most half of the time left, so that some is left to find out what became of it. */
  private Duration halfOf(Deadline deadline) {
    long left = Math.max(1, deadline.left(cluster.time().nanos()) / 2);
    return Duration.ofNanos(Math.min(left, cluster.timeout(deadline).toNanos()));
  }

  /**
   * Asks the coordinator first, then another node each time until all were asked; of those the ones
   * first that may well answer.
   */
  private Answer ask(
      TxnId id, ReadPoint point, String coordinator, Set<String> asked, Deadline deadline) {
    String address = coordinator;
    if (asked.contains(coordinator)) {
      address =
          cluster.addresses(List.of()).stream()
              .filter(other -> !asked.contains(other))
              .findFirst()
              .orElse(coordinator);
      if (address.equals(coordinator)) {
        asked.clear();
      }
    }
    asked.add(address);
    return cluster.ask(address, new ClientRequest.AskOutcome(id, point), deadline);
  }
}
