package org.ecstore.txn.changes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.ecstore.core.port.ClientCall;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.id.Position;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.KeyRange;
import org.ecstore.model.ChangeMark;
import org.ecstore.model.RefusalCode;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.KeyOrder;
import org.ecstore.replication.copy.LedgerReplay;
import org.ecstore.replication.copy.LedgerReplay.Placed;
import org.ecstore.replication.view.LedgerView;
import org.ecstore.wire.Limits;

/**
 * Tells readers of changes what was committed (rule 29, decision 0066). The ledger has all commits
 * in one order, so any node reads it, whatever copies it has; splits, moves and fail-overs change
 * nothing of it.
 *
 * <p>One request at a time reads, for a bounded stretch, and then the next one has its turn: what a
 * node holds for readers does not grow with their number. Nothing is told above D (rule 8). That
 * there is nothing is told only when the sequencer has said so since the request came: a node that
 * is cut off would say it for ever.
 */
public class ChangeReads {
  /** Requests on a node, and of one connection. */
  static final int REQUESTS_MAX = 256;

  static final int OF_CONNECTION_MAX = 32;

  /** A request waits no longer for the next commit; its client asks again. */
  static final int WAIT_MILLIS_MAX = 5_000;

  /**
   * How much is told at once.
   *
   * @param bytesMin an answer has room for so many bytes, though its client asks for less
   * @param chunksMax so much of the ledger is read in one turn, of 256 KiB each, but a whole record
   *     at least
   * @param lookedMax so many commits are looked at in one turn
   * @param keptBytes of commits in one turn, and of what is kept of a stretch that was read
   */
  public record Bounds(int bytesMin, int chunksMax, int lookedMax, long keptBytes) {
    /** For a node of any heap. */
    public static final Bounds DEFAULT = new Bounds(64 << 10, 16, 4_000, 4 << 20);
  }

  /** Stretches of the ledger of which the commits are kept. */
  private static final int STRETCHES = 3;

  /** Who waits at the end of the ledger lets some more commits gather. */
  private static final long GATHER_NANOS = 20_000_000L;

  /** The sequencer answers within this, or another node is asked. */
  private static final long CONFIRM_NANOS = 2_000_000_000L;

  /** A request whose turn has not come so long after it should be answered is refused. */
  private static final long LATE_NANOS = 5_000_000_000L;

  /** A turn ends that has read nothing for so long. */
  private static final long STUCK_NANOS = 2_000_000_000L;

  /** What was read lately is forgotten when it was of no use for so long. */
  private static final long KEPT_NANOS = 10_000_000_000L;

  private static final long REST_NANOS = 1_000_000L;

  private static final ClientReply.Refused GONE =
      new ClientReply.Refused(RefusalCode.UNAVAILABLE, "its client has gone");

  private static final ClientReply.Refused TOO_MANY =
      new ClientReply.Refused(RefusalCode.OVERLOADED, "too many read changes on this node");

  /** Asks the sequencer for a position that holds all that was acknowledged until now. */
  @FunctionalInterface
  public interface Confirmation {
    void ask(long untilNanos, Consumer<Position> confirmed, Consumer<ClientReply.Refused> refused);
  }

  private final NodeContext context;
  private final LedgerView ledgerView;
  private final Confirmation confirmation;
  private final Bounds bounds;

  private final Map<Long, Integer> ofConnections = new TreeMap<>();
  private int requests;

  /** At the end of the ledger, until there is more of it. */
  private final List<Request> waiting = new ArrayList<>();

  private boolean awaiting;
  private boolean gathering;

  /** Those that the next question to the sequencer is for. */
  private List<Request> unconfirmed = new ArrayList<>();

  /** Those that the one under way is for. */
  private List<Request> asked = List.of();

  private boolean confirming;

  /** Those that have something to read, by connection: the one whose turn comes next is first. */
  private final Map<Long, Deque<Request>> queues = new LinkedHashMap<>();

  private Optional<Turn> turn = Optional.empty();
  private boolean serving;
  private boolean resting;

  /** Commits that were looked at since the loop had a rest. */
  private int looked;

  /** What was read lately: at the end of the ledger, and elsewhere. The one used last is first. */
  private final Deque<ReadCommits> kept = new ArrayDeque<>();

  /**
   * Those of a node.
   *
   * @param confirmation by which it is found out that there is nothing to tell
   */
  public ChangeReads(
      NodeContext context, LedgerView ledgerView, Confirmation confirmation, Bounds bounds) {
    this.context = context;
    this.ledgerView = ledgerView;
    this.confirmation = confirmation;
    this.bounds = bounds;
  }

