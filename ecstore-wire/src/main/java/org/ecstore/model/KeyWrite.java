package org.ecstore.model;

import java.util.Optional;
import org.ecstore.key.Bytes;

/** One write of a transaction. */
public record KeyWrite(Bytes key, Mutation mutation) {
  /** A put of a value, or a delete if it is absent. */
  public KeyWrite(Bytes key, Optional<Bytes> value) {
    this(key, Mutation.of(value));
  }

  /** The value to put, or absent to delete; not of an operation. */
  public Optional<Bytes> value() {
    return mutation.value();
  }
}
