package org.ecstore.protocol;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.protocol.ClientReply.ObjectiveChangeLine;
import org.ecstore.protocol.ClientReply.ObjectiveLine;
import org.ecstore.protocol.ClientReply.Objectives;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of objectives: between clients and nodes, between nodes, and in coordination. */
public final class ObjectiveFields {
  /** The numbers are fixed for ever. */
  private static final MessageTable<OfferedLoad> LOADS =
      MessageTable.of(OfferedLoad.class, "kind of load", 1, 63)
          .row(
              1,
              OperationRate.class,
              (out, rate) -> out.varint(rate.perSecond()),
              in -> new OperationRate(in.natural()))
          .row(
              2,
              ClientCount.class,
              (out, clients) -> out.varint(clients.count()),
              in -> new ClientCount(ClientFields.readNaturalInt(in)))
          .build();

  private static final int TARGETS_MAX = 16;

  /** Objectives, or changes of them, of one answer. */
  private static final int LINES_MAX = 1_000;

  private ObjectiveFields() {}

  public static void write(WireWriter out, Objective objective) {
    out.text(objective.application()).list(objective.tables(), WireWriter::text);
    out.text(objective.serviceClass().word()).varint(objective.weight());
    out.list(
        objective.targets(),
        (to, target) -> to.text(target.statistic().word()).varint(target.atMost().toNanos()));
    writeWorkload(out, objective.workload());
  }

  /** An objective, which may be none that can be kept. */
  public static Objective read(WireReader in) {
    return new Objective(
        in.text(),
        in.list(Objective.TABLES_MAX, WireReader::text),
        known(ServiceClass.of(in.text()), "class of service"),
        ClientFields.readNaturalInt(in),
        in.list(
            TARGETS_MAX,
            from ->
                new ResponseTarget(
                    known(Statistic.of(from.text()), "statistic"),
                    Duration.ofNanos(from.natural()))),
        readWorkload(in));
  }

  private static void writeWorkload(WireWriter out, ObjectiveWorkload workload) {
    out.bool(workload.dataBytes().isPresent());
    workload.dataBytes().ifPresent(out::varint);
    out.bool(workload.recordBytes().isPresent());
    workload.recordBytes().ifPresent(out::varint);
    out.bool(workload.readPercent().isPresent());
    workload.readPercent().ifPresent(out::varint);
    out.optional(workload.locality().map(Locality::word), WireWriter::text);
    out.optional(workload.load(), LOADS::writeNested);
  }

  private static ObjectiveWorkload readWorkload(WireReader in) {
    return new ObjectiveWorkload(
        in.bool() ? OptionalLong.of(in.natural()) : OptionalLong.empty(),
        in.bool() ? OptionalInt.of(ClientFields.readNaturalInt(in)) : OptionalInt.empty(),
        in.bool() ? OptionalInt.of(ClientFields.readNaturalInt(in)) : OptionalInt.empty(),
        in.optional(from -> known(Locality.of(from.text()), "locality")),
        in.optional(LOADS::readNested));
  }

  private static <T> T known(Optional<T> found, String what) {
    return found.orElseThrow(() -> new MalformedMessageException("unknown " + what));
  }

  public static void writeAnswer(WireWriter out, Objectives answer) {
    out.node(answer.steward());
    out.list(answer.objectives(), ObjectiveFields::writeLine);
    out.list(answer.changes(), ObjectiveFields::writeChange);
  }

  /** What applications are promised, and what became of that. */
  public static Objectives readAnswer(WireReader in) {
    return new Objectives(
        in.node(),
        in.list(LINES_MAX, ObjectiveFields::readLine),
        in.list(LINES_MAX, ObjectiveFields::readChange));
  }

  private static void writeLine(WireWriter out, ObjectiveLine line) {
    write(out, line.objective());
    out.varint(line.sinceMillis()).optional(line.recent(), ServiceFields::writeFigures);
    out.list(line.slots(), ServiceFields::writeFigures);
  }

  private static ObjectiveLine readLine(WireReader in) {
    return new ObjectiveLine(
        read(in),
        in.natural(),
        in.optional(ServiceFields::readFigures),
        in.list(LINES_MAX, ServiceFields::readFigures));
  }

  private static void writeChange(WireWriter out, ObjectiveChangeLine change) {
    out.varint(change.number()).varint(change.atMillis()).bool(change.removed());
    write(out, change.objective());
  }

  private static ObjectiveChangeLine readChange(WireReader in) {
    return new ObjectiveChangeLine(in.natural(), in.natural(), in.bool(), read(in));
  }
}