  private static final class Request {
    final ClientCall call;
    final List<KeyRange> intervals;
    final int bytesMax;
    final long untilNanos;
    ChangeMark mark;

    /** How far its reader had come. */
    final Position first;

    /** Up to where it has looked: D may lie between the parts of a record, and its mark may not. */
    Position looked = Position.ZERO;

    /** Up to which position it is answered at once, whatever is found. */
    Optional<Position> last = Optional.empty();

    boolean ended;

    Request(ClientCall call, ClientRequest.ReadChanges read, int bytesMin, long nowNanos) {
      this.call = call;
      this.intervals = read.intervals();
      // The rest of a large commit is not cut into more answers than it has to be.
      this.bytesMax =
          read.mark().within().isPresent() && bytesMin > 1
              ? Limits.CHANGES_BYTES_MAX
              : Math.clamp(read.bytesMax(), bytesMin, Limits.CHANGES_BYTES_MAX);
      this.untilNanos = nowNanos + Math.min(read.waitMillis(), WAIT_MILLIS_MAX) * 1_000_000L;
      this.mark = read.mark();
      this.first = read.mark().after();
    }

    /** Whether it has looked at all up to a position. */
    boolean hasLooked(Position position) {
      return position.isAtOrBelow(Position.max(mark.after(), looked));
    }

    /** Whether there is something to say: that there were no changes until where it has come. */
    boolean hasCome() {
      return mark.after().isAfter(first);
    }
  }

  /** A client asks. */
  public void read(ClientCall call, ClientRequest.ReadChanges read) {
    Optional<String> wrong = wrong(read);
    if (wrong.isPresent()) {
      reply(call, new ClientReply.Refused(RefusalCode.BAD_REQUEST, wrong.get()));
      return;
    }
    int own = ofConnections.getOrDefault(call.connection(), 0);
    if (requests >= REQUESTS_MAX || own >= OF_CONNECTION_MAX) {
      reply(call, TOO_MANY);
      return;
    }
    requests++;
    ofConnections.put(call.connection(), own + 1);
    proceed(new Request(call, read, bounds.bytesMin(), context.nanos()));
    serve();
  }

  private static Optional<String> wrong(ClientRequest.ReadChanges read) {
    int count = read.intervals().size();
    return count < 1 || count > Limits.CHANGES_INTERVALS_MAX
        ? Optional.of("changes of 1 to " + Limits.CHANGES_INTERVALS_MAX + " intervals are read")
        : KeyOrder.faultOf(read.intervals());
  }

  /** A client has gone: it reads no more. */
  public void clientGone(long connection) {
    if (!ofConnections.containsKey(connection)) {
      return;
    }
    List<Request> gone = new ArrayList<>();
    for (List<Request> some : List.of(waiting, unconfirmed, asked)) {
      some.stream().filter(one -> one.call.connection() == connection).forEach(gone::add);
    }
    gone.addAll(queues.getOrDefault(connection, new ArrayDeque<>()));
    turn.map(now -> now.request)
        .filter(one -> one.call.connection() == connection)
        .ifPresent(gone::add);
    // It is not heard; but what the port holds for it is let go with the answer.
    gone.forEach(one -> answer(one, GONE));
    serve();
  }

  /** Looks at what has waited long enough. */
  public void tick() {
    long now = context.nanos();
    List<Request> over = waiting.stream().filter(one -> one.untilNanos - now <= 0).toList();
    waiting.removeAll(over);
    over.forEach(this::proceed);
    List<Request> late =
        queues.values().stream()
            .flatMap(Collection::stream)
            .filter(one -> one.untilNanos + LATE_NANOS - now <= 0)
            .toList();
    late.forEach(one -> refuse(one, TOO_MANY));
    awaitMore();
    turn.ifPresent(reading -> reading.look(now));
    kept.removeIf(one -> now - one.usedNanos() > KEPT_NANOS);
    serve();
  }

  private void reply(ClientCall call, ClientReply reply) {
    context.ports().network().reply(call, reply);
  }

  private void answer(Request request, ClientReply reply) {
    if (!request.ended) {
      end(request);
      reply(request.call, reply);
    }
  }

  /** It cannot go on; how far it has come is not for nothing. */
  private void refuse(Request request, ClientReply.Refused refused) {
    answer(
        request,
        request.hasCome() ? new ClientReply.ChangesRead(List.of(), request.mark, false) : refused);
  }

