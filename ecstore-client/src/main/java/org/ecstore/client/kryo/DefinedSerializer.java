package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Output;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads values of an application's type, each behind the type's {@link Definition} if it
 * is the first of its type in a value. One belongs to one Kryo.
 */
abstract class DefinedSerializer<T> extends Serializer<T> {
  /** The value, of all that its Kryo wrote or read, in which the type was met last. */
  private long metIn;

  private @Nullable StoredType stored;

  /** Writes the definition, unless that was done; true if it was not. */
  final boolean define(StrictKryo kryo, Output out, byte[] definition) {
    if (metIn == kryo.value()) {
      return false;
    }
    metIn = kryo.value();
    out.writeBytes(definition);
    return true;
  }

  /** What this value says of the type; its definition is read at the first of it. */
  final StoredType stored(StrictKryo kryo, BoundedInput in) {
    StoredType known = stored;
    if (known == null || metIn != kryo.value()) {
      known = readDefinition(in);
      metIn = kryo.value();
      stored = known;
    }
    return known;
  }

  /** Reads a definition; a subclass may know it at sight. */
  StoredType readDefinition(BoundedInput in) {
    return new StoredType(Definition.read(in));
  }
}
