package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.KryoBufferOverflowException;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.declared.DeclaredSchema;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredTypes;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.UnsafeAccess;
import org.jspecify.annotations.Nullable;

/**
 * Values as bytes by Kryo, within bounds: a byte that names the format, the number of the value's
 * class, and the value. Records, enums and arrays of the application are registered; {@link
 * JdkTypes} are there. In format 2 a registered type has a number of its own, from {@link
 * #APPLICATION_ID_MIN} up; in format 3, that of a {@link #named} one, types are numbered as a value
 * meets them, and told by their simple names ({@link StrictClasses.Named}). Before the first value
 * of a registered type stands its {@link Definition}: a fingerprint, and the ids of its components,
 * by which a class that has changed since finds what is its own.
 *
 * <p>Bytes may come from anyone. A class name never is on the wire, so only registered types are
 * ever made; lengths are checked against the bytes that are left before anything is allocated;
 * length and depth of a value have limits. There are no references within a value: a shared part is
 * written twice, a cycle is refused for its depth. (With references a few bytes could describe a
 * value that takes years to hash.)
 *
 * <p>What is part of the format and must stay as it is, or be declared by the annotations of {@link
 * org.ecstore.client.schema}: numbers, simple names of types, names of components and constants,
 * types of components. Order is of no account. Format 1, without definitions, is still read, and
 * one of numbered types reads all three formats.
 *
 * <p>Any thread may call. Kryo's instances, which are not safe, are kept in a small pool.
 */
public final class BoundedKryo {
  static {
    UnsafeAccess.avoid("kryo.unsafe", "false");
  }

  /** The first byte of every value of numbered types that is written. */
  public static final int FORMAT = 2;

  /** The first byte of every value of named types that is written. */
  public static final int NAMED_FORMAT = 3;

  /** The first byte of values without definitions, which are read for ever. */
  static final int FIRST_FORMAT = 1;

  /** The least number for a class of the application. */
  public static final int APPLICATION_ID_MIN = 100;

  /** The greatest number for a class of the application. */
  public static final int APPLICATION_ID_MAX = 1 << 20;

  private static final int DEPTH_MAX = 64;

  /** Kryo reads by recursion: deeper ones could take the whole stack. */
  private static final int DEPTH_MAX_MAX = 256;

  private final Map<Integer, Class<?>> classes;
  private final Map<Integer, Shapes> shapes;
  private final int bytesMax;
  private final int depthMax;
  private final boolean firstFormat;
  private final boolean named;
  private final KryoPool numberedPool =
      new KryoPool(() -> newKryo(new StrictClasses(), Shapes::written));
  private final KryoPool namedPool =
      new KryoPool(() -> newKryo(new StrictClasses.Named(), Shapes::written));
  private final KryoPool firstFormatPool =
      new KryoPool(() -> newKryo(new StrictClasses(), Shapes::first));

  private BoundedKryo(Builder builder) {
    classes = new TreeMap<>(builder.classes);
    shapes = new TreeMap<>(builder.shapes);
    bytesMax = builder.bytesMax;
    depthMax = builder.depthMax;
    firstFormat = builder.firstFormat;
    named = builder.named;
  }

  /** Starts with the types every one knows; others are registered with a number. */
  public static Builder builder() {
    return new Builder(false);
  }

  /**
   * Of these types, which are told by their stored names; none has a number, so their order and
   * what is added later are of no account.
   *
   * @throws WrongArgumentException as {@link Builder#register} does
   */
  public static BoundedKryo named(int bytesMax, Class<?>... types) {
    Builder builder = new Builder(true).bytesMax(bytesMax);
    int number = APPLICATION_ID_MIN;
    for (Class<?> type : types) {
      builder.register(type, number);
      number++;
    }
    return builder.build();
  }

  /**
   * The types that values of a type consist of and that have to be registered, by what is declared;
   * see {@link StoredTypes#of}.
   */
  public static Class<?>[] typesOf(Class<?> type, Class<?>... more) {
    return StoredTypes.of(type, Arrays.asList(more), JdkTypes.all()).toArray(Class<?>[]::new);
  }

