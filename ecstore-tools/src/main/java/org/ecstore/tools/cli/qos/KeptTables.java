package org.ecstore.tools.cli.qos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.protocol.ClientReply.WholeTable;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.tools.cli.cluster.ClusterAccess;
import org.ecstore.tools.plan.PlanTables;
import org.ecstore.txn.qos.table.InvalidTableException;
import org.ecstore.txn.qos.table.TableReader;

/** The tables that a cluster keeps, for plans. */
final class KeptTables {
  private final ClusterAccess access;
  private final List<PlanTables.Source> sources = new ArrayList<>();
  private final List<String> leftOut = new ArrayList<>();

  private KeptTables(ClusterAccess access) {
    this.access = access;
  }

  /** Asks the cluster for them; absent if it keeps none. */
  static Optional<PlanTables> of(ClusterAccess access) throws IOException, InterruptedException {
    KeptTables kept = new KeptTables(access);
    access.talk(kept::ask);
    return kept.sources.isEmpty() && kept.leftOut.isEmpty()
        ? Optional.empty()
        : Optional.of(new PlanTables(kept.sources, kept.leftOut));
  }

  private void ask(ClusterAccess.Link steward) throws IOException, InterruptedException {
    Tables tables = access.ask(steward, new ClientRequest.AskTables(), Tables.class);
    for (TableLine line : tables.tables()) {
      if (line.stale().isEmpty()) {
        ClientRequest.AskWholeTable question = new ClientRequest.AskWholeTable(line.name());
        take(line.name(), access.ask(steward, question, WholeTable.class));
      } else {
        leftOut.add("table %s is stale: %s".formatted(line.name(), line.stale()));
      }
    }
  }

  /** One that was removed meanwhile is none. */
  private void take(String name, WholeTable table) {
    if (table.text().isEmpty()) {
      return;
    }
    try {
      sources.add(new PlanTables.Source(name, TableReader.read(table.text().orElseThrow()), false));
    } catch (InvalidTableException e) {
      leftOut.add("table %s: %s".formatted(name, String.join("; ", e.problems())));
    }
  }
}
