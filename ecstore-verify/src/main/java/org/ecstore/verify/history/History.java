package org.ecstore.verify.history;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * All that clients did, in the order in which they began, and the order of beginnings and ends. An
 * attempt is named by its place in {@link #attempts}.
 */
public final class History {
  private static final int LINE_LENGTH_MAX = 16 << 20;

  /** What its transactions are about. */
  public enum Kind {
    /** Lists that grow. */
    APPEND,
    /** Values that are overwritten. */
    REGISTER,
    /** Accounts. */
    BANK
  }

  /**
   * An attempt begins, or it ends with a known outcome or an unknown one.
   *
   * @param time nanoseconds since the beginning of the run
   */
  public record Moment(int attempt, boolean begins, long time) {}

  private final Kind kind;
  private final List<Attempt> attempts;
  private final List<Moment> moments;

  private History(Kind kind, List<Attempt> attempts, List<Moment> moments) {
    this.kind = kind;
    this.attempts = attempts;
    this.moments = moments;
  }

  /** What it is about. */
  public Kind kind() {
    return kind;
  }

  /** All transactions, in the order in which they began. */
  public List<Attempt> attempts() {
    return attempts;
  }

  /** Beginnings and ends in the order of the file. */
  public List<Moment> moments() {
    return moments;
  }

  /**
   * Reads a file of JSON lines.
   *
   * @throws MalformedHistoryException if it is none; says why
   */
  public static History read(Path file) throws IOException, MalformedHistoryException {
    Builder builder = new Builder();
    try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      BoundedLines lines = new BoundedLines(in, LINE_LENGTH_MAX);
      for (String line = lines.next(); line != null; line = lines.next()) {
        if (lines.isTooLong(line)) {
          throw new MalformedHistoryException(
              builder.count + 1, "no line has more than " + LINE_LENGTH_MAX + " characters");
        }
        builder.addText(line);
      }
    } catch (CharacterCodingException _) {
      // Read in pieces: in which line that is it does not say.
      throw new MalformedHistoryException("it is no text in UTF-8");
    }
    return builder.build();
  }

  /** The history of some lines. */
  public static History of(List<Line> lines) throws MalformedHistoryException {
    Builder builder = new Builder();
    for (Line line : lines) {
      builder.add(line);
    }
    return builder.build();
  }

  /** Pairs completions with invocations, and holds lines to the form that was agreed. */
  private static final class Builder {
    private final List<Line> invocations = new ArrayList<>();
    private final List<Optional<Line>> completions = new ArrayList<>();
    private final List<Moment> moments = new ArrayList<>();
    private final Map<Long, Integer> open = new HashMap<>();
    private final Set<Long> retired = new HashSet<>();
    private long count;
    private long lastIndex = -1;
    private long lastTime = Long.MIN_VALUE;

    void addText(String text) throws MalformedHistoryException {
      if (text.isBlank()) {
        count++;
        return;
      }
      Line line;
      try {
        line = LineJson.read(text);
      } catch (IllegalArgumentException | ArithmeticException e) {
        throw new MalformedHistoryException(count + 1, String.valueOf(e.getMessage()));
      }
      add(line);
    }

    void add(Line line) throws MalformedHistoryException {
      count++;
      require(line.index() > lastIndex, "index " + line.index() + " comes after " + lastIndex);
      require(line.time() >= lastTime, "time goes back to " + line.time());
      lastIndex = line.index();
      lastTime = line.time();
      long process = line.process();
      if (line.type() == Line.Type.INVOKE) {
        require(
            !retired.contains(process), "process " + process + " goes on after an unknown outcome");
        require(
            open.putIfAbsent(process, invocations.size()) == null,
            "process " + process + " begins a second transaction at the same time");
        moments.add(new Moment(invocations.size(), true, line.time()));
        invocations.add(line);
        completions.add(Optional.empty());
        return;
      }
      Integer begun = open.remove(process);
      if (begun == null) {
        throw new MalformedHistoryException(
            count, "process " + process + " completes what it did not begin");
      }
      require(
          sameSteps(invocations.get(begun).value(), line.value()),
          "completed is " + line.value() + ", invoked was " + invocations.get(begun).value());
      completions.set(begun, Optional.of(line));
      moments.add(new Moment(begun, false, line.time()));
      if (line.type() == Line.Type.INFO) {
        retired.add(process);
      }
    }

    private void require(boolean right, String text) throws MalformedHistoryException {
      if (!right) {
        throw new MalformedHistoryException(count, text);
      }
    }

    private static boolean sameSteps(List<MicroOp> invoked, List<MicroOp> completed) {
      boolean same = invoked.size() == completed.size();
      for (int i = 0; same && i < invoked.size(); i++) {
        same = sameStep(invoked.get(i), completed.get(i));
      }
      return same;
    }

    /** A read that saw nothing yet is the same read, whatever it saw in the end. */
    private static boolean sameStep(MicroOp invoked, MicroOp completed) {
      if (invoked instanceof MicroOp.ReadValue(long key, var seen)
          && seen == null
          && completed instanceof MicroOp.ReadList read) {
        return key == read.key();
      }
      return invoked.asked().equals(completed.asked());
    }

    History build() throws MalformedHistoryException {
      Kind kind = kind();
      List<Attempt> attempts = new ArrayList<>(invocations.size());
      for (int i = 0; i < invocations.size(); i++) {
        attempts.add(attempt(kind, invocations.get(i), completions.get(i)));
      }
      return new History(kind, attempts, moments);
    }

    /** All transactions are about the same; reads alone say nothing of a list never written. */
    private Kind kind() throws MalformedHistoryException {
      Optional<Kind> kind = Optional.empty();
      for (Line line : invocations) {
        for (MicroOp op : line.value()) {
          Optional<Kind> own =
              switch (op) {
                case MicroOp.Append _ -> Optional.of(Kind.APPEND);
                case MicroOp.Write _ -> Optional.of(Kind.REGISTER);
                case MicroOp.Open _, MicroOp.Transfer _, MicroOp.ReadBalances _ ->
                    Optional.of(Kind.BANK);
                case MicroOp.ReadList _, MicroOp.ReadValue _ -> Optional.empty();
              };
          if (own.isPresent()) {
            if (kind.isPresent() && !kind.equals(own)) {
              throw new MalformedHistoryException(
                  "it mixes workloads: line with index "
                      + line.index()
                      + " is of "
                      + own.get()
                      + ", others are of "
                      + kind.get());
            }
            kind = own;
          }
        }
      }
      return kind.orElse(Kind.APPEND);
    }

    private static Attempt attempt(Kind kind, Line invocation, Optional<Line> completion)
        throws MalformedHistoryException {
      Line.Type outcome = completion.map(Line::type).orElse(Line.Type.INFO);
      Line said = outcome == Line.Type.OK ? completion.orElseThrow() : invocation;
      List<MicroOp> value = new ArrayList<>(said.value().size());
      for (MicroOp op : said.value()) {
        value.add(typed(kind, op, said, outcome == Line.Type.OK));
      }
      return new Attempt(
          invocation.index(),
          completion.map(Line::index).orElse(Long.MAX_VALUE),
          invocation.process(),
          outcome,
          value,
          completion.map(Line::snapshot).orElse(OptionalLong.empty()),
          completion.map(Line::number).orElse(OptionalLong.empty()),
          invocation.level());
    }

    private static MicroOp typed(Kind kind, MicroOp op, Line line, boolean done)
        throws MalformedHistoryException {
      boolean fits =
          switch (op) {
            case MicroOp.ReadList _ -> kind == Kind.APPEND;
            case MicroOp.ReadValue(var _, var seen) ->
                kind == Kind.REGISTER || (kind == Kind.APPEND && seen == null);
            case MicroOp.ReadBalances(var seen) -> !done || seen != null;
            case MicroOp.Append _, MicroOp.Write _, MicroOp.Open _, MicroOp.Transfer _ -> true;
          };
      if (!fits) {
        throw new MalformedHistoryException(
            "the line with index " + line.index() + " has a read that does not fit: " + op);
      }
      // A list never written may be null too.
      return kind == Kind.APPEND && op instanceof MicroOp.ReadValue(long key, var _)
          ? new MicroOp.ReadList(key, done ? Elements.NONE : null)
          : op;
    }
  }
}
