package org.ecstore.model.objective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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

  private static final int BOUNDS_MAX = 17;

  /**
   * Among the bounds of an objective the word of its quota. A release that knows no quotas refuses
   * it as a statistic that is unknown, and does not take the objective without it.
   */
  private static final String QUOTA = "quota";

  private record Bound(String word, long number) {}

  private ObjectiveFields() {}

  public static void write(WireWriter out, Objective objective) {
    out.text(objective.application()).list(objective.tables(), WireWriter::text);
    out.text(objective.serviceClass().word()).varint(objective.weight());
    out.list(bounds(objective), (to, bound) -> to.text(bound.word()).varint(bound.number()));
    writeWorkload(out, objective.workload());
  }

  private static List<Bound> bounds(Objective objective) {
    List<Bound> bounds = new ArrayList<>();
    for (ResponseTarget target : objective.targets()) {
      bounds.add(new Bound(target.statistic().word(), target.atMost().toNanos()));
    }
    objective.quotaBytes().ifPresent(bytes -> bounds.add(new Bound(QUOTA, bytes)));
    return bounds;
  }

  /** An objective, which may be none that can be kept. */
  public static Objective read(WireReader in) {
    String application = in.text();
    List<String> tables = in.list(Objective.TABLES_MAX, WireReader::text);
    ServiceClass serviceClass = known(ServiceClass.of(in.text()), "class of service");
    int weight = readInt(in);
    List<Bound> bounds = in.list(BOUNDS_MAX, from -> new Bound(from.text(), from.natural()));
    return new Objective(
        application,
        tables,
        serviceClass,
        weight,
        targets(bounds),
        readWorkload(in),
        quota(bounds));
  }

  private static List<ResponseTarget> targets(List<Bound> bounds) {
    return bounds.stream()
        .filter(bound -> !bound.word().equals(QUOTA))
        .map(
            bound ->
                new ResponseTarget(
                    known(Statistic.of(bound.word()), "statistic"),
                    Duration.ofNanos(bound.number())))
        .toList();
  }

  private static OptionalLong quota(List<Bound> bounds) {
    long[] quotas =
        bounds.stream()
            .filter(bound -> bound.word().equals(QUOTA))
            .mapToLong(Bound::number)
            .toArray();
    if (quotas.length > 1) {
      throw new MalformedMessageException("an objective with " + quotas.length + " quotas");
    }
    return Arrays.stream(quotas).findFirst();
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
