package org.ecstore.server.print;

import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.key.MalformedTupleException;
import org.ecstore.key.Tuple;

/** Keys of the store as text: the tuple they are, or else their bytes. */
public final class KeyText {
  private KeyText() {}

  /** A key. */
  public static String of(Bytes key) {
    try {
      return Tuple.decode(key).toString();
    } catch (MalformedTupleException e) {
      return key.toString();
    }
  }

  /** The start of an interval. */
  public static String start(KeyRange keys) {
    return keys.start().length() == 0 ? "the beginning" : of(keys.start());
  }

  /** The end of an interval. */
  public static String end(KeyRange keys) {
    return keys.end().map(KeyText::of).orElse("the end");
  }
}
