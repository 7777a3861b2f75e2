package org.ecstore.txn.steward;

import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.overlay.KeyMiddle;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.KeyText;
import org.ecstore.replication.message.ReplicationMessage.MiddleReply;
import org.ecstore.replication.message.ReplicationMessage.MiddleRequest;

/**
 * Where to cut a range in two: at the key that halves its data, by its primary's engine; without
 * data where an application said that its keys will be; else in the middle of the interval.
 */
final class CutKey {
  private CutKey() {}

  /**
   * Asks the primary; the move ends if there is no answer, or no key to cut at.
   *
   * @param byLoad where the load is halved, if the primary has looked that closely
   */
  static void find(MoveRun move, boolean byLoad, Consumer<Bytes> then) {
    RangeDescriptor source = move.plan().source();
    KeyRange keys = source.keys();
    move.context()
        .ask(
            source.primary(),
            call -> new MiddleRequest(call, source.id(), source.epoch(), byLoad),
            move.steward().settings().askTimeoutNanos(),
            answer -> {
              if (move.isCurrent()) {
                if (answer.isPresent() && answer.get() instanceof MiddleReply reply) {
                  Optional<Bytes> key = choose(move, reply.key(), keys);
                  key.ifPresentOrElse(
                      then,
                      () -> {
                        move.steward().rebalance().cannotSplit(source.id());
                        move.end(
                            "range %s, %s, cannot be split: it has one key"
                                .formatted(source.id(), KeyText.brief(keys)));
                      });
                } else {
                  move.end("no answer from " + source.primary());
                }
              }
            });
  }

  private static Optional<Bytes> choose(MoveRun move, Optional<Bytes> middle, KeyRange keys) {
    return middle
        .filter(key -> splits(keys, key))
        .or(() -> hint(move.steward().settings().splitHints(), keys))
        .or(() -> KeyMiddle.of(keys).filter(key -> splits(keys, key)));
  }

  /** Whether both parts would have keys. */
  static boolean splits(KeyRange keys, Bytes key) {
    return keys.contains(key) && !keys.start().equals(key);
  }

  private static Optional<Bytes> hint(List<Bytes> hints, KeyRange keys) {
    List<Bytes> inside = hints.stream().filter(key -> splits(keys, key)).toList();
    return inside.isEmpty() ? Optional.empty() : Optional.of(inside.get(inside.size() / 2));
  }
}
