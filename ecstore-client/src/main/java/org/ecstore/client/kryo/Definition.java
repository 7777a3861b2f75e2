package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.io.Output;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;

/**
 * What a value says of an application's type before the first of it:
 *
 * <pre>
 *   record   count of components * 4        fingerprint   a word for each component, ascending
 *   enum     1
 *   array    2                              fingerprint
 * </pre>
 *
 * <p>The first is a variable-length number; fingerprint and words have four bytes, least first. A
 * word is the id of a component, 28 bits, and its {@link FieldKind}, 4 bits. So a reader without
 * the type, or with a later one, knows where each component begins and ends.
 */
final class Definition {
  static final int RECORD = 0;
  static final int ENUM = 1;
  static final int ARRAY = 2;

  /** A constructor takes no more. */
  private static final int COMPONENTS_MAX = 255;

  private static final int FORM_BITS = 2;
  private static final int FORM_MASK = (1 << FORM_BITS) - 1;
  private static final int KIND_MASK = (1 << StoredNames.KIND_BITS) - 1;

  private final int form;
  private final int fingerprint;
  private final int[] words;

  private Definition(int form, int fingerprint, int... words) {
    this.form = form;
    this.fingerprint = fingerprint;
    this.words = words;
  }

  static byte[] bytesOfRecord(int fingerprint, int... words) {
    Output out = new Output(16, -1);
    out.writeVarInt((words.length << FORM_BITS) | RECORD, true);
    out.writeInt(fingerprint);
    for (int word : words) {
      out.writeInt(word);
    }
    return out.toBytes();
  }

  static byte[] bytesOfEnum() {
    return new byte[] {ENUM};
  }

  static byte[] bytesOfArray(int fingerprint) {
    Output out = new Output(16, -1);
    out.writeVarInt(ARRAY, true);
    out.writeInt(fingerprint);
    return out.toBytes();
  }

  static Definition read(BoundedInput in) {
    int head = in.readVarInt(true);
    int form = head & FORM_MASK;
    int count = head >>> FORM_BITS;
    if (form > ARRAY || (form != RECORD && count > 0)) {
      throw new SerialException("an unknown form of type: " + head);
    } else if (form == ENUM) {
      return new Definition(ENUM, 0);
    }
    if (count > COMPONENTS_MAX) {
      throw new SerialException("a record of " + count + " components");
    }
    int fingerprint = in.readInt();
    int[] words = in.readInts(count);
    requireAscending(words);
    return new Definition(form, fingerprint, words);
  }

  private static void requireAscending(int[] words) {
    for (int i = 1; i < words.length; i++) {
      if (Integer.compareUnsigned(words[i - 1] & ~KIND_MASK, words[i] & ~KIND_MASK) >= 0) {
        throw new SerialException("components that do not ascend");
      }
    }
  }

  int form() {
    return form;
  }

  int fingerprint() {
    return fingerprint;
  }

  int size() {
    return words.length;
  }

  int idWord(int at) {
    return words[at] & ~KIND_MASK;
  }

  FieldKind kind(int at) {
    return FieldKind.ofCode(words[at] & KIND_MASK);
  }
}
