package org.ecstore.wire;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * A field that a message may have behind its fixed ones: a tag, which never means anything else in
 * the same table, and how its value is written and read. Immutable: any thread may call.
 *
 * @param <T> the value
 */
public final class OptionalField<T> {
  private final int tag;
  private final String name;
  private final String messages;
  private final String meaning;
  private final BiConsumer<WireWriter, T> writer;
  private final Function<WireReader, T> reader;

  /**
   * A field.
   *
   * @param tag from 1 on
   * @param messages that may have it, in words
   * @param meaning one line for the list of messages
   */
  public OptionalField(
      int tag,
      String name,
      String messages,
      String meaning,
      BiConsumer<WireWriter, T> writer,
      Function<WireReader, T> reader) {
    this.tag = tag;
    this.name = name;
    this.messages = messages;
    this.meaning = meaning;
    this.writer = writer;
    this.reader = reader;
  }

  /**
   * A table of fields.
   *
   * @throws IllegalArgumentException unless their tags ascend from 1 on
   */
  public static List<OptionalField<?>> table(List<? extends OptionalField<?>> fields) {
    int last = 0;
    for (OptionalField<?> field : fields) {
      if (field.tag <= last) {
        throw new IllegalArgumentException("tag " + field.tag + " of " + field.name + " is taken");
      }
      last = field.tag;
    }
    return List.copyOf(fields);
  }

  public int tag() {
    return tag;
  }

  public String name() {
    return name;
  }

  /** The messages that may have it, in words. */
  public String messages() {
    return messages;
  }

  /** What it says, in one line. */
  public String meaning() {
    return meaning;
  }

  /** Appends the field. Fields of one message are appended in ascending order of their tags. */
  public void write(WireWriter out, T value) {
    WireWriter bytes = new WireWriter(32);
    writer.accept(bytes, value);
    out.varint(tag).varint(bytes.length()).raw(bytes.array(), 0, bytes.length());
  }

  /** The value in these bytes, all of them. */
  T read(WireReader in) {
    T value = reader.apply(in);
    in.expectEnd();
    return value;
  }
}
