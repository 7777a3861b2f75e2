package org.ecstore.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.WireReader;
import org.ecstore.wire.WireWriter;
import org.jspecify.annotations.Nullable;

/**
 * Lists as the operation has them that appends ({@link org.ecstore.model.AtomicOp}): elements one
 * after the other, each behind its length.
 *
 * @param <E> the type of the elements
 */
final class ListCodec<E> implements Codec<List<E>> {
  private final Codec<E> elements;

  ListCodec(Codec<E> elements) {
    this.elements = Objects.requireNonNull(elements, "elements");
  }

  @Override
  public Bytes encode(List<E> value) {
    WireWriter out = new WireWriter();
    for (E element : value) {
      out.bytes(encodeElement(element));
    }
    return out.toBytes();
  }

  /** The operand that appends an element. */
  Bytes operand(E element) {
    return new WireWriter().bytes(encodeElement(element)).toBytes();
  }

  private Bytes encodeElement(E element) {
    return given(elements.encode(Objects.requireNonNull(element, "element")), "encode");
  }

  private static <T> T given(@Nullable T made, String method) {
    if (made == null) {
      throw new WrongArgumentException(
          "the codec of a list's elements gave null", null, "method", method);
    }
    return made;
  }

  @Override
  public List<E> decode(Bytes encoded) {
    List<E> decoded = new ArrayList<>();
    try {
      for (WireReader in = new WireReader(encoded); in.remaining() > 0; ) {
        decoded.add(given(elements.decode(in.bytes()), "decode"));
      }
    } catch (MalformedMessageException e) {
      throw new WrongArgumentException("the value is no list", e, "bytes", encoded.length());
    }
    return Collections.unmodifiableList(decoded);
  }
}
