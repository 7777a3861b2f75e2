package org.ecstore.txn.qos.table;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a table was measured on, and how. What is absent was not said. Which fields there are {@link
 * SubjectText} and {@link SubjectNumber} say. Immutable.
 */
public final class TableSubject {
  /** The capacity of a node that is held to none. */
  public static final String WHOLE = "all";

  /** Of a table that says nothing of it, as those of the paper. */
  public static final TableSubject UNKNOWN =
      new TableSubject(
          new EnumMap<>(SubjectText.class), new EnumMap<>(SubjectNumber.class), List.of());

  private final Map<SubjectText, String> texts;
  private final Map<SubjectNumber, Double> numbers;
  private final List<Integer> unsteady;

  private TableSubject(
      Map<SubjectText, String> texts, Map<SubjectNumber, Double> numbers, List<Integer> unsteady) {
    this.texts = texts;
    this.numbers = numbers;
    this.unsteady = List.copyOf(unsteady);
  }

  /** The same, which says something more, or something else, in words. */
  public TableSubject with(SubjectText of, String said) {
    return with(of, Optional.of(said));
  }

  /** As above; where nothing is said it says nothing of it. */
  public TableSubject with(SubjectText of, Optional<String> said) {
    Map<SubjectText, String> all = new EnumMap<>(SubjectText.class);
    all.putAll(texts);
    all.remove(of);
    said.ifPresent(text -> all.put(of, text));
    return new TableSubject(all, numbers, unsteady);
  }

  /** The same, which says something more, or something else, in numbers. */
  public TableSubject with(SubjectNumber of, double said) {
    return with(of, OptionalDouble.of(said));
  }

  /** As above; where nothing is said it says nothing of it. */
  public TableSubject with(SubjectNumber of, OptionalDouble said) {
    Map<SubjectNumber, Double> all = new EnumMap<>(SubjectNumber.class);
    all.putAll(numbers);
    all.remove(of);
    said.ifPresent(number -> all.put(of, number));
    return new TableSubject(texts, all, unsteady);
  }

  /** The same of a build. */
  public TableSubject ofBuild(String release) {
    return with(SubjectText.BUILD, release);
  }

  /** The same that was measured in another way. */
  public TableSubject by(TableSetting other) {
    TableSubject counted =
        with(SubjectNumber.COPIES, number(other.copies()))
            .with(SubjectNumber.PROCESSORS, number(other.processors()));
    return new TableSubject(counted.texts, counted.numbers, other.unsteady());
  }

  private static OptionalDouble number(OptionalInt count) {
    return count.isPresent() ? OptionalDouble.of(count.getAsInt()) : OptionalDouble.empty();
  }

  Optional<String> text(SubjectText of) {
    return Optional.ofNullable(texts.get(of));
  }

  OptionalDouble number(SubjectNumber of) {
    Double number = numbers.get(of);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }

  private OptionalLong whole(SubjectNumber of) {
    Double number = numbers.get(of);
    return number == null ? OptionalLong.empty() : OptionalLong.of(number.longValue());
  }

  private OptionalInt count(SubjectNumber of) {
    Double number = numbers.get(of);
    return number == null ? OptionalInt.empty() : OptionalInt.of(number.intValue());
  }

  public Optional<String> engine() {
    return text(SubjectText.ENGINE);
  }

  public Optional<String> nodeClass() {
    return text(SubjectText.NODE_CLASS);
  }

  public Optional<String> workload() {
    return text(SubjectText.WORKLOAD);
  }

  public Optional<String> build() {
    return text(SubjectText.BUILD);
  }

  public Optional<String> capacity() {
    return text(SubjectText.CAPACITY);
  }

  public OptionalDouble readPercent() {
    return number(SubjectNumber.READ_PERCENT);
  }

  public OptionalLong recordBytes() {
    return whole(SubjectNumber.RECORD_BYTES);
  }

  public OptionalLong dataBytes() {
    return whole(SubjectNumber.DATA_BYTES);
  }

  public OptionalDouble nodePrice() {
    return number(SubjectNumber.NODE_PRICE);
  }

  /** How it was measured. */
  public TableSetting setting() {
    return new TableSetting(count(SubjectNumber.COPIES), count(SubjectNumber.PROCESSORS), unsteady);
  }

  /**
   * What of engine, class, workload, build, capacity, copies and processors is another than wanted,
   * a sentence each. What one of both does not say does not differ.
   */
  public List<String> differencesFrom(TableSubject wanted) {
    List<String> differences = new ArrayList<>();
    for (SubjectText of : SubjectText.COMPARED) {
      Optional<String> measured = text(of);
      Optional<String> other = wanted.text(of);
      if (measured.isPresent() && other.isPresent() && !measured.equals(other)) {
        differences.add(
            "it was measured on %s %s, not %s".formatted(of.words(), measured.get(), other.get()));
      }
    }
    differences.addAll(setting().differencesFrom(wanted.setting()));
    return differences;
  }

  /** A capacity as it is compared: {@code 0.3} of {@code 0.30}. */
  public static String capacityOf(String processors) {
    return processors.equals(WHOLE)
        ? WHOLE
        : new BigDecimal(processors).stripTrailingZeros().toPlainString();
  }

  /** In a few words; empty if nothing is known. */
  public String words() {
    List<String> known = new ArrayList<>();
    engine().ifPresent(known::add);
    nodeClass().ifPresent(name -> known.add("class " + name));
    workload().ifPresent(known::add);
    return String.join(", ", known);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableSubject that
        && texts.equals(that.texts)
        && numbers.equals(that.numbers)
        && unsteady.equals(that.unsteady);
  }

  @Override
  public int hashCode() {
    return Objects.hash(texts, numbers, unsteady);
  }

  @Override
  public String toString() {
    return texts + " " + numbers + ", not steady on " + unsteady;
  }
}
