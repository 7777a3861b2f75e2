package org.ecstore.cluster.bookkeeper;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.ecstore.check.Check;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.cluster.bookkeeper.segment.Futures;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.id.Position;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BookKeeperLedger} as one node sees it. Calls come from the node's event loop and only
 * enqueue; results go to the node's sink from the thread that owns the ledger.
 */
final class NodeLedger implements Ledger {
  private static final String CLOSED = "the ledger is closed";

  private final Context context;
  private final Consumer<Event> sink;
  private final ArrayDeque<FenceCall> fences = new ArrayDeque<>();
  private @Nullable Writer writer;
  private boolean closed;

  /** This node's time as the writer, while it lasted or lasts. Replaced by the owner. */
  private volatile @Nullable Term term;

  NodeLedger(Context context, Consumer<Event> sink) {
    this.context = context;
    this.sink = sink;
  }

  /** Its highest position belongs to the thread that calls. */
  private static final class Term {
    final Writer writer;
    long highest;

    Term(Writer writer, long highest) {
      this.writer = writer;
      this.highest = highest;
    }
  }

  private static final class FenceCall {
    final long token;
    long deadlineNanos;
    boolean begun;
    boolean answered;

    FenceCall(long token) {
      this.token = token;
    }
  }

  @Override
  public void fence(long token) {
    if (!context.owner().submit(() -> enqueue(new FenceCall(token)))) {
      complete(token, new LedgerResult.Failed(CLOSED));
    }
  }

  /** One that has not replaced the list yet does not do so any more. */
  @Override
  public void cancel(long token) {
    // Where the owner takes nothing any more, all fences have their answer.
    boolean _ =
        context
            .owner()
            .submit(
                () ->
                    fences.stream()
                        .filter(call -> call.token == token)
                        .forEach(call -> answer(call, new LedgerResult.Failed("called off"))));
  }

  @Override
  public void append(long token, LedgerEntry entry) {
    Check.that(!entry.records().isEmpty(), "an entry has at least one record");
    long bytes = EntryCodec.bytes(entry);
    Check.that(
        bytes <= EntryCodec.ENTRY_BYTES_MAX, "an entry is not too long", entry.first(), bytes);
    Term of = term;
    if (of != null) {
      Check.that(
          entry.after().value() == of.highest,
          "an entry follows the last one",
          entry.after(),
          of.highest);
      of.highest = entry.last().value();
    }
    if (!context.owner().submit(() -> append(of, token, entry, bytes))) {
      complete(token, new LedgerResult.Rejected(false, CLOSED));
    }
  }

  private void append(@Nullable Term of, long token, LedgerEntry entry, long bytes) {
    if (closed) {
      complete(token, new LedgerResult.Rejected(false, CLOSED));
    } else if (of == null) {
      complete(token, new LedgerResult.AppendUnknown("not the writer: fence first"));
    } else {
      of.writer.append(token, entry, bytes);
    }
  }

  @Override
  public boolean isLost() {
    Term of = term;
    return of != null && of.writer.isLost();
  }

  @Override
  public void read(long token, Position from, int bytesMax) {
    Consumer<LedgerResult> answer = result -> complete(token, result);
    if (!context.owner().submit(() -> context.reads().read(from.value(), bytesMax, answer))) {
      complete(token, new LedgerResult.Failed(CLOSED));
    }
  }

  @Override
  public void trim(long token, Position below) {
    Consumer<LedgerResult> answer = result -> complete(token, result);
    if (!context.owner().submit(() -> context.collector().trim(below.value(), answer))) {
      complete(token, new LedgerResult.Failed(CLOSED));
    }
  }

  private void complete(long token, LedgerResult result) {
    sink.accept(new Event.LedgerDone(token, result));
  }

  private void enqueue(FenceCall call) {
    if (closed) {
      complete(call.token, new LedgerResult.Failed(CLOSED));
      return;
    }
    call.deadlineNanos =
        context.owner().nanos() + TimeUnit.MILLISECONDS.toNanos(context.settings().fenceMillis());
    fences.add(call);
    beginNext();
  }

