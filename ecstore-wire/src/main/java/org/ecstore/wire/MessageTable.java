package org.ecstore.wire;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one family: to each its number, which is fixed for ever, its class, its writer
 * and its reader. Encoding, decoding and the list in the documents come from it. A table that lacks
 * a record of its sealed family, or has one twice, cannot be built: the class that holds it does
 * not load. Immutable: any thread may call.
 *
 * @param <M> the family
 */
public final class MessageTable<M> {
  /** Numbers are small, since they are places in an array. */
  private static final int NUMBER_MAX = (1 << 12) - 1;

  private final Class<M> family;
  private final String what;
  private final int numberMin;
  private final int numberMax;
  private final List<Row<M>> rows;
  private final @Nullable Row<M>[] byNumber;
  private final Map<Class<?>, Row<M>> byType;

  private MessageTable(Builder<M> builder) {
    this.family = builder.family;
    this.what = builder.what;
    this.numberMin = builder.numberMin;
    this.numberMax = builder.numberMax;
    this.rows = List.copyOf(builder.rows.values());
    this.byNumber = byNumber(rows, numberMin, numberMax);
    this.byType = new HashMap<>();
    rows.forEach(row -> byType.put(row.type, row));
  }

  /** Arrays of a generic type are made by a cast. */
  @SuppressWarnings("unchecked")
  private static <M> @Nullable Row<M>[] byNumber(List<Row<M>> rows, int min, int max) {
    @Nullable Row<M>[] places = (@Nullable Row<M>[]) new Row<?>[max - min + 1];
    rows.forEach(row -> places[row.number - min] = row);
    return places;
  }

  /**
   * A table to be filled.
   *
   * @param family a sealed type, or a record that is the only message of its family
   * @param what its messages are, in words, for the reader of a refusal
   * @param numberMin the lowest number of the family
   * @param numberMax the highest
   */
  public static <M> Builder<M> of(Class<M> family, String what, int numberMin, int numberMax) {
    return new Builder<>(family, what, numberMin, numberMax);
  }

  /** The class of all its messages. */
  public Class<M> family() {
    return family;
  }

  public int numberMin() {
    return numberMin;
  }

  public int numberMax() {
    return numberMax;
  }

  /** In ascending order of numbers. */
  public List<Row<M>> rows() {
    return rows;
  }

  /** The highest version of the protocol that a row is of. */
  public int version() {
    return rows.stream().mapToInt(Row::since).max().orElse(0);
  }

  /** The row of a message of the family. */
  public Row<M> rowOf(M message) {
    return rowOf(message.getClass());
  }

  private Row<M> rowOf(Class<?> type) {
    Row<M> row = byType.get(type);
    if (row == null) {
      throw new IllegalArgumentException("no " + what + ": " + type.getName());
    }
    return row;
  }

  /** The number of a class of messages. */
  public int numberOf(Class<? extends M> type) {
    return rowOf(type).number;
  }

  /**
   * The row of a number.
   *
   * @throws MalformedMessageException if no row has it
   */
  public Row<M> row(long number) {
    if (number >= numberMin && number <= numberMax) {
      Row<M> row = byNumber[(int) number - numberMin];
      if (row != null) {
        return row;
      }
    }
    throw new MalformedMessageException("unknown " + what + ": " + number);
  }

  /** Writes the number, as one byte, and the fixed fields: a message within another. */
  public void writeNested(WireWriter out, M message) {
    Row<M> row = rowOf(message);
    row.write(out.u8(row.number), message);
  }

  /**
   * Reads what {@link #writeNested} wrote.
   *
   * @throws MalformedMessageException if it is none
   */
  public M readNested(WireReader in) {
    return row(in.u8()).read(in);
  }

  /**
   * As {@link #readNested(WireReader)}, of some kinds of messages only.
   *
   * @throws MalformedMessageException if it is none, or of another kind; before any field is read
   */
  public <T extends M> T readNested(WireReader in, Class<T> kind) {
    Row<M> row = row(in.u8());
    if (!kind.isAssignableFrom(row.type)) {
      throw new MalformedMessageException(
          row.type.getSimpleName() + " where only " + kind.getSimpleName() + " is allowed");
    }
    return kind.cast(row.read(in));
  }

  /**
   * One message of the table.
   *
   * @param <M> the family
   */
  public static final class Row<M> {
    private final int number;
    private final Class<? extends M> type;
    private final int since;
    private final List<Class<?>> answers;
    private final BiConsumer<WireWriter, M> writer;
    private final Function<WireReader, ? extends M> reader;
    private final Optionals<M> optionals;

    private Row(
        int number,
        Class<? extends M> type,
        int since,
        List<Class<?>> answers,
        BiConsumer<WireWriter, M> writer,
        Function<WireReader, ? extends M> reader,
        Optionals<M> optionals) {
      this.number = number;
      this.type = type;
      this.since = since;
      this.answers = answers;
      this.writer = writer;
      this.reader = reader;
      this.optionals = optionals;
    }

    private Row<M> with(List<Class<?>> others) {
      return new Row<>(number, type, since, others, writer, reader, optionals);
    }

    public int number() {
      return number;
    }

    public Class<? extends M> type() {
      return type;
    }

    /** The version of the protocol that first has it. */
    public int since() {
      return since;
    }

