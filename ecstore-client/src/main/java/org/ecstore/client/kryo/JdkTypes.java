package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.ecstore.key.Bytes;

/**
 * The numbers of the types that every {@link BoundedKryo} knows, 10 to 99, fixed for ever:
 *
 * <pre>
 *   10 boolean   18 String       30 List        40 byte[]      50 Instant
 *   11 byte      19 BigInteger   31 Set         41 short[]     51 Duration
 *   12 short     20 BigDecimal   32 Map         42 int[]       52 LocalDate
 *   13 char      21 UUID         33 SortedSet   43 long[]      53 LocalTime
 *   14 int       22 Bytes        34 SortedMap   44 float[]     54 LocalDateTime
 *   15 long                      35 Optional    45 double[]
 *   16 float                                    46 boolean[]
 *   17 double                                   47 char[]
 *                                               48 String[]
 * </pre>
 *
 * <p>Primitives and their boxes share a number. Only serializers are used that take their lengths
 * from {@link BoundedInput}'s checked methods, or check them.
 */
final class JdkTypes {
  /** Kryo's own numbers, which depend on its version: 0 to 8. */
  private static final int KRYO_IDS = 9;

  static final int LIST = 30;
  static final int SET = 31;
  static final int MAP = 32;
  static final int SORTED_SET = 33;
  static final int SORTED_MAP = 34;
  static final int OPTIONAL = 35;
  static final int STRING_ARRAY = 48;

  private JdkTypes() {}

  static void register(Kryo kryo) {
    for (int id = 0; id < KRYO_IDS; id++) {
      kryo.getClassResolver().unregister(id);
    }
    registerScalars(kryo);
    registerCollections(kryo);
    registerArrays(kryo);
    add(kryo, 50, Instant.class, new TimeSerializers.InstantSerializer());
    add(kryo, 51, Duration.class, new TimeSerializers.DurationSerializer());
    add(kryo, 52, LocalDate.class, new TimeSerializers.LocalDateSerializer());
    add(kryo, 53, LocalTime.class, new TimeSerializers.LocalTimeSerializer());
    add(kryo, 54, LocalDateTime.class, new TimeSerializers.LocalDateTimeSerializer());
  }

  private static void registerScalars(Kryo kryo) {
    add(kryo, 10, boolean.class, new DefaultSerializers.BooleanSerializer());
    add(kryo, 11, byte.class, new DefaultSerializers.ByteSerializer());
    add(kryo, 12, short.class, new DefaultSerializers.ShortSerializer());
    add(kryo, 13, char.class, new DefaultSerializers.CharSerializer());
    add(kryo, 14, int.class, new DefaultSerializers.IntSerializer());
    add(kryo, 15, long.class, new DefaultSerializers.LongSerializer());
    add(kryo, 16, float.class, new DefaultSerializers.FloatSerializer());
    add(kryo, 17, double.class, new DefaultSerializers.DoubleSerializer());
    add(kryo, 18, String.class, new DefaultSerializers.StringSerializer());
    add(kryo, 19, BigInteger.class, new DefaultSerializers.BigIntegerSerializer());
    add(kryo, 20, BigDecimal.class, new DefaultSerializers.BigDecimalSerializer());
    add(kryo, 21, UUID.class, new DefaultSerializers.UUIDSerializer());
    add(kryo, 22, Bytes.class, new ContainerSerializers.OfBytes());
  }

  private static void registerCollections(Kryo kryo) {
    add(kryo, LIST, List.class, new ContainerSerializers.OfList());
    add(kryo, SET, Set.class, new ContainerSerializers.OfSet());
    add(kryo, MAP, Map.class, new ContainerSerializers.OfMap());
    add(kryo, SORTED_SET, SortedSet.class, new ContainerSerializers.OfSortedSet());
    add(kryo, SORTED_MAP, SortedMap.class, new ContainerSerializers.OfSortedMap());
    add(kryo, OPTIONAL, Optional.class, new OptionalSerializers.OptionalSerializer());
  }

  private static void registerArrays(Kryo kryo) {
    add(kryo, 40, byte[].class, new DefaultArraySerializers.ByteArraySerializer());
    add(kryo, 41, short[].class, new DefaultArraySerializers.ShortArraySerializer());
    add(kryo, 42, int[].class, new DefaultArraySerializers.IntArraySerializer());
    add(kryo, 43, long[].class, new DefaultArraySerializers.LongArraySerializer());
    add(kryo, 44, float[].class, new DefaultArraySerializers.FloatArraySerializer());
    add(kryo, 45, double[].class, new DefaultArraySerializers.DoubleArraySerializer());
    add(kryo, 46, boolean[].class, new ContainerSerializers.OfBooleans());
    add(kryo, 47, char[].class, new DefaultArraySerializers.CharArraySerializer());
    add(kryo, STRING_ARRAY, String[].class, new ContainerSerializers.OfArray());
  }

  private static void add(Kryo kryo, int id, Class<?> type, Serializer<?> serializer) {
    kryo.register(type, serializer, id);
  }
}
