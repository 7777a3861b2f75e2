package org.ecstore.client.kryo;

import java.util.Arrays;
import org.ecstore.client.kryo.declared.SerialException;

/** A type as one value has it: the definition, and the enum constants met so far. */
final class StoredType {
  private final Definition definition;
  private int[] constants = new int[4];
  private int met;

  StoredType(Definition definition) {
    this.definition = definition;
  }

  Definition definition() {
    return definition;
  }

  void requireForm(int form, Class<?> type) {
    if (definition.form() != form) {
      throw new SerialException(
          "a stored value is of another kind of type than "
              + type.getName()
              + ": numbered types keep their order in KryoCodec.of");
    }
  }

  /** The id of a constant: those met are numbered from 0, a new number comes with its id. */
  int readConstant(BoundedInput in) {
    int number = in.readVarInt(true);
    if (number < 0 || number > met) {
      throw new SerialException("constant " + Integer.toUnsignedString(number) + " of " + met);
    } else if (number == met) {
      add(in.readInt());
    }
    return constants[number];
  }

  private void add(int idWord) {
    if (met == constants.length) {
      constants = Arrays.copyOf(constants, met * 2);
    }
    constants[met] = idWord;
    met++;
  }
}
