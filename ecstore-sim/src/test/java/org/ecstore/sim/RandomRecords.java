package org.ecstore.sim;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.ecstore.core.map.RangeDescriptor;
import org.ecstore.core.map.RangeMap;
import org.ecstore.id.Epoch;
import org.ecstore.id.MapVersion;
import org.ecstore.id.NodeId;
import org.ecstore.id.RangeId;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.AtomicOp;
import org.ecstore.model.KeyWrite;
import org.ecstore.model.Mutation;
import org.ecstore.model.objective.LatencySketch;
import org.ecstore.wire.WireWriter;

/**
 * Random records of any class, from a seed: their components are drawn by their types, so a message
 * that is new is drawn as soon as it is in a table.
 */
final class RandomRecords {
  private static final int ELEMENTS_MAX = 4;

  private final SplittableRandom random;

  RandomRecords(long seed) {
    random = new SplittableRandom(seed);
  }

  /** One of a class. */
  <T> T of(Class<T> type) {
    return type.cast(value(type));
  }

  private Object value(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type element = generic.getActualTypeArguments()[0];
      return generic.getRawType() == List.class ? list(element) : optional(element);
    }
    return value((Class<?>) type);
  }

  private Object value(Class<?> type) {
    if (type == long.class || type == Long.class) {
      return natural();
    } else if (type == int.class) {
      return random.nextInt(1 << 16);
    } else if (type == boolean.class) {
      return random.nextBoolean();
    } else if (type == String.class) {
      return "é€x ".substring(random.nextInt(4));
    } else if (type == Bytes.class) {
      return bytes();
    } else if (type == KeyRange.class) {
      return interval();
    } else if (type == RangeMap.class) {
      return map();
    } else if (type == Mutation.class) {
      return mutation();
    } else if (type == Duration.class) {
      return Duration.ofNanos(natural());
    } else if (type == OptionalLong.class) {
      return random.nextBoolean() ? OptionalLong.of(natural()) : OptionalLong.empty();
    } else if (type == OptionalInt.class) {
      return random.nextBoolean() ? OptionalInt.of(random.nextInt(1 << 16)) : OptionalInt.empty();
    } else if (type == LatencySketch.class) {
      return LatencySketch.of(new long[] {random.nextInt(1 << 16), 0, random.nextInt(1 << 16)});
    } else if (type.isEnum()) {
      return oneOf(type.getEnumConstants());
    } else if (type.isSealed()) {
      return value(oneOf(type.getPermittedSubclasses()));
    }
    return record(type);
  }

  private Object record(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = new Object[components.length];
    Class<?>[] types = new Class<?>[components.length];
    for (int i = 0; i < values.length; i++) {
      types[i] = components[i].getType();
      values[i] = value(components[i].getGenericType());
    }
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException(
          type.getName() + " does not take " + Arrays.toString(values), e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(type.getName(), e);
    }
  }

  private Optional<?> optional(Type element) {
    return random.nextBoolean() ? Optional.of(value(element)) : Optional.empty();
  }

  /** Keys, intervals and writes ascend, as they must in messages. */
  private List<?> list(Type element) {
    if (element == Bytes.class) {
      return keys();
    } else if (element == KeyRange.class) {
      return KeyRange.merged(List.of(interval(), interval()));
    } else if (element == KeyWrite.class) {
      return keys().stream().map(key -> new KeyWrite(key, mutation())).toList();
    }
    List<Object> values = new ArrayList<>();
    for (int left = random.nextInt(ELEMENTS_MAX); left > 0; left--) {
      values.add(value(element));
    }
    return values;
  }

  private Mutation mutation() {
    return switch (random.nextInt(3)) {
      case 0 -> Mutation.delete();
      case 1 ->
          new Mutation.Operation(AtomicOp.ADD, new WireWriter().i64(random.nextLong()).toBytes());
      default -> new Mutation.Put(bytes());
    };
  }

  private List<Bytes> keys() {
    TreeMap<Bytes, Boolean> keys = new TreeMap<>();
    for (int left = random.nextInt(ELEMENTS_MAX); left > 0; left--) {
      keys.put(bytes(), true);
    }
    return List.copyOf(keys.keySet());
  }

  private Bytes bytes() {
    byte[] array = new byte[random.nextInt(9)];
    random.nextBytes(array);
    return Bytes.wrap(array);
  }

  private KeyRange interval() {
    Bytes a = bytes();
    Bytes b = bytes();
    return a.compareTo(b) < 0 ? KeyRange.of(a, b) : KeyRange.from(a);
  }

  private RangeMap map() {
    RangeDescriptor whole =
        new RangeDescriptor(
            new RangeId(natural()),
            KeyRange.ALL,
            new Epoch(random.nextInt(9)),
            new NodeId(natural()),
            natural(),
            List.of());
    return RangeMap.of(new MapVersion(9 + random.nextInt(9)), List.of(whole));
  }

  /** Small and large numbers alike, up to 2^63-1. */
  private long natural() {
    return random.nextLong() >>> (1 + random.nextInt(63));
  }

  private <T> T oneOf(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
