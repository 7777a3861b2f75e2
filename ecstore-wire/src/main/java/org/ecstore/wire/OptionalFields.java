package org.ecstore.wire;

import java.util.Arrays;
import java.util.Optional;
import org.ecstore.key.Bytes;

/**
 * The optional fields at the end of a message, up to its last byte:
 *
 * <pre>  tag (varint) | length (varint) | that many bytes | next tag ...</pre>
 *
 * <p>Tags ascend, each comes once. A reader takes the fields whose tags it knows and passes by the
 * others, so a newer sender may add some. Their number and their bytes are limited, and checked
 * before anything is allocated. Immutable: any thread may call.
 */
public final class OptionalFields {
  /** No field: what most messages have. */
  public static final OptionalFields NONE =
      new OptionalFields(new WireReader(Bytes.EMPTY), new int[0]);

  /** Of each field: its tag, where its value begins and where it ends. */
  private static final int NUMBERS = 3;

  private final WireReader in;
  private final int[] places;

  private OptionalFields(WireReader in, int[] places) {
    this.in = in;
    this.places = places;
  }

  /**
   * Reads all that is left of a message.
   *
   * @throws MalformedMessageException if a field is cut short, tags do not ascend, or there is more
   *     than {@link Limits#OPTIONAL_FIELDS_MAX} and {@link Limits#OPTIONAL_BYTES_MAX} allow
   */
  public static OptionalFields read(WireReader in) {
    if (in.remaining() == 0) {
      return NONE;
    }
    if (in.remaining() > Limits.OPTIONAL_BYTES_MAX) {
      throw MalformedMessageException.tooLarge(
          in.remaining()
              + " bytes of optional fields where "
              + Limits.OPTIONAL_BYTES_MAX
              + " are allowed");
    }
    int[] places = new int[4 * NUMBERS];
    int used = 0;
    int lastTag = 0;
    while (in.remaining() > 0) {
      if (used == Limits.OPTIONAL_FIELDS_MAX * NUMBERS) {
        throw MalformedMessageException.tooLarge(
            "more than " + Limits.OPTIONAL_FIELDS_MAX + " optional fields");
      }
      if (used == places.length) {
        places = Arrays.copyOf(places, 2 * used);
      }
      lastTag = readTag(in, lastTag);
      places[used++] = lastTag;
      int length = in.count();
      places[used++] = in.at();
      in.skip(length);
      places[used++] = in.at();
    }
    return new OptionalFields(in, Arrays.copyOf(places, used));
  }

  private static int readTag(WireReader in, int lastTag) {
    long tag = in.varint();
    if (tag <= lastTag || tag > Integer.MAX_VALUE) {
      throw new MalformedMessageException(
          "tags of optional fields must ascend from 1: " + tag + " after " + lastTag);
    }
    return (int) tag;
  }

  /**
   * The value of a field; absent if the message does not have it.
   *
   * @throws MalformedMessageException if its bytes are no such value
   */
  public <T> Optional<T> get(OptionalField<T> field) {
    for (int i = 0; i < places.length; i += NUMBERS) {
      if (places[i] == field.tag()) {
        return Optional.of(field.read(in.part(places[i + 1], places[i + 2])));
      }
    }
    return Optional.empty();
  }

  /** How many there are, those of unknown tags included. */
  public int count() {
    return places.length / NUMBERS;
  }
}
