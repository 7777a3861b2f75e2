package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.declared.EnumShape;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;
import org.ecstore.client.schema.OriginalShape;
import org.jspecify.annotations.Nullable;

/**
 * Values of format 1, which are read and no longer written: the components of a record stand in the
 * alphabetical order of their names, a constant is its ordinal. Nothing in the bytes says so, hence
 * {@link OriginalShape}.
 */
final class FirstFormat {
  private FirstFormat() {}

  private static Class<?> originalOf(Class<?> type) {
    OriginalShape declared = type.getAnnotation(OriginalShape.class);
    return declared == null ? type : declared.value();
  }

  private static boolean isDeclared(Class<?> type) {
    return type.isAnnotationPresent(OriginalShape.class);
  }

  private static WrongArgumentException wrong(Class<?> type, String what) {
    return new WrongArgumentException("@OriginalShape of " + type.getName() + " " + what, null);
  }

  private abstract static class ReadOnly<T> extends Serializer<T> {
    @Override
    public final void write(Kryo kryo, Output out, T value) {
      throw new IllegalStateException("format 1 is not written any more");
    }
  }

  /** A record's components as they were, and those they became. */
  static final class Records {
    private record Step(String name, Class<?> original, @Nullable Component component) {
      /** The type that is registered: an enum or record of the original shape is not. */
      Class<?> type() {
        Component now = component;
        if (now != null && (original.isEnum() || original.isRecord())) {
          return now.type();
        }
        return original;
      }
    }

    private final RecordShape shape;
    private final boolean readable;
    private final boolean reduced;
    private final List<Step> steps = new ArrayList<>();
    private final List<Component> missing;

    /**
     * How a record is read.
     *
     * @throws WrongArgumentException if its original shape is no record, or has a component that it
     *     neither has nor declares removed
     */
    Records(RecordShape shape) {
      this.shape = shape;
      this.readable = !shape.hasRemoved() || isDeclared(shape.type());
      this.missing = new ArrayList<>(shape.components());
      if (isDeclared(shape.type())) {
        addOriginal();
      } else {
        shape.components().forEach(this::addUnchanged);
      }
      steps.sort(Comparator.comparing(Step::name));
      this.reduced = steps.stream().anyMatch(step -> step.component == null);
    }

    private void addOriginal() {
      Class<?> original = originalOf(shape.type());
      if (!original.isRecord()) {
        throw wrong(shape.type(), "is not a record");
      }
      for (RecordComponent component : original.getRecordComponents()) {
        String name = component.getName();
        int id = StoredNames.idWord(StoredNames.of(shape.type()), name);
        Component now = shape.component(id);
        if (now == null && !shape.isRemoved(id)) {
          throw wrong(
              shape.type(),
              "has a component "
                  + name
                  + " that is gone: declare @StoredAs on the one it became, or @Removed");
        }
        steps.add(new Step(name, component.getType(), now));
        missing.remove(now);
      }
    }

    private void addUnchanged(Component component) {
      steps.add(new Step(component.storedName(), component.type(), component));
      missing.remove(component);
    }

    private Object read(StrictKryo kryo, Input in) {
      requireReadable();
      kryo.countDefaults(missing.size());
      if (reduced) {
        kryo.evolve();
      }
      @Nullable Object[] arguments = new Object[shape.components().size()];
      for (Step step : steps) {
        Object value = read(kryo, in, step);
        if (step.component != null) {
          arguments[step.component.index()] = step.component.changed(value);
        }
      }
      for (Component component : missing) {
        arguments[component.index()] = component.defaultValue();
      }
      return shape.make(arguments, missing);
    }

    private void requireReadable() {
      if (!readable) {
        throw new SerialException(
            shape.type().getName()
                + " has removed components, and a value of format 1 does not say where they are:"
                + " declare @OriginalShape");
      }
    }

    private static @Nullable Object read(StrictKryo kryo, Input in, Step step) {
      if (step.original.isPrimitive()) {
        return kryo.readObject(in, step.original);
      }
      return kryo.isFinal(step.original)
          ? kryo.readObjectOrNull(in, step.type())
          : kryo.readClassAndObject(in);
    }

    /** A serializer for one Kryo. */
    Serializer<?> serializer() {
      return new OfRecord(this);
    }
  }

  private static final class OfRecord extends ReadOnly<Object> {
    private final Records records;

    OfRecord(Records records) {
      this.records = records;
    }

    @Override
    public Object read(Kryo kryo, Input in, Class<? extends Object> type) {
      return records.read((StrictKryo) kryo, in);
    }
  }

  /** An enum's constants in the order they had. */
  static final class Enums {
    private final Class<?> type;
    private final @Nullable Enum<?>[] byOrdinal;

    /**
     * How an enum is read.
     *
     * @throws WrongArgumentException if its original shape is no enum
     */
    Enums(Class<?> type) {
      this.type = type;
      Class<?> original = originalOf(type);
      if (!original.isEnum()) {
        throw wrong(type, "is not an enum");
      }
      Map<String, Enum<?>> now = new HashMap<>();
      for (Enum<?> constant : EnumShape.constantsOf(type)) {
        now.put(EnumShape.storedName(constant), constant);
      }
      this.byOrdinal =
          Arrays.stream(EnumShape.constantsOf(original))
              .map(each -> now.get(original == type ? EnumShape.storedName(each) : each.name()))
              .toArray(Enum<?>[]::new);
    }

    private @Nullable Enum<?> read(Input in) {
      int ordinal = in.readVarInt(true) - 1;
      if (ordinal == -1) {
        return null;
      }
      Enum<?> constant = ordinal >= 0 && ordinal < byOrdinal.length ? byOrdinal[ordinal] : null;
      if (constant == null) {
        throw new SerialException(
            "constant " + ordinal + " is stored, which " + type.getName() + " does not have");
      }
      return constant;
    }

    /** A serializer for one Kryo. */
    Serializer<?> serializer() {
      return new OfEnum(this);
    }
  }

  private static final class OfEnum extends ReadOnly<Enum<?>> {
    private final Enums enums;

    OfEnum(Enums enums) {
      this.enums = enums;
      setAcceptsNull(true);
    }

    @Override
    @SuppressWarnings("NullAway") // Null where it accepts null, as Kryo has it.
    public Enum<?> read(Kryo kryo, Input in, Class<? extends Enum<?>> type) {
      return enums.read(in);
    }
  }
}
