package org.ecstore.tools.objective;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.ecstore.model.objective.Locality;
import org.ecstore.model.objective.Objective;
import org.ecstore.model.objective.ObjectiveWorkload;
import org.ecstore.model.objective.OfferedLoad;
import org.ecstore.model.objective.OfferedLoad.ClientCount;
import org.ecstore.model.objective.OfferedLoad.OperationRate;
import org.ecstore.model.objective.ResponseTarget;
import org.ecstore.model.objective.ServiceClass;
import org.ecstore.model.objective.Statistic;
import org.ecstore.tools.terminal.BadInputException;

/**
 * Makes an objective of what was written, by the names that options and files share. All that is
 * wrong is said at once.
 */
public final class ObjectiveForm {
  public static final String TABLES = "tables";
  public static final String MEAN = "mean";
  public static final String P95 = "p95";
  public static final String P99 = "p99";
  public static final String RATE = "rate";
  public static final String CLIENTS = "clients";
  public static final String READS = "reads";
  public static final String LOCALITY = "locality";
  public static final String DATA_SIZE = "data-size";
  public static final String RECORD_SIZE = "record-size";
  public static final String CLASS = "class";
  public static final String WEIGHT = "weight";
  public static final String QUOTA = "quota";

  /** All of them. */
  public static final Set<String> NAMES =
      Set.of(
          TABLES,
          MEAN,
          P95,
          P99,
          RATE,
          CLIENTS,
          READS,
          LOCALITY,
          DATA_SIZE,
          RECORD_SIZE,
          CLASS,
          WEIGHT,
          QUOTA);

  private static final List<String> TIMES = List.of(MEAN, P95, P99);

  /** What says that a response time is wanted, or for which load. */
  private static final List<String> SERVICE = List.of(MEAN, P95, P99, RATE, CLIENTS);

  private static final ResponseTarget ANY_TIME =
      new ResponseTarget(Statistic.MEAN, Duration.ofMillis(1));

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final Map<String, String> written;
  private final String prefix;
  private final List<String> faults = new ArrayList<>();

  private ObjectiveForm(Map<String, String> written, String prefix) {
    this.written = written;
    this.prefix = prefix;
  }

  /**
   * An objective.
   *
   * @param written by the names above
   * @param prefix of these names where they were written, {@code --} of options
   * @throws BadInputException with all that is wrong
   */
  public static Objective read(String application, Map<String, String> written, String prefix) {
    ObjectiveForm form = new ObjectiveForm(written, prefix);
    Objective objective = form.objective(application);
    form.faults.addAll(form.checked(objective).faults());
    if (!form.faults.isEmpty()) {
      throw new BadInputException(
          "the objective of %s: %s".formatted(application, String.join("; ", form.faults)));
    }
    return objective;
  }

  private Objective objective(String application) {
    if (written.containsKey(WEIGHT) && isGuaranteed()) {
      faults.add(
          "%s is of %s %s: a guarantee has what it is promised, whatever others have"
              .formatted(name(WEIGHT), name(CLASS), ServiceClass.BEST_EFFORT.word()));
    }
    return new Objective(
        application,
        written.containsKey(TABLES) ? names(written.get(TABLES)) : List.of(),
        value(CLASS, this::serviceClass, usualClass()),
        value(WEIGHT, text -> (int) Amount.count(name(WEIGHT), text, Objective.WEIGHT_MAX), 1),
        Stream.of(
                target(MEAN, Statistic.MEAN),
                target(P95, Statistic.P95),
                target(P99, Statistic.P99))
            .flatMap(Optional::stream)
            .toList(),
        new ObjectiveWorkload(
            sized(DATA_SIZE),
            records(),
            percent(),
            value(LOCALITY, text -> Optional.of(locality(text)), Optional.empty()),
            load()),
        sized(QUOTA));
  }

  /**
   * What is looked at as a whole: a response time, a load, a class or a quota that could not be
   * read is not missing as well.
   */
  private Objective checked(Objective read) {
    if (faults.isEmpty()) {
      return read;
    }
    boolean isTimed = read.targets().isEmpty() && TIMES.stream().anyMatch(written::containsKey);
    boolean isLoaded =
        read.workload().load().isEmpty()
            && (written.containsKey(RATE) || written.containsKey(CLIENTS));
    boolean isLimited = read.quotaBytes().isEmpty() && written.containsKey(QUOTA);
    boolean isClassed =
        written.containsKey(CLASS) && ServiceClass.of(written.get(CLASS).strip()).isPresent();
    return new Objective(
        read.application(),
        read.tables(),
        isClassed || !written.containsKey(CLASS) ? read.serviceClass() : ServiceClass.BEST_EFFORT,
        read.weight(),
        isTimed ? List.of(ANY_TIME) : read.targets(),
        isLoaded ? read.workload().with(new OperationRate(1)) : read.workload(),
        isLimited ? OptionalLong.of(Objective.QUOTA_BYTES_MAX) : read.quotaBytes());
  }

