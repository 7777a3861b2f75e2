package org.ecstore.txn.qos.measured;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.ecstore.model.AdminRequest;

/**
 * The tables that are kept, each name's one, and the last changes of them. Immutable.
 *
 * @param tables in the order of their names, {@link #TABLES_MAX} at most
 * @param changes the newest last, {@link #CHANGES_MAX} at most
 */
public record TableBook(List<KeptTable> tables, List<TableChange> changes) {
  /** Tables of a cluster: one for each kind of workload. */
  public static final int TABLES_MAX = 8;

  /** Characters of one; all of them fit into one value of coordination. */
  public static final int TEXT_MAX = 16 << 10;

  /** Cells of one: what is fitted to them is found on the thread of a node. */
  public static final int CELLS_MAX = 128;

  /** Changes that are remembered. */
  public static final int CHANGES_MAX = 50;

  /** None, and none ever. */
  public static final TableBook EMPTY = new TableBook(List.of(), List.of());

  public TableBook {
    tables = List.copyOf(tables);
    changes = List.copyOf(changes);
  }

  /** What was done on a request, if that was one of the last changes. */
  public Optional<TableChange> ofRequest(long request) {
    return changes.stream()
        .filter(change -> request != 0 && change.request() == request)
        .findFirst();
  }

  /** The table of a name, if it is kept. */
  public Optional<KeptTable> of(String name) {
    return tables.stream().filter(table -> table.name().equals(name)).findFirst();
  }

  /** Whether a request would leave all as it is. */
  public boolean has(AdminRequest.OfTables request) {
    return request instanceof AdminRequest.UseTable(var name, var text, _)
        && of(name).filter(table -> table.text().equals(text)).isPresent();
  }

  /**
   * Why the names of a request do not do, in a sentence that says what to do; absent if they do.
   */
  public Optional<String> refusal(AdminRequest.OfTables request) {
    boolean isKept = of(request.name()).isPresent();
    return switch (request) {
      case AdminRequest.UseTable _ -> {
        if (!request.name().matches(AdminRequest.OfTables.NAME_PATTERN)) {
          yield Optional.of(
              "a table's name is of up to 64 letters, digits, \".\", \"_\" and \"-\": give another"
                  + " one by --name");
        }
        yield isKept || tables.size() < TABLES_MAX
            ? Optional.empty()
            : Optional.of(
                "there are " + TABLES_MAX + " tables already: remove one, by qos table remove");
      }
      case AdminRequest.RemoveTable _ ->
          isKept ? Optional.empty() : Optional.of("there is no such table: see qos table list");
    };
  }

  /** The book after a request that is not refused. */
  public TableBook after(AdminRequest.OfTables request, long id) {
    List<KeptTable> kept = new ArrayList<>(tables);
    kept.removeIf(table -> table.name().equals(request.name()));
    if (request instanceof AdminRequest.UseTable(var name, var text, var at)) {
      kept.add(new KeptTable(name, text, at));
    }
    kept.sort(Comparator.comparing(KeptTable::name));
    long number = changes.isEmpty() ? 1 : changes.getLast().number() + 1;
    List<TableChange> after = new ArrayList<>(changes);
    after.add(
        new TableChange(
            number,
            id,
            request.atMillis(),
            request instanceof AdminRequest.RemoveTable,
            request.name()));
    return new TableBook(
        kept, after.subList(Math.max(0, after.size() - CHANGES_MAX), after.size()));
  }
}
