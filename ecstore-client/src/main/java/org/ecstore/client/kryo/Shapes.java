package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Serializer;
import java.util.function.Supplier;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.declared.EnumShape;

/** Makes the serializers of a registered type, one set for each Kryo. */
record Shapes(Supplier<Serializer<?>> written, Supplier<Serializer<?>> first) {
  /**
   * Those of a record, an enum or an array of objects.
   *
   * @throws WrongArgumentException if what the type declares of its storage contradicts itself
   */
  static Shapes of(Class<?> type) {
    if (type.isRecord()) {
      RecordShape shape = new RecordShape(type);
      return new Shapes(
          () -> new RecordSerializer(shape), new FirstFormat.Records(shape)::serializer);
    } else if (type.isEnum()) {
      EnumShape shape = new EnumShape(type);
      return new Shapes(() -> new EnumSerializer(shape), new FirstFormat.Enums(type)::serializer);
    }
    return new Shapes(() -> new ArraySerializer(type), ContainerSerializers.OfArray::new);
  }
}
