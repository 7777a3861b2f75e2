package org.ecstore.model.objective;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.MessageTable;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;

/** The bytes of objectives, in messages and in coordination. */
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
              in -> new ClientCount(readInt(in)))
          .build();

  private static final int TARGETS_MAX = 16;

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
        readInt(in),
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
        in.bool() ? OptionalInt.of(readInt(in)) : OptionalInt.empty(),
        in.bool() ? OptionalInt.of(readInt(in)) : OptionalInt.empty(),
        in.optional(from -> known(Locality.of(from.text()), "locality")),
        in.optional(LOADS::readNested));
  }

  private static <T> T known(Optional<T> found, String what) {
    return found.orElseThrow(() -> new MalformedMessageException("unknown " + what));
  }

  /** A number that is not negative and no more than an int has. */
  public static int readInt(WireReader in) {
    long value = in.natural();
    if (value > Integer.MAX_VALUE) {
      throw new MalformedMessageException("number too large: " + value);
    }
    return (int) value;
  }
}
