package org.ecstore.txn.qos.measured;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.ecstore.core.port.Coordination.Member;
import org.ecstore.core.port.CoordinationResult;
import org.ecstore.core.runtime.NodeContext;
import org.ecstore.core.runtime.RuleSeam;
import org.ecstore.id.MapVersion;
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.table.InvalidTableException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.txn.qos.table.TableWriter;
import org.ecstore.txn.steward.decision.Decision.Cause;
import org.ecstore.txn.steward.decision.Decision.Outcome;
import org.ecstore.txn.steward.decision.Decisions;

/**
 * Keeps the performance tables that a cluster goes by, on the node that leads: a {@link KeptBook},
 * one change at a time (decision 0079). A table is consulted while all nodes are of the build,
 * class, engine and capacity that it was measured on (rule 23: what a node says of itself); it is
 * kept all the same, as nodes may become so again. Where it is not known whether a change is done
 * the book says so by the request's id (rule 15).
 */
public class TableKeeper {
  /** Where the tables are kept in coordination. */
  public static final String KEY = "tables";

  private static final String TAKEN = "it is kept";
  private static final String OF_ANOTHER_RELEASE =
      "the tables in coordination cannot be read by this release";
  private static final int WAITING_MAX = 16;

  /** What is not done by then is put off: who asked may ask again. */
  private static final long WAIT_NANOS_MAX = 60_000_000_000L;

  private record Waiting(AdminRequest.OfTables request, long id, long decision, long untilNanos) {}

  private final NodeContext context;
  private final BooleanSupplier leads;
  private final Supplier<List<Member>> members;
  private final Decisions decisions;
  private final KeptBook<TableBook> kept;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Kept tables as they were read, by name; those that cannot be read are not among them. */
  private final Map<String, KnownTable> known = new TreeMap<>();

  private boolean awake;
  private boolean unreadable;

