package org.ecstore.client.read;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.ecstore.check.Check;
import org.ecstore.client.copies.AnsweredBy;
import org.ecstore.client.error.EcStoreException;
import org.ecstore.client.retry.Answer;
import org.ecstore.client.retry.Deadline;
import org.ecstore.client.routing.Attempts;
import org.ecstore.client.routing.Cluster;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.Route;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.wire.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The pages of a scan at one snapshot. Paper: ecStore C.1, scans run in parallel over replicas.
 *
 * <p>The interval is cut into pieces at the bounds of the ranges known, of the buckets of them that
 * hot-spot replicas are known of (rule 26), and where copies have said in the pages of a long scan
 * that there are about equally many data between one key and the next. Each is fetched page by page
 * from the copy that seems best. A first page is asked for alone. With the second, the scan counts
 * as long, and reads ahead: one more request under way with each page handed over, up to {@link
 * ReadAhead#requestsMax}, the pieces nearest to the reader first. A reader that wants few more
 * records is served page by page, and no more records are asked for than it wants.
 *
 * <p>Within a range that has one copy and no hot-spot replicas there is one piece, with one page
 * under way while another is read. Rejected: to guess bounds from keys seen, for a guess behind all
 * keys costs a round trip and gains nothing.
 *
 * <p>There is no thread of its own: requests are sent and answers taken in when the reader asks for
 * a page. So a reader that stops leaves what was fetched, and no more than {@link
 * ReadAhead#bytesMax} of it: room for one answer is left to the piece that the reader waits for,
 * whatever pieces further on have brought.
 *
 * <p>What is read ahead is a guess. A piece that is refused or moved is asked for elsewhere at once
 * if there is another copy or news of its range, and cut anew if the range was. Otherwise it is let
 * be until the reader needs it; only then are there pauses, and errors that the reader sees.
 * Rejected: to wait or to fail for a piece further on while there is something to hand over.
 *
 * <p>Invariant: {@code pieces}, in scan order, tile what has not been handed over (rule 18). For
 * one thread.
 */
public class SubScans {
  /** A reader that wants no more records than this is served page by page. */
  private static final int SHORT_MAX = PageRequest.PAGE_MAX;

  /** Failures in a row of a page that is read ahead before it is let be. */
  private static final int GUESSES_MAX = 8;

  private final Cluster cluster;
  private final Reader reader;
  private final ReadPoint point;
  private final ScanShape shape;
  private final ReadAhead ahead;
  private final List<SubScan> pieces = new ArrayList<>();

  /** Bytes of the page handed over last, which the reader has not done with. */
  private long handedOver;

  private long fetches;
  private int turns;
  private int guesses;
  private boolean isLong;
  private @Nullable CompletableFuture<Answer> locating;

  SubScans(
      Cluster cluster,
      Reader reader,
      ReadPoint point,
      KeyRange interval,
      ScanShape shape,
      ReadAhead ahead) {
    this.cluster = cluster;
    this.reader = reader;
    this.point = point;
    this.shape = shape;
    this.ahead = ahead;
    this.pieces.add(new SubScan(Optional.of(interval)));
  }

  /** Whether all of the interval has been handed over. */
  public boolean isOver() {
    return pieces.isEmpty();
  }

  /** Keys and values held, and what requests under way may bring. */
  long bytes() {
    long bytes = handedOver;
    for (SubScan subScan : pieces) {
      bytes += subScan.bytes();
    }
    return bytes;
  }

  /** One call of {@link #next}: what it may take, and whether it may read ahead. */
  private record Fetch(long number, PageRequest page, Deadline deadline, int requestsMax) {}

  /** The next page in scan order, or of any piece if the order does not matter. */
  public ClientReply.Scanned next(PageRequest page, Deadline deadline) {
    Check.that(!pieces.isEmpty(), "a scan is not asked beyond its end");
    handedOver = 0;
    guesses = 0;
    // Who counts wants all of it.
    turns =
        shape.aggregate().isPresent()
            ? ahead.requestsMax()
            : Math.min(turns + 1, ahead.requestsMax());
    int requests = turns == 1 || page.wanted() <= SHORT_MAX ? 1 : turns;
    isLong = requests > 1;
    Fetch fetch = new Fetch(++fetches, page, deadline, requests);
    while (true) {
      takeAnswers(fetch);
      SubScan first = firstReady();
      if (first != null) {
        return handOver(first, fetch);
      }
      start(fetch, page.wanted());
      await();
    }
  }

  private @Nullable SubScan firstReady() {
    for (SubScan subScan : pieces) {
      if (subScan.hasReady()) {
        return subScan;
      }
      if (shape.ordered()) {
        return null;
      }
    }
    return null;
  }

  private ClientReply.Scanned handOver(SubScan subScan, Fetch fetch) {
    SubScan.Page taken = subScan.take();
    handedOver = taken.bytes();
    reader.answered(taken.by());
    if (subScan.isOver()) {
      pieces.remove(subScan);
    }
    if (fetch.requestsMax > 1) {
      readAhead(fetch, fetch.page.wanted() - taken.scanned().rows().size());
    }
    return taken.scanned();
  }

  /** The piece that the reader cannot do without: the first, or any if none is under way. */
  private @Nullable SubScan needed() {
    boolean waits =
        pieces.isEmpty()
            || pieces.get(0).hasReady()
            || (!shape.ordered() && (underWay() > 0 || firstReady() != null));
    return waits ? null : pieces.get(0);
  }

  private int underWay() {
    int count = 0;
    for (SubScan subScan : pieces) {
      count += subScan.asked() == null ? 0 : 1;
    }
    return count;
  }

  /** Sends what the reader waits for, then what it will want. */
  private void start(Fetch fetch, long wanted) {
    SubScan needed = needed();
    if (needed != null && needed.asked() == null) {
      SubScan.Tries tries = tries(needed, fetch, true);
      KeyRange rest = needed.rest().orElseThrow();
      Route route =
          shape.reverse()
              ? tries.calls().routeBelow(rest.end())
              : tries.calls().route(rest.start());
      ask(needed, tries, route, fetch.page.recordsMax());
    }
    if (fetch.requestsMax > 1) {
      readAhead(fetch, wanted);
    }
  }

  private static boolean isOf(SubScan.@Nullable Tries tries, Fetch fetch, boolean needed) {
    return tries != null && tries.fetch() == fetch.number && tries.needed() == needed;
  }

  private SubScan.Tries tries(SubScan subScan, Fetch fetch, boolean needed) {
    SubScan.Tries known = subScan.tries();
    if (known != null && isOf(known, fetch, needed)) {
      return known;
    }
    SubScan.Tries fresh =
        new SubScan.Tries(
            new CopyCalls(cluster, reader, point.position(), fetch.deadline),
            new Attempts(cluster, fetch.deadline, "scan the interval"),
            fetch.number,
            needed);
    subScan.tryWith(fresh);
    return fresh;
  }

  private void readAhead(Fetch fetch, long wanted) {
    long outstanding = 0;
    for (SubScan subScan : pieces) {
      outstanding += subScan.records();
    }
    int requests = underWay();
    for (int i = 0; i < pieces.size() && requests < fetch.requestsMax; i++) {
      SubScan subScan = pieces.get(i);
      long records = Math.min(fetch.page.recordsMax(), wanted - outstanding);
      // The first piece may take the room that is left to it.
      long room = (i == 0 ? 1 : 2) * ReadAhead.ANSWER_BYTES_MAX;
      if (records <= 0 || bytes() + room > ahead.bytesMax()) {
        return;
      }
      if (subScan.asked() == null && subScan.rest().isPresent() && !subScan.isStuck()) {
        Optional<Route> route = knownRoute(subScan.rest().get());
        if (route.isEmpty()) {
          return;
        }
        ask(subScan, tries(subScan, fetch, false), route.get(), (int) records);
        outstanding += records;
        requests++;
      }
    }
  }

  /** The route from which the near end of an interval would be read; if not known, it is asked. */
  private Optional<Route> knownRoute(KeyRange rest) {
    Optional<Route> known =
        shape.reverse()
            ? cluster.knownRouteBelow(rest.end(), reader.anyCopy())
            : cluster.knownRoute(rest.start(), reader.anyCopy());
    if (known.isEmpty() && locating == null && guesses < GUESSES_MAX) {
      locating =
          cluster.locateAhead(shape.reverse() ? Limits.greatestKeyBelow(rest.end()) : rest.start());
    }
    return known;
  }

  /** Asks for the part of a piece that is in a range; what is behind that is another piece. */
  private void ask(SubScan subScan, SubScan.Tries tries, Route route, int records) {
    KeyRange rest = subScan.rest().orElseThrow();
    KeyRange part = cut(rest.intersection(route.keys()).orElseThrow(), route);
    behind(rest, part)
        .ifPresent(more -> pieces.add(pieces.indexOf(subScan) + 1, new SubScan(Optional.of(more))));
    ClientRequest scan =
        new ClientRequest.Scan(
            point,
            route.range(),
            route.epoch(),
            part,
            shape.reverse(),
            records,
            shape.keysOnly(),
            tries.calls().mayRedirect(route),
            shape.aggregate());
    subScan.ask(new SubScan.Asked(tries.calls().start(route, part, scan), part, records));
  }

  /** The part of an interval of a range up to the bound that is next from its near end. */
  private KeyRange cut(KeyRange keys, Route route) {
    if (!isLong || !reader.anyCopy()) {
      return keys;
    }
    NavigableSet<Bytes> behindStart =
        cluster.copies().bounds(route, cluster.time().nanos()).tailSet(keys.start(), false);
    NavigableSet<Bytes> bounds =
        keys.end().map(end -> behindStart.headSet(end, false)).orElse(behindStart);
    if (bounds.isEmpty()) {
      return keys;
    }
    return shape.reverse()
        ? KeyRange.between(bounds.last(), keys.end())
        : KeyRange.of(keys.start(), bounds.first());
  }

  /** What is left of an interval behind a part of it at its near end. */
  protected Optional<KeyRange> behind(KeyRange whole, KeyRange part) {
    if (shape.reverse()) {
      return part.start().equals(whole.start())
          ? Optional.empty()
          : Optional.of(KeyRange.of(whole.start(), part.start()));
    }
    return part.end().equals(whole.end())
        ? Optional.empty()
        : Optional.of(KeyRange.between(part.end().orElseThrow(), whole.end()));
  }

  /** Waits until some answer is there. */
  private void await() {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    Duration timeout = Duration.ZERO;
    for (SubScan subScan : pieces) {
      SubScan.Asked asked = subScan.asked();
      if (asked != null) {
        answers.add(asked.call().answer());
        Duration own = asked.call().timeout();
        timeout = own.compareTo(timeout) > 0 ? own : timeout;
      }
    }
    if (locating != null) {
      answers.add(locating);
    }
    cluster.awaitAny(answers, timeout);
  }

  /** Takes in all answers that have come. */
  private void takeAnswers(Fetch fetch) {
    if (locating != null && locating.isDone()) {
      boolean found =
          locating.join() instanceof Answer.Replied replied
              && replied.reply() instanceof ClientReply.Located;
      guesses += found ? 0 : 1;
      locating = null;
    }
    for (SubScan subScan : List.copyOf(pieces)) {
      SubScan.Asked asked = subScan.asked();
      SubScan.Tries tries = subScan.tries();
      if (asked != null && tries != null && asked.call().answer().isDone()) {
        takeAnswer(subScan, asked, tries, fetch);
      }
    }
  }

  private void takeAnswer(SubScan subScan, SubScan.Asked asked, SubScan.Tries tries, Fetch fetch) {
    boolean isGuess = !isOf(tries, fetch, true);
    try {
      Answer answer = asked.call().answer().join();
      if (answer instanceof Answer.Replied replied
          && replied.reply() instanceof ClientReply.Scanned scanned) {
        RoutedReads.checkPage(point, shape, asked, scanned);
        cluster.copies().cutAt(asked.call().route(), scanned.splitPoints(), cluster.time().nanos());
        AnsweredBy by = tries.calls().came(asked.call(), scanned.source());
        subScan.answered(SubScan.Page.of(scanned, by), behind(asked.keys(), scanned.covered()));
        return;
      }
      CopyCalls.Next next = tries.calls().failed(asked.call(), answer, tries.attempts());
      subScan.failed();
      if (!isGuess) {
        tries.attempts().next(next == CopyCalls.Next.AT_ONCE, next == CopyCalls.Next.LATER);
      } else if (next == CopyCalls.Next.LATER || ++guesses > GUESSES_MAX) {
        subScan.giveUp();
      }
    } catch (EcStoreException e) {
      subScan.failed();
      subScan.giveUp();
      if (!isGuess) {
        throw e;
      }
      // Said when the reader needs the piece and no copy gives it then either.
    }
  }
}