    /** What it is answered by; nothing if it has no answer. */
    public List<Class<?>> answers() {
      return answers;
    }

    /** Writes the fixed fields of a message of this row's class. */
    public void write(WireWriter out, M message) {
      writer.accept(out, message);
    }

    /** Writes those of its optional fields that say something. */
    public void writeOptional(WireWriter out, M message) {
      optionals.writer.accept(out, message);
    }

    /**
     * Reads the fixed fields.
     *
     * @throws MalformedMessageException if they are not such a message
     */
    public M read(WireReader in) {
      return reader.apply(in);
    }

    /**
     * The message with its optional fields.
     *
     * @throws MalformedMessageException if one of them is malformed
     */
    public M withOptional(M message, OptionalFields fields) {
      return fields == OptionalFields.NONE ? message : optionals.reader.apply(message, fields);
    }
  }

  /**
   * How the optional fields of a message's own are written and read.
   *
   * @param writer appends those that say something, in ascending order of their tags
   * @param reader makes the message with them of the one without
   */
  public record Optionals<T>(
      BiConsumer<WireWriter, T> writer, BiFunction<T, OptionalFields, T> reader) {}

  /**
   * A table that is being filled.
   *
   * @param <M> the family
   */
  public static final class Builder<M> {
    private final Class<M> family;
    private final String what;
    private final int numberMin;
    private final int numberMax;
    private final Optionals<M> none =
        new Optionals<>((out, message) -> {}, (message, in) -> message);
    private final TreeMap<Integer, Row<M>> rows = new TreeMap<>();
    private final Set<Integer> retired = new TreeSet<>();
    private int since = 1;
    private int last;

    private Builder(Class<M> family, String what, int numberMin, int numberMax) {
      if (numberMin < 0 || numberMax < numberMin || numberMax > NUMBER_MAX) {
        throw new IllegalArgumentException(
            "no numbers for " + family.getSimpleName() + ": " + numberMin + " to " + numberMax);
      }
      this.family = family;
      this.what = what;
      this.numberMin = numberMin;
      this.numberMax = numberMax;
    }

    /** The rows that follow are of this version of the protocol. */
    public Builder<M> since(int version) {
      since = version;
      return this;
    }

    /** Numbers that were a message's once, or are kept for one: no row may have them. */
    public Builder<M> reserved(int... numbers) {
      for (int number : numbers) {
        retired.add(number);
      }
      return this;
    }

    /** A message without optional fields of its own. */
    public <T extends M> Builder<M> row(
        int number,
        Class<T> type,
        BiConsumer<? super WireWriter, ? super T> writer,
        Function<? super WireReader, ? extends T> reader) {
      return add(number, type, writer, reader, none);
    }

    /** A message with optional fields of its own. */
    @SuppressWarnings("unchecked") // A row is found by the class of the message it is given.
    public <T extends M> Builder<M> row(
        int number,
        Class<T> type,
        BiConsumer<? super WireWriter, ? super T> writer,
        Function<? super WireReader, ? extends T> reader,
        Optionals<T> optionals) {
      return add(number, type, writer, reader, (Optionals<M>) optionals);
    }

    @SuppressWarnings("unchecked") // As above; a cast each time would be one more call each time.
    private Builder<M> add(
        int number,
        Class<? extends M> type,
        BiConsumer<? super WireWriter, ?> writer,
        Function<? super WireReader, ? extends M> reader,
        Optionals<M> optionals) {
      Row<M> row =
          new Row<>(
              number,
              type,
              since,
              List.of(),
              (BiConsumer<WireWriter, M>) writer,
              (Function<WireReader, ? extends M>) reader,
              optionals);
      if (rows.putIfAbsent(number, row) != null) {
        throw new IllegalArgumentException("number " + number + " is taken: " + type.getName());
      }
      last = number;
      return this;
    }

    /** What answers the message of the row before; who reads the documents is told. */
    public Builder<M> answeredBy(Class<?>... answers) {
      rows.computeIfPresent(last, (number, row) -> row.with(List.of(answers)));
      return this;
    }

    /**
     * The table.
     *
     * @throws IllegalArgumentException unless each record of the family has exactly one row, with a
     *     number of the family's own that is not reserved
     */
    public MessageTable<M> build() {
      Set<String> missing = new TreeSet<>();
      addRecords(family, missing);
      for (Row<M> row : rows.values()) {
        boolean isOwn = row.number >= numberMin && row.number <= numberMax;
        if (!isOwn || retired.contains(row.number)) {
          throw new IllegalArgumentException(
              "number " + row.number + " is not for " + row.type.getName());
        }
        if (!missing.remove(row.type.getName())) {
          throw new IllegalArgumentException(
              row.type.getName() + " is no record of the family, or has two rows");
        }
      }
      if (!missing.isEmpty()) {
        throw new IllegalArgumentException("without a row in the table of messages: " + missing);
      }
      return new MessageTable<>(this);
    }

    private static void addRecords(Class<?> type, Set<String> to) {
      if (type.isSealed()) {
        for (Class<?> permitted : type.getPermittedSubclasses()) {
          addRecords(permitted, to);
        }
      } else if (type.isRecord()) {
        to.add(type.getName());
      } else {
        throw new IllegalArgumentException(type.getName() + " is neither sealed nor a record");
      }
    }
  }
}