  /** Whether that is what was written, or meant by what was not. */
  private boolean isGuaranteed() {
    String text = written.get(CLASS);
    return (text == null ? Optional.of(usualClass()) : ServiceClass.of(text.strip()))
        .filter(ServiceClass.GUARANTEED::equals)
        .isPresent();
  }

  /** An application that states a quota, and nothing of its service, is of best effort. */
  private ServiceClass usualClass() {
    return written.containsKey(QUOTA) && SERVICE.stream().noneMatch(written::containsKey)
        ? ServiceClass.BEST_EFFORT
        : ServiceClass.GUARANTEED;
  }

  private String name(String plain) {
    return prefix + plain;
  }

  private interface Reading<T> {
    T of(String text);
  }

  private <T> T value(String name, Reading<T> reading, T otherwise) {
    String text = written.get(name);
    return text == null ? otherwise : tried(() -> reading.of(text), otherwise);
  }

  private <T> T tried(Supplier<T> reading, T otherwise) {
    try {
      return reading.get();
    } catch (BadInputException e) {
      faults.add(String.valueOf(e.getMessage()));
      return otherwise;
    }
  }

  private static List<String> names(String text) {
    return Arrays.stream(text.split(",", -1)).map(String::strip).toList();
  }

  private ServiceClass serviceClass(String text) {
    return ServiceClass.of(text.strip())
        .orElseThrow(
            () ->
                new BadInputException(
                    oneOf(CLASS, text, Stream.of(ServiceClass.values()).map(ServiceClass::word))));
  }

  private Locality locality(String text) {
    return Locality.of(text.strip())
        .orElseThrow(
            () ->
                new BadInputException(
                    oneOf(LOCALITY, text, Stream.of(Locality.values()).map(Locality::word))));
  }

  private String oneOf(String name, String text, Stream<String> words) {
    return "%s must be %s, not \"%s\""
        .formatted(name(name), words.collect(Collectors.joining(" or ")), text);
  }

  private Optional<ResponseTarget> target(String name, Statistic statistic) {
    return value(
        name,
        text -> Optional.of(new ResponseTarget(statistic, duration(name, text))),
        Optional.empty());
  }

  private Duration duration(String name, String text) {
    return Duration.ofNanos(
        BigDecimal.valueOf(Amount.millis(name(name), text))
            .multiply(BigDecimal.valueOf(NANOS_PER_MILLI))
            .setScale(0, RoundingMode.HALF_UP)
            .longValueExact());
  }

  private OptionalLong sized(String name) {
    return value(
        name, text -> OptionalLong.of(Amount.bytes(name(name), text)), OptionalLong.empty());
  }

  private OptionalInt records() {
    OptionalLong bytes = sized(RECORD_SIZE);
    return bytes.isPresent()
        ? OptionalInt.of((int) Math.min(bytes.getAsLong(), Integer.MAX_VALUE))
        : OptionalInt.empty();
  }

  private OptionalInt percent() {
    return value(
        READS, text -> OptionalInt.of(Amount.percent(name(READS), text)), OptionalInt.empty());
  }

  private Optional<OfferedLoad> load() {
    if (written.containsKey(RATE) && written.containsKey(CLIENTS)) {
      faults.add("give %s or %s, not both".formatted(name(RATE), name(CLIENTS)));
    }
    Optional<OfferedLoad> rate =
        value(
            RATE,
            text ->
                Optional.of(
                    new OperationRate(Amount.count(name(RATE), text, OfferedLoad.RATE_MAX))),
            Optional.empty());
    Optional<OfferedLoad> clients =
        value(
            CLIENTS,
            text ->
                Optional.of(
                    new ClientCount(
                        (int) Amount.count(name(CLIENTS), text, OfferedLoad.CLIENTS_MAX))),
            Optional.empty());
    return rate.or(() -> clients);
  }
}
