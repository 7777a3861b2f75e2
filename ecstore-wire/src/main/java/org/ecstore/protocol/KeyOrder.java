package org.ecstore.protocol;

import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.KeyWrite;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;

/**
 * The order that lists of keys have in messages: keys ascend and come once, intervals ascend and do
 * not overlap. So one pass over a list sees each key once, whatever its sender made of it, and what
 * a node does for a transaction grows with the keys it names and no faster (docs/decisions/0036).
 */
public final class KeyOrder {
  private KeyOrder() {}

  /** What is out of order in a commit, in one line; absent if nothing is. */
  public static Optional<String> faultOf(ClientRequest.Commit commit) {
    return fault("keys", commit.reads(), KeyOrder::ascend)
        .or(() -> fault("intervals", commit.intervals(), KeyOrder::areApart))
        .or(() -> fault("keys written", writes(commit), KeyOrder::ascend));
  }

  /** What is out of order in a list of intervals, in one line; absent if nothing is. */
  public static Optional<String> faultOf(List<KeyRange> intervals) {
    return fault("intervals", intervals, KeyOrder::areApart);
  }

  private static List<Bytes> writes(ClientRequest.Commit commit) {
    return commit.writes().stream().map(KeyWrite::key).toList();
  }

  /** Reads keys that ascend, so many at most. */
  public static List<Bytes> readKeys(WireReader in, int countMax) {
    return read(in, countMax, "keys", ClientFields::readKey, KeyOrder::ascend);
  }

  /** Reads intervals that ascend and do not overlap, so many at most. */
  public static List<KeyRange> readIntervals(WireReader in, int countMax) {
    return read(in, countMax, "intervals", ClientFields::readInterval, KeyOrder::areApart);
  }

  /** Reads writes of keys that ascend, so many at most. */
  public static List<KeyWrite> readWrites(WireReader in, int countMax) {
    return read(
        in,
        countMax,
        "keys written",
        ClientFields::readKeyWrite,
        (left, right) -> ascend(left.key(), right.key()));
  }

  private static <T> List<T> read(
      WireReader in,
      int countMax,
      String what,
      Function<WireReader, T> reader,
      BiPredicate<T, T> inOrder) {
    List<T> values = in.list(countMax, reader);
    Optional<String> fault = fault(what, values, inOrder);
    if (fault.isPresent()) {
      throw new MalformedMessageException(fault.get());
    }
    return values;
  }

  private static <T> Optional<String> fault(
      String what, List<T> values, BiPredicate<T, T> inOrder) {
    for (int i = 1; i < values.size(); i++) {
      if (!inOrder.test(values.get(i - 1), values.get(i))) {
        return Optional.of(
            what
                + " must be sorted, each once; number "
                + (i + 1)
                + " is not above the one before");
      }
    }
    return Optional.empty();
  }

  private static boolean ascend(Bytes left, Bytes right) {
    return left.compareTo(right) < 0;
  }

  private static boolean areApart(KeyRange left, KeyRange right) {
    return !left.isBelowEnd(right.start()) && left.start().compareTo(right.start()) < 0;
  }
}
