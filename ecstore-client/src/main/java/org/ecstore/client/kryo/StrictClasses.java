package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import org.ecstore.client.kryo.declared.SerialException;

/** Classes by number only: a class name is neither written nor, whatever it says, looked at. */
@SuppressWarnings("rawtypes")
final class StrictClasses extends DefaultClassResolver {
  @Override
  protected Registration readName(Input input) {
    throw new SerialException("a class name instead of a class number");
  }

  @Override
  protected void writeName(Output output, Class type, Registration registration) {
    throw new SerialException(type.getName() + " has no number");
  }

  @Override
  public Registration registerImplicit(Class type) {
    throw notRegistered(type);
  }

  static SerialException notRegistered(Class<?> type) {
    return new SerialException(
        type.getName()
            + " is not registered: give it a number from "
            + BoundedKryo.APPLICATION_ID_MIN
            + " up");
  }
}
