package org.ecstore.txn.qos.monitor;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ServiceFigures;
import org.ecstore.model.objective.ServiceSample;
import org.ecstore.model.objective.ServiceVerdict;
import org.ecstore.model.objective.Statistic;
import org.ecstore.txn.message.TxnMessage.ApplicationSample;

/**
 * What clients have had of late, on the node that leads: in slots of half a minute where nothing
 * else is said, of the last twenty minutes then. It begins anew with each leader.
 *
 * <p>A report comes after what it is about, which is the time since the report before it. So rates
 * are not by the time since the first report that counts: of a client that reports as often as
 * slots begin two reports may come within little more than one interval. Slots have parts, of which
 * spans are made that end with the last whole part: into a span of whole slots each such client
 * reports equally often. Where its reports are about a longer time than the span, that time counts
 * (decision 0097).
 *
 * <p>Names of applications and tables are what clients say. What an objective is about is added up
 * by objective, however many names there are, and always has room; of what no objective names as
 * much is kept as there is room for, first come, so that an objective that is stated later has a
 * past (decision 0111).
 */
public final class ServiceHistory {
  /** The length of a slot where nothing else is said. */
  public static final long SLOT_NANOS = 30_000_000_000L;

  static final int SLOTS = 40;

  /** What the figures of the present are about: so many slots. */
  static final int RECENT_SLOTS = 10;

  /** Parts of a slot. */
  static final int PARTS = 5;

  private static final int LATEST_SLOTS = 2;

  /** Who has not told for so many slots has asked for nothing meanwhile. */
  private static final int SILENT_SLOTS = 2;

  /** Of what no objective names, of all parts; of more the oldest are forgotten. */
  static final int SAMPLES_MAX = SLOTS * ServiceReports.KEYS_MAX;

  private static final double MILLI = 1e6;
  private static final double MICRO = 1e3;

  private record ApplicationTable(String application, String table) {}

  /**
   * Whose operations an objective is about: an application's, or those on some tables. Other
   * numbers that are promised of it are about the same.
   *
   * @param application empty where there are tables
   * @param tables in order
   */
  private record Subject(String application, List<String> tables) {
    static Subject of(Objective objective) {
      return objective.tables().isEmpty()
          ? new Subject(objective.application(), List.of())
          : new Subject("", objective.tables().stream().sorted().toList());
    }

    boolean has(ApplicationTable one) {
      return tables.isEmpty()
          ? one.application().equals(application)
          : tables.contains(one.table());
    }
  }

  /** What came of one subject, or of one application and table, in a part of a slot. */
  private static final class Came {
    private ServiceSample sample;
    private final long firstNanos;
    private long lastNanos;

    Came(ServiceSample sample, long nanos) {
      this.sample = sample;
      this.firstNanos = nanos;
      this.lastNanos = nanos;
    }

    void add(ServiceSample more, long nanos) {
      sample = sample.plus(more);
      lastNanos = nanos;
    }
  }

  private static final class Part {
    private final long number;
    private final Map<Subject, Came> promised = new HashMap<>();
    private final Map<ApplicationTable, Came> others = new HashMap<>();

    Part(long number) {
      this.number = number;
    }

    Stream<Came> of(Subject subject) {
      return Stream.concat(
          Stream.ofNullable(promised.get(subject)),
          others.entrySet().stream()
              .filter(one -> subject.has(one.getKey()))
              .map(Map.Entry::getValue));
    }

    /**
     * A sample has come.
     *
     * @param subjects of the objectives that stand
     */
    void add(ApplicationTable of, ServiceSample sample, List<Subject> subjects, long nanos) {
      List<Subject> named = subjects.stream().filter(subject -> subject.has(of)).toList();
      named.forEach(subject -> add(promised, subject, sample, nanos));
      boolean hasRoom = others.containsKey(of) || others.size() < ServiceReports.KEYS_MAX;
      if (named.isEmpty() && hasRoom) {
        add(others, of, sample, nanos);
      }
    }