  /** It is nowhere any more, and its place is free. */
  private void end(Request request) {
    if (request.ended) {
      return;
    }
    request.ended = true;
    requests--;
    long connection = request.call.connection();
    int left = ofConnections.getOrDefault(connection, 1) - 1;
    if (left == 0) {
      ofConnections.remove(connection);
    } else {
      ofConnections.put(connection, left);
    }
    waiting.remove(request);
    unconfirmed.remove(request);
    Deque<Request> queue = queues.get(connection);
    if (queue != null && queue.remove(request) && queue.isEmpty()) {
      queues.remove(connection);
    }
    turn.filter(now -> now.request == request).ifPresent(Turn::leave);
  }

  /** What is told at most: durable, and never taken back (rule 8). */
  @RuleSeam(29)
  protected Position durable() {
    return ledgerView.adopted().position();
  }

  /** Whether that there is nothing may be told without a question to the sequencer. */
  @RuleSeam(29)
  protected boolean isSureOfNothing() {
    return false;
  }

  /** Finds out what a request has to wait for. The caller serves. */
  private void proceed(Request request) {
    Position after = request.mark.after();
    Position durable = durable();
    if (after.isAfter(durable) || request.untilNanos - context.nanos() <= 0) {
      confirm(request);
    } else if (!request.hasLooked(durable)) {
      enqueue(request);
    } else {
      waiting.add(request);
      awaitMore();
    }
  }

  private void enqueue(Request request) {
    queues.computeIfAbsent(request.call.connection(), _ -> new ArrayDeque<>()).addLast(request);
  }

  /** One wait for all: for the position behind D. */
  private void awaitMore() {
    if (awaiting || waiting.isEmpty()) {
      return;
    }
    awaiting = true;
    ledgerView.await(
        new ReadPoint(ledgerView.adopted().position().next(), MapVersion.ZERO),
        context.nanos() + WAIT_MILLIS_MAX * 1_000_000L,
        () -> {
          awaiting = false;
          gather();
        },
        () -> awaiting = false);
  }

  /** So that the ledger is not read for each entry by itself. */
  private void gather() {
    if (!gathering) {
      gathering = true;
      context.after(GATHER_NANOS, this::thereIsMore);
    }
  }

  private void thereIsMore() {
    gathering = false;
    List<Request> all = List.copyOf(waiting);
    waiting.clear();
    all.forEach(this::proceed);
    serve();
  }

  /** Has the sequencer say how far everything goes that was acknowledged until now. */
  private void confirm(Request request) {
    if (isSureOfNothing()) {
      confirmed(request, durable());
      return;
    }
    unconfirmed.add(request);
    if (!confirming) {
      askSequencer();
    }
  }

  private void askSequencer() {
    confirming = true;
    asked = unconfirmed;
    unconfirmed = new ArrayList<>();
    confirmation.ask(
        context.nanos() + CONFIRM_NANOS,
        position -> answered(one -> confirmed(one, position)),
        refused -> answered(one -> refuse(one, refused)));
  }

  private void answered(Consumer<Request> then) {
    confirming = false;
    List<Request> these = asked;
    asked = List.of();
    these.forEach(then);
    if (!unconfirmed.isEmpty() && !confirming) {
      askSequencer();
    }
    serve();
  }

  private void confirmed(Request request, Position position) {
    if (request.ended) {
      return;
    }
    if (request.mark.after().isAfter(position)) {
      answer(request, new ClientReply.ChangesLost(Position.ZERO, position));
    } else if (request.hasLooked(position)) {
      answer(request, new ClientReply.ChangesRead(List.of(), request.mark, true));
    } else {
      request.last = Optional.of(position);
      enqueue(request);
    }
  }

  /**
   * Gives turns, one after the other and one connection after the other, as long as none has to
   * wait for the ledger; and lets the loop do other things in between.
   */
  private void serve() {
    if (serving || resting) {
      return;
    }
    serving = true;
    while (turn.isEmpty() && !queues.isEmpty() && looked < bounds.lookedMax()) {
      Turn next = new Turn(nextInQueue());
      turn = Optional.of(next);
      next.begin();
    }
    serving = false;
    if (looked >= bounds.lookedMax()) {
      resting = true;
      context.after(
          REST_NANOS,
          () -> {
            resting = false;
            looked = 0;
            serve();
          });
    }
  }

  private Request nextInQueue() {
    Map.Entry<Long, Deque<Request>> first = queues.entrySet().iterator().next();
    long connection = first.getKey();
    Deque<Request> queue = first.getValue();
    queues.remove(connection);
    Request next = queue.removeFirst();
    if (!queue.isEmpty()) {
      queues.put(connection, queue);
    }
    return next;
  }

  /** What is kept from a position on; else an empty one in place of the one least used. */
  private ReadCommits keptFrom(Position position) {
    ReadCommits found =
        kept.stream()
            .filter(one -> one.has(position))
            .findFirst()
            .orElseGet(() -> new ReadCommits(position, bounds.keptBytes()));
    found.used(context.nanos());
    kept.remove(found);
    if (kept.size() >= STRETCHES) {
      kept.removeLast();
    }
    kept.addFirst(found);
    return found;
  }

