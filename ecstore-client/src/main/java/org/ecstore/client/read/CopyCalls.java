package org.ecstore.client.read;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.copies.Choice;
import org.ecstore.client.copies.CopyChoice;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.retry.Refusals;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.RefusalCode;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;

/**
 * The requests of one operation to copies of ranges: each goes to the copy that seems best, and
 * when that one is behind, silent or refuses, at once to another. Only when no other is left is
 * there a pause. For one thread.
 */
final class CopyCalls {
  /**
   * A copy that is silent for longer than this, and than some of its usual round trips, is not
   * waited for where there are others; twice as long in each round of all copies.
   */
  private static final long TIMEOUT_NANOS = 250_000_000L;

  private static final int TIMEOUT_ROUND_TRIPS = 8;
  private static final int ROUNDS_MAX = 10;

  /**
   * So long a copy that is silent or behind is waited for when all others are too young for the
   * position, as after a move: longer, and a new snapshot is quicker.
   */
  private static final long OLDER_NANOS = 2_000_000_000L;

  private final Cluster cluster;
  private final CopyChoice copies;
  private final Reader reader;
  private final Position position;
  private final Deadline deadline;

  /** The copies of a route that were asked in this round of them. */
  private final Map<Route, Set<NodeId>> asked = new HashMap<>();

  /** Routes for which a redirection was followed. */
  private final Set<Route> redirected = new HashSet<>();

  /** Whom a busy copy has named for some keys of a route, until that one is asked. */
  private final Map<Route, SentOn> sentOn = new HashMap<>();

  /** The copies of a route that begin above the position. Another may have been made earlier. */
  private final Map<Route, Set<NodeId>> tooYoung = new HashMap<>();

  private OptionalLong youngSinceNanos = OptionalLong.empty();
  private int rounds;

  CopyCalls(Cluster cluster, Reader reader, Position position, Deadline deadline) {
    this.cluster = cluster;
    this.copies = cluster.copies();
    this.reader = reader;
    this.position = position;
    this.deadline = deadline;
  }

  private record SentOn(KeyRange keys, Choice choice) {}

  /** A request on its way to a copy. */
  record Call(Choice choice, KeyRange span, Duration timeout, CompletableFuture<Answer> answer) {
    Route route() {
      return choice.route();
    }

    String address() {
      return choice.address();
    }
  }

  /** What to do after an answer that is none. */
  enum Next {
    /** There is news of the range, or another copy to ask. */
    AT_ONCE,
    /** Every copy was asked: let a while pass. */
    LATER
  }

  /** The route of the range that holds a key: with a primary to ask, or any copy. */
  Route route(Bytes key) {
    return cluster.route(key, reader.anyCopy(), deadline);
  }

  /** The route of the range that holds the greatest keys below an end. */
  Route routeBelow(Optional<Bytes> end) {
    return cluster.routeBelow(end, reader.anyCopy(), deadline);
  }

  /** Sends a request to a copy. */
  Call start(Route route, KeyRange span, ClientRequest request) {
    Choice choice = choose(route, span);
    Duration timeout = timeout(choice);
    copies.started(choice);
    long begun = cluster.time().nanos();
    CompletableFuture<Answer> answer = cluster.start(choice.address(), request, timeout);
    var unused = answer.thenAccept(came -> measure(choice, begun, came));
    return new Call(choice, span, timeout, answer);
  }

  /** Whether the next request to this route may be redirected: not twice in a row. */
  boolean mayRedirect(Route route) {
    return reader.anyCopy() && !redirected.contains(route);
  }

  private void measure(Choice choice, long begunNanos, Answer answer) {
    long now = cluster.time().nanos();
    // A node that refuses all requests is quick, and not to be taken for near.
    if (answer instanceof Answer.Replied replied && !Refusals.isOverload(replied.reply())) {
      copies.replied(choice, now - begunNanos, now);
    } else {
      copies.failed(choice, now);
    }
  }

  private Choice choose(Route route, KeyRange span) {
    if (!reader.anyCopy()) {
      return copies.primary(route);
    }
    SentOn named = sentOn.remove(route);
    if (named != null && named.keys.contains(span)) {
      return named.choice;
    }
    return another(route, span)
        .or(
            () -> {
              asked.remove(route);
              return another(route, span);
            })
        .orElseGet(() -> copies.leastBehind(route));
  }