    private static <K> void add(Map<K, Came> to, K key, ServiceSample sample, long nanos) {
      Came before = to.get(key);
      if (before == null) {
        to.put(key, new Came(sample, nanos));
      } else {
        before.add(sample, nanos);
      }
    }
  }

  /** What came of an objective in some parts, one after the other. */
  private final class Span {
    /** When the last report before it came; absent if none is known. */
    private final OptionalLong beforeNanos;

    private final List<ServiceSample> samples = new ArrayList<>();
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    Span(OptionalLong beforeNanos) {
      this.beforeNanos = beforeNanos;
    }

    void add(Came came) {
      samples.add(came.sample);
      firstNanos = Math.min(firstNanos, came.firstNanos);
      lastNanos = Math.max(lastNanos, came.lastNanos);
    }

    /** When the last report until its end came. */
    OptionalLong lastNanos() {
      return samples.isEmpty() ? beforeNanos : OptionalLong.of(lastNanos);
    }

    /** Whether the reports follow others. */
    private boolean goesOn() {
      return beforeNanos.isPresent()
          && beforeNanos.getAsLong() >= firstNanos - SILENT_SLOTS * slotNanos;
    }

    /**
     * Absent if there was nothing. The first report, and one after a silence, is taken to be of a
     * slot.
     *
     * @param of whose operations they are
     * @param lengthNanos how long the span is
     * @param endNanos when it ends
     */
    Optional<ServiceFigures> figures(Objective of, long lengthNanos, long endNanos) {
      if (samples.isEmpty()) {
        return Optional.empty();
      }
      long to = Math.max(lastNanos, endNanos - SILENT_SLOTS * slotNanos);
      long about =
          goesOn()
              ? Math.max(lengthNanos, to - beforeNanos.orElseThrow())
              : to - firstNanos + slotNanos;
      return ServiceHistory.this.figures(of, samples, about, endNanos);
    }
  }

  private final LongSupplier clock;
  private final long slotNanos;
  private final long partNanos;
  private final Deque<Part> parts = new ArrayDeque<>();

  /**
   * An empty one.
   *
   * @param clock nanoseconds of the node's clock
   * @param slotNanos how long a slot is
   */
  public ServiceHistory(LongSupplier clock, long slotNanos) {
    this.clock = clock;
    this.slotNanos = slotNanos;
    this.partNanos = Math.max(1, slotNanos / PARTS);
  }

  /** Another node has led meanwhile: what is known here has gaps. */
  public void clear() {
    parts.clear();
  }

  /**
   * What a node has gathered of late; one of an earlier release has not looked at its bounds.
   *
   * @param standing objectives
   */
  public void take(List<ApplicationSample> told, List<Objective> standing) {
    long now = clock.getAsLong();
    Part part = current(now);
    List<Subject> subjects = standing.stream().map(Subject::of).distinct().toList();
    for (ApplicationSample one : told) {
      ApplicationTable of = new ApplicationTable(one.application(), one.sample().table());
      part.add(of, one.sample().bounded(), subjects, now);
    }
    while (parts.getFirst().number <= part.number - (long) SLOTS * PARTS) {
      parts.removeFirst();
    }
    forgetOthers();
  }

  private void forgetOthers() {
    int left = parts.stream().mapToInt(part -> part.others.size()).sum();
    for (Part part : parts) {
      if (left <= SAMPLES_MAX) {
        return;
      }
      left -= part.others.size();
      part.others.clear();
    }
  }

  /** By a clock that has jumped back nothing is known of the time before. */
  private Part current(long now) {
    long number = number(now);
    Part last = parts.peekLast();
    if (last != null && number < last.number) {
      clear();
      last = null;
    }
    if (last == null || number > last.number) {
      last = new Part(number);
      parts.addLast(last);
    }
    return last;
  }

  /** Of the part that a moment is in. */
  private long number(long nanos) {
    return Math.floorDiv(nanos, partNanos);
  }

