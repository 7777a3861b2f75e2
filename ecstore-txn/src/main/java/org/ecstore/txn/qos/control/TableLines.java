package org.ecstore.txn.qos.control;

import java.util.List;
import java.util.Optional;
import org.ecstore.id.NodeId;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.protocol.ClientReply.TableLine;
import org.ecstore.protocol.ClientReply.TableUseLine;
import org.ecstore.protocol.ClientReply.Tables;
import org.ecstore.txn.qos.control.Situation.Served;
import org.ecstore.txn.qos.measured.KnownTable;
import org.ecstore.txn.qos.measured.MeasuredTables;
import org.ecstore.txn.qos.measured.TableChoice;

/** By which tables the controller goes, for people. */
final class TableLines {
  private TableLines() {}

  static Tables of(
      NodeId self, List<TableLine> kept, MeasuredTables consulted, List<Served> served) {
    return new Tables(
        self,
        kept,
        kept.isEmpty()
            ? List.of()
            : served.stream().flatMap(one -> use(consulted, one).stream()).toList());
  }

  private static Optional<TableUseLine> use(MeasuredTables consulted, Served served) {
    Objective objective = served.objective();
    Optional<ServiceFigures> figures = served.figures();
    Optional<ResponseTarget> target =
        figures
            .flatMap(had -> ServiceVerdict.tightest(objective, had))
            .or(() -> objective.targets().stream().findFirst());
    return target
        .filter(_ -> served.isGuaranteed())
        .map(
            one -> {
              TableChoice choice = consulted.choose(objective, figures, one.statistic());
              return new TableUseLine(
                  objective.application(), choice.table().map(KnownTable::name), choice.why());
            });
  }
}