  /** One fence at a time; a fence comes behind every append that was begun before it. */
  private void beginNext() {
    FenceCall call = fences.peek();
    if (call == null || call.begun) {
      return;
    }
    call.begun = true;
    Writer current = writer;
    if (current == null) {
      attempt(call);
    } else {
      current.finish(
          new LedgerResult.AppendUnknown("fenced by the node itself"), () -> attempt(call));
    }
  }

  private void attempt(FenceCall call) {
    writer = null;
    Fencing fencing = new Fencing(context, () -> !call.answered, call.deadlineNanos);
    Futures.last(fencing.begin(), context.owner(), (won, failure) -> attempted(call, won, failure));
  }

  private void attempted(FenceCall call, Fencing.@Nullable Won won, @Nullable Throwable failure) {
    if (won != null && call.answered) {
      Futures.forget(won.handle().closeAsync());
    } else if (won != null) {
      context.reads().listed(won.listed());
      Futures.last(
          context.reads().first(won.listed()),
          context.owner(),
          (first, _) -> become(call, won, first == null ? lowest(won) : first));
      return;
    } else if (!call.answered) {
      Throwable reason = failure == null ? new TimeoutException("no result") : failure;
      Futures.last(
          context.bookies().explain("cannot become the writer", reason),
          context.owner(),
          (text, _) -> failed(call, text, reason));
      return;
    }
    finished(call);
  }

  /** What is certainly not above the first position there is. */
  private static long lowest(Fencing.Won won) {
    return won.listed().list().trimmed() + 1;
  }

  private void become(FenceCall call, Fencing.Won won, long first) {
    if (call.answered) {
      Futures.forget(won.handle().closeAsync());
    } else {
      Writer begun = new Writer(context, won.handle(), won.listed(), won.last(), this::complete);
      writer = begun;
      term = new Term(begun, won.last());
      answer(call, new LedgerResult.Fenced(new Position(first), new Position(won.last())));
    }
    finished(call);
  }

  private void failed(FenceCall call, @Nullable String text, Throwable reason) {
    answer(call, new LedgerResult.Failed(text == null ? Bookies.reason(reason) : text));
    finished(call);
  }

  private void answer(FenceCall call, LedgerResult result) {
    if (!call.answered) {
      call.answered = true;
      complete(call.token, result);
    }
  }

  private void finished(FenceCall call) {
    fences.remove(call);
    beginNext();
  }

  /** Looks at what has a deadline. */
  void tick() {
    long now = context.owner().nanos();
    for (FenceCall call : fences) {
      if (now - call.deadlineNanos >= 0) {
        answer(call, new LedgerResult.Failed("cannot become the writer: no answer in time"));
      }
    }
    Writer current = writer;
    if (current != null) {
      current.tick();
    }
  }

  /** Whether this node is the writer, as far as it knows. */
  boolean hasWriter() {
    return writer != null;
  }

  /** Tells which bookies take writes. */
  void fill(List<String> there) {
    Writer current = writer;
    if (current != null) {
      current.fill(there);
    }
  }

  /** Answers what was begun, then goes on. */
  void close(Runnable then) {
    closed = true;
    for (FenceCall call : fences) {
      answer(call, new LedgerResult.Failed(CLOSED));
    }
    Writer current = writer;
    if (current == null) {
      then.run();
    } else {
      current.finish(new LedgerResult.Rejected(false, CLOSED), then);
    }
  }

  /** A bug was found: its node ends. */
  void mustEnd(String detail) {
    sink.accept(new Event.PartFailed("the ledger client", detail));
  }

  /** A bug was found: everything is answered, nothing is taken any more. */
  void fail(String why) {
    closed = true;
    for (FenceCall call : fences) {
      answer(call, new LedgerResult.Failed(why));
    }
    Term of = term;
    if (of != null) {
      // Also one that a fence has ended already: its node learns that it is the writer no more.
      of.writer.fail(why);
    }
  }

  /** As if the process had ended. */
  void abandon() {
    closed = true;
    Writer current = writer;
    if (current != null) {
      current.abandon();
    }
  }
}