  /** What the operations of an objective took lately; absent if there were none. */
  public Optional<ServiceFigures> recent(Objective objective) {
    return last(objective, RECENT_SLOTS);
  }

  /** The same of as long as the last two slots. */
  public Optional<ServiceFigures> latest(Objective objective) {
    return last(objective, LATEST_SLOTS);
  }

  /** The same of as long as so many slots are, until now, or until the present part began. */
  public Optional<ServiceFigures> last(Objective objective, int spanSlots) {
    long now = clock.getAsLong();
    long present = number(now);
    Optional<ServiceFigures> whole =
        span(objective, spanSlots, present - 1, Math.min(now, present * partNanos));
    return whole.isPresent() ? whole : span(objective, spanSlots, present, now);
  }

  private Optional<ServiceFigures> span(
      Objective objective, int spanSlots, long lastPart, long endNanos) {
    long length = (long) spanSlots * PARTS;
    Subject subject = Subject.of(objective);
    Span before = new Span(OptionalLong.empty());
    parts.stream()
        .filter(part -> part.number <= lastPart - length)
        .flatMap(part -> part.of(subject))
        .forEach(before::add);
    Span span = new Span(before.lastNanos());
    parts.stream()
        .filter(part -> part.number > lastPart - length && part.number <= lastPart)
        .flatMap(part -> part.of(subject))
        .forEach(span::add);
    return span.figures(objective, length * partNanos, endNanos);
  }

  /**
   * The same of each slot, the latest last; of those in which a report came. The one that is being
   * filled is left out, unless it is the first.
   */
  public List<ServiceFigures> slots(Objective objective) {
    long now = clock.getAsLong();
    long present = Math.floorDiv(number(now), (long) PARTS);
    List<ServiceFigures> all = new ArrayList<>();
    Subject subject = Subject.of(objective);
    Span span = new Span(OptionalLong.empty());
    long slot = Long.MIN_VALUE;
    for (Part part : parts) {
      long of = Math.floorDiv(part.number, (long) PARTS);
      if (of != slot) {
        slot(objective, span, slot).ifPresent(all::add);
        span = new Span(span.lastNanos());
        slot = of;
      }
      part.of(subject).forEach(span::add);
    }
    if (slot < present) {
      slot(objective, span, slot).ifPresent(all::add);
    } else if (all.isEmpty()) {
      span.figures(objective, PARTS * partNanos, now).ifPresent(all::add);
    }
    return all;
  }

  private Optional<ServiceFigures> slot(Objective of, Span span, long slot) {
    return span.figures(of, PARTS * partNanos, (slot + 1) * PARTS * partNanos);
  }

  private Optional<ServiceFigures> figures(
      Objective objective, List<ServiceSample> of, long aboutNanos, long endNanos) {
    long operations = of.stream().mapToLong(ServiceSample::operations).sum();
    if (operations == 0) {
      return Optional.empty();
    }
    LatencySketch times =
        of.stream()
            .map(ServiceSample::answerTimes)
            .reduce(LatencySketch.EMPTY, LatencySketch::plus);
    long answers = of.stream().mapToLong(ServiceSample::answers).sum();
    double nanos = of.stream().mapToDouble(one -> (double) one.meanNanos() * one.answers()).sum();
    ServiceFigures had =
        new ServiceFigures(
            Math.max(0, Math.round((clock.getAsLong() - endNanos) / MILLI)),
            Math.max(1, Math.round(aboutNanos / MILLI)),
            operations,
            of.stream().mapToLong(ServiceSample::reads).sum(),
            of.stream().mapToLong(ServiceSample::failures).sum(),
            answers == 0 ? 0 : Math.round(nanos / answers / MICRO),
            0,
            0);
    return Optional.of(
        had.withPercentiles(
            micros(times, ServiceVerdict.answersWithin(objective, had, Statistic.P95)),
            micros(times, ServiceVerdict.answersWithin(objective, had, Statistic.P99))));
  }

  private static long micros(LatencySketch times, double share) {
    return Math.round(times.percentile(share) / MICRO);
  }
}