  /**
   * A keeper of nothing yet.
   *
   * @param leads whether this node leads
   * @param members who is there
   * @param decisions where it says what became of requests
   */
  public TableKeeper(
      NodeContext context,
      BooleanSupplier leads,
      long retryNanos,
      Supplier<List<Member>> members,
      Decisions decisions) {
    this.context = context;
    this.leads = leads;
    this.members = members;
    this.decisions = decisions;
    this.kept = new KeptBook<>(context, KEY, new TableBookForm(), leads, retryNanos, new Changes());
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void start() {
    waiting.clear();
    known.clear();
    awake = false;
    unreadable = false;
    kept.forget();
  }

  /** Reads what there is, if it is not being read, or known. */
  public void wake() {
    if (!awake && leads.getAsBoolean()) {
      awake = true;
      kept.start();
    }
  }

  /** Coordination says that the value is another. */
  public void changed() {
    if (awake) {
      kept.changed();
    }
  }

  /** Whether it is known what is kept, or that it cannot be read here. */
  public boolean isKnown() {
    return unreadable || kept.book().isPresent();
  }

  // --- what is consulted

  /** The tables that are consulted now. */
  public MeasuredTables consulted() {
    if (unreadable) {
      return new MeasuredTables(List.of(), List.of(OF_ANOTHER_RELEASE));
    }
    TableBook book = kept.book().orElse(TableBook.EMPTY);
    refresh(book);
    List<KnownTable> fitting = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (KeptTable table : book.tables()) {
      Optional<KnownTable> read = read(table);
      String stale = stale(read);
      if (stale.isEmpty()) {
        read.ifPresent(fitting::add);
      } else {
        others.add("table %s is stale: %s".formatted(table.name(), stale));
      }
    }
    return new MeasuredTables(fitting, others);
  }

  private void refresh(TableBook book) {
    known.values().removeIf(one -> book.of(one.name()).filter(one.kept()::equals).isEmpty());
    for (KeptTable table : book.tables()) {
      if (!known.containsKey(table.name())) {
        KnownTable.of(table).ifPresent(read -> known.put(table.name(), read));
      }
    }
  }

  private Optional<KnownTable> read(KeptTable table) {
    return Optional.ofNullable(known.get(table.name()));
  }

  /** Why a table is not consulted; empty if it is. */
  private String stale(Optional<KnownTable> read) {
    return read.map(one -> String.join("; ", differences(one.table().subject(), members.get())))
        .orElse("this release cannot read it: measure it anew");
  }

  /** In what nodes are others than those of a table, a sentence each; none if they are not. */
  @RuleSeam(23)
  protected List<String> differences(TableSubject measured, List<Member> nodes) {
    return NodeKinds.differences(measured, nodes);
  }

  /** What is kept, for people; absent while that is not known here. */
  public Optional<List<TableLine>> lines() {
    wake();
    return kept.book().map(this::lines);
  }

  private List<TableLine> lines(TableBook book) {
    refresh(book);
    List<TableLine> lines = new ArrayList<>();
    for (KeptTable table : book.tables()) {
      Optional<KnownTable> read = read(table);
      lines.add(
          new TableLine(
              table.name(),
              table.sinceMillis(),
              read.map(one -> NodeKinds.words(one.table().subject())).orElse(""),
              read.map(KnownTable::size).orElse(""),
              stale(read)));
    }
    return lines;
  }

  // --- requests of operators

  /** Takes a request, with an id or 0; the number of the decision about it. */
  public long add(AdminRequest.OfTables request, long id) {
    long decision =
        decisions.open(context.nanos(), Cause.OPERATOR, List.of(), words(request), "", id);
    Optional<String> tooMuch = tooMuch(request);
    if (tooMuch.isPresent()) {
      end(decision, Outcome.REFUSED, tooMuch.get());
    } else {
      waiting.addLast(new Waiting(request, id, decision, context.nanos() + WAIT_NANOS_MAX));
      wake();
      next();
    }
    return decision;
  }

  /** What is wanted, in words. */
  public static String words(AdminRequest.OfTables request) {
    int shown = Math.min(request.name().length(), 64);
    String name = request.name().substring(0, shown);
    return switch (request) {
      case AdminRequest.UseTable _ -> "use table " + name;
      case AdminRequest.RemoveTable _ -> "remove table " + name;
    };
  }

  /** What is too large is not kept until it can be looked at. */
  private Optional<String> tooMuch(AdminRequest.OfTables request) {
    if (waiting.size() >= WAITING_MAX) {
      return Optional.of(WAITING_MAX + " other requests wait");
    }
    return request instanceof AdminRequest.UseTable use && use.text().length() > TableBook.TEXT_MAX
        ? Optional.of(
            "it is longer than %d KiB: fewer rows or columns will do"
                .formatted(TableBook.TEXT_MAX >> 10))
        : Optional.empty();
  }

  private void end(long decision, Outcome outcome, String detail) {
    decisions.end(decision, outcome, MapVersion.ZERO, detail);
  }

  private void over(Outcome outcome, String detail) {
    end(waiting.removeFirst().decision(), outcome, detail);
  }

  /** Does what is asked for, in its order, as far as it can be done at once. */
  private void next() {
    while (kept.isReady() && !waiting.isEmpty()) {
      Waiting first = waiting.getFirst();
      TableBook book = kept.book().orElse(TableBook.EMPTY);
      if (isDone(book, first.id())) {
        over(Outcome.DONE, TAKEN);
        continue;
      }
      List<String> faults = new ArrayList<>();
      AdminRequest.OfTables plain = plain(first.request(), faults);
      book.refusal(plain).ifPresent(faults::add);
      if (!faults.isEmpty()) {
        over(Outcome.REFUSED, String.join("; ", faults));
      } else if (book.has(plain)) {
        over(Outcome.DONE, "it is as it was");
      } else {
        swap(book.after(plain, first.id()));
      }
    }
  }

  /** A request with the text as it is kept, and all that is wrong with that. */
  private AdminRequest.OfTables plain(AdminRequest.OfTables request, List<String> faults) {
    if (!(request instanceof AdminRequest.UseTable(var name, var text, var at))) {
      return request;
    }
    try {
      PerformanceTable table = TableReader.read(text);
      if (table.cells().size() > TableBook.CELLS_MAX) {
        faults.add(
            "it has %d cells, more than %d: fewer rows or columns will do"
                .formatted(table.cells().size(), TableBook.CELLS_MAX));
      }
      faults.addAll(NodeKinds.unsaid(table.subject()));
      faults.addAll(differences(table.subject(), members.get()));
      return new AdminRequest.UseTable(name, TableWriter.full(table), at);
    } catch (InvalidTableException e) {
      faults.addAll(e.problems());
      return request;
    }
  }

  private void swap(TableBook after) {
    if (kept.fits(after)) {
      kept.swap(after, () -> over(Outcome.DONE, TAKEN));
    } else {
      over(
          Outcome.REFUSED,
          "all tables together would take more than %d bytes: remove one"
              .formatted(KeptBook.BYTES_MAX));
    }
  }

  private void putOffLate() {
    while (!waiting.isEmpty() && waiting.getFirst().untilNanos() - context.nanos() <= 0) {
      over(Outcome.PUT_OFF, "coordination does not take it: see whether ZooKeeper has a majority");
    }
  }

  private final class Changes implements KeptBook.Listener {
    @Override
    public void ready() {
      unreadable = false;
      next();
    }

    @Override
    public void waits() {
      putOffLate();
    }

    @Override
    public void unreadable(String why) {
      unreadable = true;
      context.ports().log().warn(OF_ANOTHER_RELEASE + ", and are kept: " + why);
      while (!waiting.isEmpty()) {
        over(Outcome.REFUSED, OF_ANOTHER_RELEASE);
      }
    }

    @Override
    public boolean isTaken(CoordinationResult result) {
      return TableKeeper.this.isTaken(result);
    }
  }

  /** Whether coordination has a change for certain. */
  @RuleSeam(15)
  protected boolean isTaken(CoordinationResult result) {
    return result instanceof CoordinationResult.Swapped;
  }

  /** Whether a request was done before: by this keeper, which did not hear of it, or another. */
  @RuleSeam(15)
  protected boolean isDone(TableBook book, long request) {
    return book.ofRequest(request).isPresent();
  }
}
