package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.util.DefaultClassResolver;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;
import org.jspecify.annotations.Nullable;

/** Classes by number only: a class name is neither written nor, whatever it says, looked at. */
@SuppressWarnings("rawtypes")
class StrictClasses extends DefaultClassResolver {
  /** Begins a value. */
  void begin() {}

  /** The registration of an application's number, behind which the bytes stand; null if unknown. */
  @Nullable Registration ofApplication(int number, BoundedInput in) {
    return getRegistration(number);
  }

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

  SerialException notRegistered(Class<?> type) {
    return new SerialException(
        type.getName()
            + " is not registered: give it a number from "
            + BoundedKryo.APPLICATION_ID_MIN
            + " up");
  }

  /**
   * An application's types by the order in which a value meets them, {@link
   * BoundedKryo#APPLICATION_ID_MIN} being the first; the id of its stored name, four bytes, stands
   * behind the number where a type is met first. The numbers that they are registered with are
   * those of this JVM and of no account.
   */
  static final class Named extends StrictClasses {
    private static final int UNMET = -1;

    private final Map<Integer, Registration> byTypeId = new HashMap<>();

    /** When a type was met in this value, by its number in this JVM. */
    private int[] metAt = new int[8];

    /** What stands for types, by the same numbers: each is a digest. */
    private int[] typeIds = new int[8];

    /** What was met in this value; null for a type that is not registered. */
    private final List<@Nullable Registration> met = new ArrayList<>();

    Named() {
      Arrays.fill(metAt, UNMET);
    }

    /** What stands for a type in stored bytes. */
    static int typeId(Class<?> type) {
      return StoredNames.hash("type " + StoredNames.of(type));
    }

    @Override
    public Registration register(Registration registration) {
      if (isOfApplication(registration)) {
        int needed = index(registration) + 1;
        if (needed > metAt.length) {
          int before = metAt.length;
          metAt = Arrays.copyOf(metAt, Math.max(needed, 2 * before));
          Arrays.fill(metAt, before, metAt.length, UNMET);
          typeIds = Arrays.copyOf(typeIds, metAt.length);
        }
        int typeId = typeId(registration.getType());
        typeIds[index(registration)] = typeId;
        byTypeId.put(typeId, registration);
      }
      return super.register(registration);
    }

    @Override
    SerialException notRegistered(Class<?> type) {
      return new SerialException(
          type.getName()
              + " cannot be stored here: no declaration leads to it; name it to Codec.record, if it"
              + " is a record or an enum");
    }

    private static boolean isOfApplication(Registration registration) {
      return registration.getId() >= BoundedKryo.APPLICATION_ID_MIN;
    }

    private static int index(Registration registration) {
      return registration.getId() - BoundedKryo.APPLICATION_ID_MIN;
    }

    @Override
    void begin() {
      if (!met.isEmpty()) {
        Arrays.fill(metAt, UNMET);
        met.clear();
      }
    }

    @Override
    public @Nullable Registration writeClass(Output output, @Nullable Class type) {
      if (type == null) {
        return super.writeClass(output, null);
      }
      Registration registration = kryo.getRegistration(type);
      if (!isOfApplication(registration)) {
        return super.writeClass(output, type);
      }
      int index = index(registration);
      boolean first = metAt[index] == UNMET;
      if (first) {
        metAt[index] = met.size();
        met.add(registration);
      }
      output.writeVarInt(onWire(BoundedKryo.APPLICATION_ID_MIN + metAt[index]), true);
      if (first) {
        output.writeInt(typeIds[index]);
      }
      return registration;
    }

    /** Kryo has null as 0 and a class name as 1. */
    private static int onWire(int number) {
      return number + 2;
    }

    @Override
    public @Nullable Registration readClass(Input input) {
      BoundedInput in = (BoundedInput) input;
      int begin = in.position();
      int number = in.readVarInt(true) - onWire(0);
      if (number < BoundedKryo.APPLICATION_ID_MIN) {
        in.setPosition(begin);
        return super.readClass(in);
      }
      Registration registration = ofApplication(number, in);
      if (registration == null) {
        throw new SerialException(
            "a type is stored that this codec does not know: if it was renamed, declare @StoredAs"
                + " with its former simple name on it");
      }
      return registration;
    }

    @Override
    @Nullable Registration ofApplication(int number, BoundedInput in) {
      int order = number - BoundedKryo.APPLICATION_ID_MIN;
      if (order > met.size()) {
        throw new SerialException("type " + order + " of " + met.size());
      } else if (order == met.size()) {
        met.add(byTypeId.get(in.readInt()));
      }
      return met.get(order);
    }
  }
}
