package org.ecstore.txn.qos.objective;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;

/**
 * Whether an objective asks no more than another one of the same application, in every respect: no
 * shorter response time, no higher load, no other operations, and no more data. Where it states
 * something that is neither more nor less, as another share of reads, it may ask for more.
 */
final class LesserDemand {
  private LesserDemand() {}

  static boolean is(Objective wanted, Objective former) {
    if (wanted.serviceClass() == ServiceClass.BEST_EFFORT) {
      return true;
    }
    return former.serviceClass() == ServiceClass.GUARANTEED
        && isAmong(wanted.tables(), former.tables())
        && wanted.targets().stream().allMatch(target -> isNoShorter(target, former))
        && isNoMore(wanted.workload(), former.workload());
  }

  /** Without tables clients are meant, which are others than those of any tables. */
  private static boolean isAmong(List<String> tables, List<String> former) {
    return tables.isEmpty() ? former.isEmpty() : former.containsAll(tables);
  }

  private static boolean isNoShorter(ResponseTarget target, Objective former) {
    return former
        .target(target.statistic())
        .filter(before -> target.atMost().compareTo(before.atMost()) >= 0)
        .isPresent();
  }

  private static boolean isNoMore(ObjectiveWorkload wanted, ObjectiveWorkload former) {
    return isNoMore(wanted.load(), former.load())
        && isNoMore(wanted.dataBytes(), former.dataBytes())
        && isNoMore(wanted.recordBytes(), former.recordBytes())
        && wanted.readPercent().equals(former.readPercent())
        && wanted.locality().equals(former.locality());
  }

  private static boolean isNoMore(Optional<OfferedLoad> wanted, Optional<OfferedLoad> former) {
    return wanted.isPresent() && former.isPresent() && isNoMore(wanted.get(), former.get());
  }

  private static boolean isNoMore(OfferedLoad wanted, OfferedLoad former) {
    return switch (wanted) {
      case OperationRate(var perSecond) ->
          former instanceof OperationRate(var before) && perSecond <= before;
      case ClientCount(var count) -> former instanceof ClientCount(var before) && count <= before;
    };
  }

  private static boolean isNoMore(OptionalLong wanted, OptionalLong former) {
    return (wanted.isPresent() && former.isPresent())
        ? wanted.getAsLong() <= former.getAsLong()
        : wanted.equals(former);
  }

  private static boolean isNoMore(OptionalInt wanted, OptionalInt former) {
    return (wanted.isPresent() && former.isPresent())
        ? wanted.getAsInt() <= former.getAsInt()
        : wanted.equals(former);
  }
}
