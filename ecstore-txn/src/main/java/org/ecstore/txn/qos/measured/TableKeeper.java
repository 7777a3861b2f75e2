package org.ecstore.txn.qos.measured;

import java.util.ArrayList;
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
import org.ecstore.model.AdminRequest;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.txn.qos.book.BookRequests;
import org.ecstore.txn.qos.book.BookStep;
import org.ecstore.txn.qos.book.KeptBook;
import org.ecstore.txn.qos.table.InvalidTableException;
import org.ecstore.txn.qos.table.PerformanceTable;
import org.ecstore.txn.qos.table.TableReader;
import org.ecstore.txn.qos.table.TableSubject;
import org.ecstore.txn.qos.table.TableWriter;
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

  private static final String OF_ANOTHER_RELEASE =
      "the tables in coordination cannot be read by this release";
  private static final int WAITING_MAX = 16;

  private final BooleanSupplier leads;
  private final Supplier<List<Member>> members;
  private final BookRequests<AdminRequest.OfTables, TableBook> requests;
  private final KeptBook<TableBook> kept;

  /** Kept tables as they were read, by name; those that cannot be read are not among them. */
  private final Map<String, KnownTable> known = new TreeMap<>();

  private boolean awake;

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
    this.leads = leads;
    this.members = members;
    this.requests =
        new BookRequests<>(
            context,
            KEY,
            new TableBookForm(),
            leads,
            retryNanos,
            decisions,
            WAITING_MAX,
            new BookRequests.Damage(OF_ANOTHER_RELEASE + ", and are kept", OF_ANOTHER_RELEASE),
            new Requested());
    this.kept = requests.book();
  }

  /** This node has come to lead: what was asked of it before is over. */
  public void start() {
    requests.clear();
    known.clear();
    awake = false;
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
    return requests.isUnreadable() || kept.book().isPresent();
  }

  // --- what is consulted

  /** The tables that are consulted now. */
  public MeasuredTables consulted() {
    if (requests.isUnreadable()) {
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

  /** What is in the table of a name; absent while it is not known here what is kept. */
  public Optional<WholeTable> whole(String name) {
    wake();
    return kept.book().map(book -> new WholeTable(book.of(name).map(KeptTable::text)));
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
    return requests.add(request, id, words(request), tooMuch(request));
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
  private static Optional<String> tooMuch(AdminRequest.OfTables request) {
    return request instanceof AdminRequest.UseTable use && use.text().length() > TableBook.TEXT_MAX
        ? Optional.of(
            "it is longer than %d KiB: fewer rows or columns will do"
                .formatted(TableBook.TEXT_MAX >> 10))
        : Optional.empty();
  }

  private BookStep<TableBook> step(TableBook book, AdminRequest.OfTables request, long id) {
    List<String> faults = new ArrayList<>();
    AdminRequest.OfTables plain = plain(request, faults);
    book.refusal(plain).ifPresent(faults::add);
    if (!faults.isEmpty()) {
      return BookStep.refused(String.join("; ", faults));
    }
    if (book.has(plain)) {
      return BookStep.asItWas();
    }
    TableBook after = book.after(plain, id);
    return kept.fits(after)
        ? BookStep.kept(after)
        : BookStep.refused(
            "all tables together would take more than %d bytes: remove one"
                .formatted(KeptBook.BYTES_MAX));
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

  private final class Requested implements BookRequests.Keeper<AdminRequest.OfTables, TableBook> {
    @Override
    public void awaited() {
      wake();
    }

    @Override
    public boolean isDone(TableBook book, long id) {
      return TableKeeper.this.isDone(book, id);
    }

    @Override
    public BookStep<TableBook> step(TableBook book, AdminRequest.OfTables request, long id) {
      return TableKeeper.this.step(book, request, id);
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
