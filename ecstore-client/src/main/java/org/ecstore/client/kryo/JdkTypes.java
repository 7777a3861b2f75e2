package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultArraySerializers;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import com.esotericsoftware.kryo.serializers.OptionalSerializers;
import com.esotericsoftware.kryo.serializers.TimeSerializers;
import java.lang.invoke.MethodType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import org.ecstore.client.kryo.declared.DeclaredTypes;
import org.ecstore.key.Bytes;

/**
 * The numbers of the types that every {@link BoundedKryo} knows, 10 to 99, fixed for ever:
 *
 * <pre>
 *   10 boolean   19 BigInteger   34 SortedMap   50 Instant          59 ZonedDateTime
 *   11 byte      20 BigDecimal   35 Optional    51 Duration         60 Year
 *   12 short     21 UUID         40 byte[]      52 LocalDate        61 YearMonth
 *   13 char      22 Bytes        41 short[]     53 LocalTime        62 MonthDay
 *   14 int       23 URI          42 int[]       54 LocalDateTime    63 Period
 *   15 long                      43 long[]      55 ZoneOffset
 *   16 float     30 List         44 float[]     56 ZoneId
 *   17 double    31 Set          45 double[]    57 OffsetTime
 *   18 String    32 Map          46 boolean[]   58 OffsetDateTime
 *                33 SortedSet    47 char[]
 *                                48 String[]
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

  private static final Set<Class<?>> TYPES = types();

  private JdkTypes() {}

  private static Set<Class<?>> types() {
    Kryo kryo = new StrictKryo(new StrictClasses(), 1);
    Set<Class<?>> types = new HashSet<>();
    for (int id = KRYO_IDS; id < BoundedKryo.APPLICATION_ID_MIN; id++) {
      Registration registration = kryo.getRegistration(id);
      if (registration != null) {
        types.add(registration.getType());
        types.add(DeclaredTypes.boxed(registration.getType()));
        types.add(MethodType.methodType(registration.getType()).unwrap().returnType());
      }
    }
    return Set.copyOf(types);
  }

  /** What can be stored by what is registered here, primitives and their boxes among it. */
  static Set<Class<?>> all() {
    return TYPES;
  }

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
    registerLaterTimes(kryo);
  }

  /** Since format 3; an earlier release refuses a value that has one. */
  private static void registerLaterTimes(Kryo kryo) {
    add(kryo, 55, ZoneOffset.class, new TimeSerializers.ZoneOffsetSerializer());
    add(kryo, 56, ZoneId.class, new TimeSerializers.ZoneIdSerializer());
    add(kryo, 57, OffsetTime.class, new TimeSerializers.OffsetTimeSerializer());
    add(kryo, 58, OffsetDateTime.class, new TimeSerializers.OffsetDateTimeSerializer());
    add(kryo, 59, ZonedDateTime.class, new Zoned());
    add(kryo, 60, Year.class, new TimeSerializers.YearSerializer());
    add(kryo, 61, YearMonth.class, new TimeSerializers.YearMonthSerializer());
    add(kryo, 62, MonthDay.class, new TimeSerializers.MonthDaySerializer());
    add(kryo, 63, Period.class, new TimeSerializers.PeriodSerializer());
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
    add(kryo, 23, URI.class, new DefaultSerializers.URISerializer());
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

  /**
   * The moment, by local time and offset, and the zone. Kryo's own leaves the offset out: in the
   * hour that comes twice in autumn it reads another moment than it wrote.
   */
  private static final class Zoned extends Serializer<ZonedDateTime> {
    private final Serializer<OffsetDateTime> moment =
        new TimeSerializers.OffsetDateTimeSerializer();
    private final Serializer<ZoneId> zone = new TimeSerializers.ZoneIdSerializer();

    @Override
    public void write(Kryo kryo, Output out, ZonedDateTime time) {
      moment.write(kryo, out, time.toOffsetDateTime());
      zone.write(kryo, out, time.getZone());
    }

    @Override
    public ZonedDateTime read(Kryo kryo, Input in, Class<? extends ZonedDateTime> type) {
      OffsetDateTime at = moment.read(kryo, in, OffsetDateTime.class);
      return ZonedDateTime.ofInstant(
          at.toLocalDateTime(), at.getOffset(), zone.read(kryo, in, ZoneId.class));
    }
  }
}
