package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import org.ecstore.client.kryo.declared.EnumShape;

/**
 * Enum constants by their ids, each written once in a value: a constant is the number of those met
 * before it, and an id if it is a new one.
 */
final class EnumSerializer extends DefinedSerializer<Enum<?>> {
  private static final byte[] DEFINITION = Definition.bytesOfEnum();
  private static final int UNMET = -1;

  private final EnumShape shape;

  /** The number of each constant, by its ordinal in this very JVM. */
  private final int[] numbers;

  private int met;

  EnumSerializer(EnumShape shape) {
    this.shape = shape;
    this.numbers = new int[shape.size()];
  }

  @Override
  @SuppressWarnings("EnumOrdinal") // An index within this JVM; the bytes have the id.
  public void write(Kryo kryo, Output out, Enum<?> constant) {
    if (define((StrictKryo) kryo, out, DEFINITION)) {
      Arrays.fill(numbers, UNMET);
      met = 0;
    }
    int ordinal = constant.ordinal();
    if (numbers[ordinal] != UNMET) {
      out.writeVarInt(numbers[ordinal], true);
      return;
    }
    out.writeVarInt(met, true);
    out.writeInt(shape.idWord(ordinal));
    numbers[ordinal] = met;
    met++;
  }

  @Override
  public Enum<?> read(Kryo kryo, Input input, Class<? extends Enum<?>> type) {
    BoundedInput in = (BoundedInput) input;
    StoredType stored = stored((StrictKryo) kryo, in);
    stored.requireForm(Definition.ENUM, shape.type());
    return shape.constant(stored.readConstant(in));
  }
}
