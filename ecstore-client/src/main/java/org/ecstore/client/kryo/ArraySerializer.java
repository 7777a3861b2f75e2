package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;

/** Arrays of an application, by the stored name of their elements' type. */
final class ArraySerializer extends DefinedSerializer<Object[]> {
  private final Class<?> type;
  private final int fingerprint;
  private final byte[] definition;

  ArraySerializer(Class<?> type) {
    this.type = type;
    this.fingerprint = StoredNames.hash("array " + StoredNames.of(type));
    this.definition = Definition.bytesOfArray(fingerprint);
  }

  @Override
  public void write(Kryo kryo, Output out, Object[] array) {
    define((StrictKryo) kryo, out, definition);
    ContainerSerializers.writeArray(kryo, out, array);
  }

  @Override
  public Object[] read(Kryo kryo, Input input, Class<? extends Object[]> declared) {
    StoredType stored = stored((StrictKryo) kryo, (BoundedInput) input);
    stored.requireForm(Definition.ARRAY, type);
    if (stored.definition().fingerprint() != fingerprint) {
      throw new SerialException(
          "a stored array is none of "
              + type.getTypeName()
              + ": if the elements' type was renamed, declare @StoredAs with its former simple"
              + " name; numbered types keep their order in KryoCodec.of");
    }
    return ContainerSerializers.readArray(kryo, input, type);
  }
}