  /** What values of a type consist of, by what its registered types declare. */
  public DeclaredSchema schema(Class<?> type) {
    return new DeclaredSchema(type, classes.values(), JdkTypes.all());
  }

  /** What a {@link BoundedKryo} is to know, and its limits. */
  public static final class Builder {
    private final Map<Integer, Class<?>> classes = new LinkedHashMap<>();
    private final Map<Integer, Shapes> shapes = new LinkedHashMap<>();
    private int bytesMax = Limits.VALUE_BYTES_MAX;
    private int depthMax = DEPTH_MAX;
    private final boolean named;
    private boolean firstFormat = true;

    private Builder(boolean named) {
      this.named = named;
    }

    /**
     * Registers a record, an enum or an array of either under a number that it keeps for ever.
     *
     * @throws WrongArgumentException if it is of another kind, class, number or stored name are
     *     taken, what it declares by annotations contradicts itself, or a component is a collection
     *     of a class that could not be read back: declare it as List, Set, Map, SortedSet or
     *     SortedMap
     */
    public Builder register(Class<?> type, int id) {
      if (id < APPLICATION_ID_MIN || id > APPLICATION_ID_MAX) {
        throw new WrongArgumentException(
            "number "
                + id
                + " of "
                + type.getName()
                + " is not from "
                + APPLICATION_ID_MIN
                + " to "
                + APPLICATION_ID_MAX,
            null);
      }
      if (classes.containsKey(id) || classes.containsValue(type)) {
        throw new WrongArgumentException(
            "registered twice: number " + id + " or " + type.getName(), null);
      }
      if (type.isRecord()) {
        requireReadableComponents(type);
      } else if (!type.isEnum() && !isObjectArray(type)) {
        throw new WrongArgumentException(
            type.getName() + " is not a record, an enum or an array of objects", null);
      }
      requireOwnName(type);
      shapes.put(id, Shapes.of(type));
      classes.put(id, type);
      return this;
    }

    private void requireOwnName(Class<?> type) {
      for (Class<?> other : classes.values()) {
        if (StrictClasses.Named.typeId(other) == StrictClasses.Named.typeId(type)) {
          throw new WrongArgumentException(
              type.getName()
                  + " and "
                  + other.getName()
                  + " are stored under one name: give one another @StoredAs",
              null);
        }
      }
    }

    /** The longest value, in bytes; {@link Limits#VALUE_BYTES_MAX} if not said. */
    public Builder bytesMax(int bytes) {
      if (bytes < 2) {
        throw new WrongArgumentException("no value is of " + bytes + " bytes", null);
      }
      bytesMax = bytes;
      return this;
    }

    /**
     * How deep values may be nested, a value within none being 1; from 1 to 256, 64 if not said.
     */
    public Builder depthMax(int depth) {
      if (depth < 1 || depth > DEPTH_MAX_MAX) {
        throw new WrongArgumentException(
            "depth " + depth + " is not from 1 to " + DEPTH_MAX_MAX, null);
      }
      depthMax = depth;
      return this;
    }

    /**
     * Refuses values of format 1, which do not say what they are of: for where none are left, or
     * never were any.
     */
    public Builder withoutFirstFormat() {
      firstFormat = false;
      return this;
    }

    /** A serializer of what was registered. */
    public BoundedKryo build() {
      return new BoundedKryo(this);
    }

    private static boolean isObjectArray(Class<?> type) {
      Class<?> component = type.getComponentType();
      return component != null && !component.isPrimitive();
    }

    private static void requireReadableComponents(Class<?> type) {
      for (RecordComponent component : type.getRecordComponents()) {
        StoredTypes.requireReadable(
            component.getType(), type.getName() + "." + component.getName());
      }
    }
  }

