package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import org.ecstore.client.kryo.declared.SerialException;

/** Passes over stored parts that no component takes, be their types registered or not. */
final class Skipping {
  private Skipping() {}

  /** A class number and what follows it. */
  static void reference(StrictKryo kryo, BoundedInput in) {
    int number = in.readVarInt(true) - 2;
    if (number == -2) {
      return;
    } else if (number < 0) {
      throw new SerialException("a class name instead of a class number");
    }
    kryo.descend();
    if (number < BoundedKryo.APPLICATION_ID_MIN) {
      ofJdk(kryo, in, number);
    } else {
      ofApplication(kryo, in, kryo.storedType(number, in));
    }
    kryo.ascend();
  }

  private static void ofJdk(StrictKryo kryo, BoundedInput in, int number) {
    switch (number) {
      case JdkTypes.LIST, JdkTypes.SET, JdkTypes.SORTED_SET, JdkTypes.STRING_ARRAY ->
          references(kryo, in, in.readCount());
      case JdkTypes.MAP, JdkTypes.SORTED_MAP -> {
        int entries = in.readCount();
        references(kryo, in, entries);
        references(kryo, in, entries);
      }
      case JdkTypes.OPTIONAL -> reference(kryo, in);
      default -> readAndForget(kryo, in, number);
    }
  }

  private static void references(StrictKryo kryo, BoundedInput in, int count) {
    for (int left = count; left > 0; left--) {
      reference(kryo, in);
    }
  }

  private static void readAndForget(StrictKryo kryo, BoundedInput in, int number) {
    Registration registration = kryo.getRegistration(number);
    if (registration == null) {
      throw new SerialException("unregistered class ID: " + number);
    }
    read(kryo, in, registration);
  }

  @SuppressWarnings({"rawtypes", "unchecked"})
  private static void read(StrictKryo kryo, BoundedInput in, Registration registration) {
    Serializer serializer = registration.getSerializer();
    serializer.read(kryo, in, registration.getType());
  }

  private static void ofApplication(StrictKryo kryo, BoundedInput in, StoredType stored) {
    Definition definition = stored.definition();
    switch (definition.form()) {
      case Definition.RECORD -> {
        for (int i = 0; i < definition.size(); i++) {
          definition.kind(i).skip(kryo, in);
        }
      }
      case Definition.ENUM -> stored.readConstant(in);
      default -> references(kryo, in, in.readCount());
    }
  }
}
