package org.ecstore.verify.check;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.ecstore.model.Isolation;
import org.ecstore.model.ReadLevel;
import org.ecstore.verify.history.Elements;
import org.ecstore.verify.history.History;
import org.ecstore.verify.history.Line;
import org.ecstore.verify.history.MalformedHistoryException;
import org.ecstore.verify.history.MicroOp;

/** Writes histories by hand, line by line. */
final class HandMade {
  static final Promise STRICT = new Promise(Isolation.SERIALIZABLE, ReadLevel.STRONG);
  static final Promise SESSION = new Promise(Isolation.SERIALIZABLE, ReadLevel.SESSION);
  static final Promise STRONG_SNAPSHOT = new Promise(Isolation.SNAPSHOT, ReadLevel.STRONG);
  static final Promise SESSION_SNAPSHOT = new Promise(Isolation.SNAPSHOT, ReadLevel.SESSION);

  private final List<Line> lines = new ArrayList<>();
  private final Map<Long, List<MicroOp>> invoked = new HashMap<>();
  private Optional<ReadLevel> next = Optional.empty();
  private long pausedNanos;

  static MicroOp append(long key, long element) {
    return new MicroOp.Append(key, element);
  }

  static MicroOp list(long key, long... elements) {
    return new MicroOp.ReadList(key, Elements.of(elements));
  }

  static MicroOp write(long key, long value) {
    return new MicroOp.Write(key, value);
  }

  static MicroOp value(long key, long value) {
    return new MicroOp.ReadValue(key, value);
  }

  static MicroOp nothing(long key) {
    return new MicroOp.ReadValue(key, null);
  }

  static MicroOp balances(long... balances) {
    return new MicroOp.ReadBalances(Elements.of(balances));
  }

  /** How fresh the snapshot of what begins next has to be. */
  HandMade at(ReadLevel level) {
    next = Optional.of(level);
    return this;
  }

  /** Nothing happens for a while. */
  HandMade pause(Duration time) {
    pausedNanos += time.toNanos();
    return this;
  }

  HandMade invoke(long process, MicroOp... ops) {
    List<MicroOp> steps = Arrays.stream(ops).toList();
    invoked.put(process, steps);
    return line(
        process,
        Line.Type.INVOKE,
        steps.stream().map(MicroOp::asked).toList(),
        OptionalLong.empty(),
        OptionalLong.empty());
  }

  /** What it saw, for the completion that follows. */
  void seen(long process, List<MicroOp> steps) {
    invoked.put(process, steps);
  }

  HandMade ok(long process, long snapshot, long number) {
    return end(process, Line.Type.OK, snapshot, number);
  }

  HandMade ok(long process, long snapshot) {
    return end(process, Line.Type.OK, snapshot, 0);
  }

  HandMade fail(long process) {
    return end(process, Line.Type.FAIL, 0, 0);
  }

  HandMade info(long process) {
    return end(process, Line.Type.INFO, 0, 0);
  }

  /** Begins and ends with nothing in between; it only read if the number is zero. */
  HandMade done(long process, long snapshot, long number, MicroOp... ops) {
    return invoke(process, ops).ok(process, snapshot, number);
  }

  private HandMade end(long process, Line.Type type, long snapshot, long number) {
    List<MicroOp> steps = invoked.getOrDefault(process, List.of());
    return line(
        process,
        type,
        type == Line.Type.OK ? steps : steps.stream().map(MicroOp::asked).toList(),
        snapshot > 0 ? OptionalLong.of(snapshot) : OptionalLong.empty(),
        number > 0 ? OptionalLong.of(number) : OptionalLong.empty());
  }

  private HandMade line(
      long process,
      Line.Type type,
      List<MicroOp> value,
      OptionalLong snapshot,
      OptionalLong number) {
    lines.add(
        new Line(
            lines.size(),
            pausedNanos + lines.size() * 1000L,
            process,
            type,
            value,
            snapshot,
            number,
            Optional.empty(),
            type == Line.Type.INVOKE ? next : Optional.empty()));
    next = type == Line.Type.INVOKE ? Optional.empty() : next;
    return this;
  }

  List<Line> lines() {
    return lines;
  }

  Report check(Promise promise) {
    try {
      return HistoryChecker.check(History.of(lines), promise);
    } catch (MalformedHistoryException e) {
      throw new AssertionError(e);
    }
  }

  List<String> kinds(Promise promise) {
    return check(promise).counts().keySet().stream().toList();
  }

  /** The same without the positions: what clients read and wrote has to be enough. */
  HandMade withoutPositions() {
    HandMade bare = new HandMade();
    for (Line line : lines) {
      bare.lines.add(
          new Line(
              line.index(),
              line.time(),
              line.process(),
              line.type(),
              line.value(),
              OptionalLong.empty(),
              OptionalLong.empty(),
              line.error(),
              line.level()));
    }
    return bare;
  }
}