  /**
   * A value's bytes.
   *
   * @throws SerialException if it, or part of it, is not of a registered class, or it is too long
   *     or too deep
   */
  public Bytes encode(Object value) {
    return encode(value, false)
        .or(() -> encode(value, true))
        .orElseThrow(() -> new IllegalStateException("a whole value lacks a component"));
  }

  /**
   * A value's bytes.
   *
   * @param whole whether with the components that are not yet written; absent if without them it
   *     would lose one
   */
  private Optional<Bytes> encode(Object value, boolean whole) {
    KryoPool pool = named ? namedPool : numberedPool;
    StrictKryo kryo = pool.borrow(0);
    try {
      kryo.whole(whole);
      Output out = new Output(Math.min(256, bytesMax), bytesMax);
      out.writeByte(named ? NAMED_FORMAT : FORMAT);
      kryo.writeClassAndObject(out, value);
      return Optional.of(Bytes.wrap(out.toBytes()));
    } catch (KryoBufferOverflowException e) {
      throw new SerialException("a value longer than " + bytesMax + " bytes", e);
    } catch (RuntimeException e) {
      if (!whole && caused(e, RecordShape.NotWholeException.class).isPresent()) {
        return Optional.empty();
      }
      throw asSerialException("cannot write a " + value.getClass().getName(), e);
    } finally {
      pool.giveBack(kryo);
    }
  }

  /**
   * The value of a type that these bytes are, all of them.
   *
   * @throws SerialException if they are not one
   */
  public <T> T decode(Bytes bytes, Class<T> type) {
    if (bytes.length() > bytesMax) {
      throw new SerialException(
          "a value of " + bytes.length() + " bytes where " + bytesMax + " are allowed");
    }
    Object value = read(new BoundedInput(bytes));
    if (!type.isInstance(value)) {
      throw new SerialException(
          "not a "
              + type.getName()
              + " but "
              + (value == null ? "nothing" : "a " + value.getClass().getName()));
    }
    return type.cast(value);
  }

  private @Nullable Object read(BoundedInput in) {
    KryoPool kryos = poolFor(in);
    StrictKryo kryo = kryos.borrow(in.remaining());
    try {
      Object value = kryo.readClassAndObject(in);
      if (in.remaining() > 0) {
        throw new SerialException("trailing bytes: " + in.remaining());
      }
      return value;
    } catch (RuntimeException e) {
      throw asSerialException("bytes that are not a value", e);
    } finally {
      kryos.giveBack(kryo);
    }
  }

  private KryoPool poolFor(BoundedInput in) {
    if (in.remaining() == 0) {
      throw new SerialException("no bytes where a value is expected");
    }
    int format = in.readByteUnsigned();
    if (format == NAMED_FORMAT) {
      return namedPool;
    } else if (format <= FORMAT && named) {
      throw new SerialException(
          "a value of format "
              + format
              + ", in which types have numbers: say by alsoReading(KryoCodec.of(...)) which");
    } else if (format == FORMAT) {
      return numberedPool;
    } else if (format != FIRST_FORMAT) {
      throw new SerialException(
          "unknown format of a value: " + format + "; a later ecStore may have written it");
    } else if (!firstFormat) {
      throw new SerialException("a value of format 1, which this codec was told not to read");
    }
    return firstFormatPool;
  }

  /** Kryo wraps what was thrown beneath; ours is found again, so that the reason comes first. */
  private static SerialException asSerialException(String what, RuntimeException thrown) {
    return caused(thrown, SerialException.class)
        .orElseGet(() -> new SerialException(what + ": " + thrown.getMessage(), thrown));
  }

  private static <T extends Throwable> Optional<T> caused(Throwable thrown, Class<T> type) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return Optional.of(type.cast(cause));
      }
    }
    return Optional.empty();
  }

  private StrictKryo newKryo(
      StrictClasses resolver, Function<Shapes, Supplier<Serializer<?>>> format) {
    StrictKryo kryo = new StrictKryo(resolver, depthMax);
    shapes.forEach((id, shape) -> kryo.register(classes.get(id), format.apply(shape).get(), id));
    return kryo;
  }
}
