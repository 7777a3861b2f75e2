package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.RecordSerializer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.ecstore.key.Bytes;

/** Writes format 1 as it was written once: by Kryo's own serializers. */
final class FirstFormatWriter {
  private final Map<Class<?>, Integer> numbers = new LinkedHashMap<>();

  /** For types numbered from 100 in this order. */
  FirstFormatWriter(Class<?>... types) {
    for (Class<?> type : types) {
      numbers.put(type, BoundedKryo.APPLICATION_ID_MIN + numbers.size());
    }
  }

  Bytes encode(Object value) {
    StrictKryo kryo = new StrictKryo(new StrictClasses(), 64);
    numbers.forEach((type, number) -> kryo.register(type, serializerOf(type), number));
    Output out = new Output(64, -1);
    out.writeByte(BoundedKryo.FIRST_FORMAT);
    kryo.writeClassAndObject(out, value);
    return Bytes.wrap(out.toBytes());
  }

  private static Serializer<?> serializerOf(Class<?> type) {
    if (type.isRecord()) {
      return new RecordSerializer<>(type);
    } else if (type.isEnum()) {
      return new DefaultSerializers.EnumSerializer(type.asSubclass(Enum.class));
    }
    return new ContainerSerializers.OfArray();
  }
}