  /** One request reads. */
  private final class Turn {
    final Request request;
    private final ChangeAnswer answer;
    private final Position from;
    private final Position target;
    private final ReadCommits stretch;
    private Optional<LedgerReplay> replay = Optional.empty();
    private int chunks;
    private long bytes;
    private int lookedAt;
    private long heardNanos;

    /** Whether it has looked at all up to the target. */
    private boolean atTarget;

    Turn(Request request) {
      this.request = request;
      this.answer = new ChangeAnswer(request.mark, request.intervals, request.bytesMax);
      this.from = request.mark.after();
      this.target = request.last.orElseGet(ChangeReads.this::durable);
      this.stretch = keptFrom(from);
    }

    void begin() {
      heardNanos = context.nanos();
      take(stretch);
      atTarget = target.isAtOrBelow(stretch.through());
      if (atTarget || isEnough()) {
        finish();
        return;
      }
      LedgerReplay reading =
          replay(stretch.through().next(), target, this::arrived, this::replayEnded);
      replay = Optional.of(reading);
      reading.read();
    }

    /** Takes what is above the mark, if that is not too much for one turn. */
    private void take(ReadCommits source) {
      for (ReadCommits.Kept commit : source.commits(answer.mark().after(), target)) {
        answer.add(commit);
        lookedAt++;
        looked++;
        if (isEnough()) {
          return;
        }
      }
      answer.through(Position.min(source.through(), target));
    }

    /** Whether others have their turn now; not before it has come on. */
    private boolean isEnough() {
      boolean isMuch =
          chunks >= bounds.chunksMax()
              || bytes >= bounds.keptBytes()
              || lookedAt >= bounds.lookedMax();
      return answer.isFull() || (isMuch && answer.mark().after().isAfter(from));
    }

    private void arrived(List<Placed> records, Position through, Runnable more) {
      if (isOver()) {
        return;
      }
      heardNanos = context.nanos();
      stretch.used(heardNanos);
      chunks++;
      bytes += stretch.add(records, replay.map(LedgerReplay::whole).orElse(from));
      take(stretch);
      stretch.shrink();
      atTarget = target.isAtOrBelow(through);
      if (atTarget || isEnough()) {
        finish();
        serve();
      } else {
        more.run();
      }
    }

    private void replayEnded(LedgerReplay.End end) {
      if (isOver()) {
        return;
      }
      switch (end) {
        case REACHED -> {
          atTarget = true;
          finish();
        }
        case TRIMMED -> {
          Position first = replay.map(LedgerReplay::firstKept).orElse(Position.ZERO);
          if (answer.isEmpty()) {
            answer(request, new ClientReply.ChangesLost(first, durable()));
          } else {
            finish();
          }
        }
      }
      serve();
    }

    /** It is answered, or waits for more. */
    private void finish() {
      leave();
      request.mark = answer.mark();
      boolean hasAll = atTarget && !isCutShort();
      if (hasAll) {
        request.looked = target;
      }
      if (!answer.isEmpty() || request.last.isPresent() || !hasAll) {
        answer(request, answer.reply(hasAll && request.last.isPresent()));
        return;
      }
      waiting.add(request);
      if (request.hasLooked(durable())) {
        awaitMore();
      } else {
        gather();
      }
    }

    /** Whether some commits up to the target were not looked at. */
    private boolean isCutShort() {
      return answer.isFull() || !stretch.commits(answer.mark().after(), target).isEmpty();
    }

    void look(long nowNanos) {
      if (nowNanos - heardNanos <= STUCK_NANOS) {
        return;
      }
      leave();
      request.mark = answer.mark();
      if (answer.isEmpty()) {
        String why = replay.map(LedgerReplay::troubles).orElse("");
        refuse(
            request,
            new ClientReply.Refused(
                RefusalCode.UNAVAILABLE, "this node cannot read the ledger now; " + why));
      } else {
        answer(request, answer.reply(false));
      }
    }

    private boolean isOver() {
      return turn.filter(now -> now == this).isEmpty();
    }

    void leave() {
      replay.ifPresent(LedgerReplay::cancel);
      if (!isOver()) {
        turn = Optional.empty();
      }
    }
  }

  /** The reading of a turn. */
  @RuleSeam(29)
  protected LedgerReplay replay(
      Position from, Position target, LedgerReplay.Chunks chunks, Consumer<LedgerReplay.End> end) {
    return new LedgerReplay(context, from, target, chunks, end);
  }
}