  private Optional<Choice> another(Route route, KeyRange span) {
    return copies.choose(
        route,
        span,
        position,
        asked.getOrDefault(route, Set.of()),
        cluster.time().nanos(),
        cluster.time()::random);
  }

  /** A copy that is the only one to be asked may take what time there is. */
  private Duration timeout(Choice choice) {
    Duration most = cluster.timeout(deadline);
    if (choice.candidates() == 1) {
      return most;
    }
    long timeout =
        Math.max(TIMEOUT_NANOS, TIMEOUT_ROUND_TRIPS * choice.roundTripNanos())
            << Math.min(rounds, ROUNDS_MAX);
    return Duration.ofNanos(Math.min(most.toNanos(), timeout));
  }

  Answer await(Call call) {
    return cluster.await(call.answer, call.timeout);
  }

  /** A copy has answered. */
  void answered(Call call, ReadSource source) {
    reader.answered(came(call, source));
  }

  /** A copy has answered what its reader has not come to yet. */
  AnsweredBy came(Call call, ReadSource source) {
    copies.answered(call.choice, source);
    AnsweredBy by = new AnsweredBy(call.choice, position, source);
    cluster.observer().answered(by);
    return by;
  }

  /**
   * Takes in an answer that is none.
   *
   * @throws org.ecstore.client.error.EcStoreException if no copy would give another
   */
  Next failed(Call call, Answer answer, Attempts attempts) {
    Route route = call.route();
    asked.computeIfAbsent(route, absent -> new HashSet<>()).add(call.choice.node());
    if (call.choice.role() == CopyRole.HOT_REPLICA) {
      copies.useless(call.choice);
    }
    if (answer instanceof Answer.Replied replied
        && replied.reply() instanceof ClientReply.Redirect redirect
        && reader.anyCopy()) {
      // The copy would answer all the same if asked again: it is busy, and not to be avoided.
      asked.get(route).remove(call.choice.node());
      redirected.add(route);
      copies
          .redirected(call.choice, redirect, cluster.time().nanos())
          .ifPresent(next -> sentOn.put(route, new SentOn(redirect.keys(), next)));
      attempts.note(
          call.address(), "the copy is busy, and has a hot-spot replica at " + redirect.address());
      return Next.AT_ONCE;
    }
    boolean another = reader.anyCopy() && another(route, call.span).isPresent();
    if (answer instanceof Answer.Replied replied) {
      if (replied.reply() instanceof ClientReply.WrongRange wrong) {
        attempts.note(call.address(), "the range has moved");
        boolean lags = wrong.routes().stream().noneMatch(now -> now.epoch().isAfter(route.epoch()));
        if (lags && another) {
          return Next.AT_ONCE;
        }
        return cluster.learn(wrong, route) ? Next.AT_ONCE : Next.LATER;
      }
      if (replied.reply() instanceof ClientReply.Behind behind
          && call.choice.role() != CopyRole.PRIMARY) {
        copies.behind(call.choice, behind.source(), cluster.time().nanos());
        attempts.note(
            call.address(), "the copy is closed at " + behind.source().closed().value() + " only");
        return another ? Next.AT_ONCE : pause(route, answer);
      }
      if (reader.anyCopy()
          && replied.reply() instanceof ClientReply.Refused refused
          && refused.code() == RefusalCode.SNAPSHOT_TOO_OLD) {
        attempts.note(call.address(), refused.detail());
        tooYoung.computeIfAbsent(route, absent -> new HashSet<>()).add(call.choice.node());
        if (another) {
          return Next.AT_ONCE;
        }
        if (mayFindOlder(route)) {
          return pause(route, answer);
        }
      }
    }
    attempts.noteAnswer(call.address(), answer);
    return another ? Next.AT_ONCE : pause(route, answer);
  }

  /**
   * Whether some copy has not said that it is too young, and may say something else before long.
   */
  private boolean mayFindOlder(Route route) {
    long now = cluster.time().nanos();
    if (youngSinceNanos.isEmpty()) {
      youngSinceNanos = OptionalLong.of(now);
    }
    return now - youngSinceNanos.getAsLong() < OLDER_NANOS
        && !tooYoung.getOrDefault(route, Set.of()).containsAll(copies.of(route));
  }

  private Next pause(Route route, Answer answer) {
    asked.remove(route);
    rounds++;
    cluster.routeFailed(route, answer);
    return Next.LATER;
  }
}
