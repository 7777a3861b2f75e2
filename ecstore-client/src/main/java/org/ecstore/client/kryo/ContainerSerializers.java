package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.key.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Containers as a count and their elements, each with its class number. Kryo's own write a class
 * once for equal classes, and reserve room for as many elements as the bytes claim; these grow with
 * what is read.
 */
final class ContainerSerializers {
  private ContainerSerializers() {}

  private static int readCount(Input in) {
    return ((BoundedInput) in).readCount();
  }

  private static void writeElements(Kryo kryo, Output out, Collection<?> elements) {
    out.writeVarInt(elements.size(), true);
    for (Object element : elements) {
      kryo.writeClassAndObject(out, element);
    }
  }

  private static <C extends Collection<@Nullable Object>> C readElements(
      Kryo kryo, Input in, C elements) {
    int count = readCount(in);
    for (int left = count; left > 0; left--) {
      elements.add(kryo.readClassAndObject(in));
    }
    requireAll(kryo, count, elements.size());
    return elements;
  }

  private static void writeEntries(Kryo kryo, Output out, Map<?, ?> entries) {
    out.writeVarInt(entries.size(), true);
    for (Map.Entry<?, ?> entry : entries.entrySet()) {
      kryo.writeClassAndObject(out, entry.getKey());
      kryo.writeClassAndObject(out, entry.getValue());
    }
  }

  private static <M extends Map<@Nullable Object, @Nullable Object>> M readEntries(
      Kryo kryo, Input in, M entries) {
    int count = readCount(in);
    for (int left = count; left > 0; left--) {
      Object key = kryo.readClassAndObject(in);
      entries.put(key, kryo.readClassAndObject(in));
    }
    requireAll(kryo, count, entries.size());
    return entries;
  }

  /** Records that differ by a removed component only are equal without it. */
  private static void requireAll(Kryo kryo, int stored, int kept) {
    if (kept < stored && ((StrictKryo) kryo).hasEvolved()) {
      throw new SerialException(
          "of "
              + stored
              + " elements of a stored set, or keys of a map, only "
              + kept
              + " still differ: keep the components by which they do");
    }
  }

  private static void requireNaturalOrder(@Nullable Object comparator) {
    if (comparator != null) {
      throw new SerialException("a sorted collection with a comparator of its own");
    }
  }

  static final class OfList extends Serializer<List<?>> {
    @Override
    public void write(Kryo kryo, Output out, List<?> list) {
      writeElements(kryo, out, list);
    }

    @Override
    public List<?> read(Kryo kryo, Input in, Class<? extends List<?>> type) {
      return readElements(kryo, in, new ArrayList<>());
    }
  }

  static final class OfSet extends Serializer<Set<?>> {
    @Override
    public void write(Kryo kryo, Output out, Set<?> set) {
      writeElements(kryo, out, set);
    }

    @Override
    public Set<?> read(Kryo kryo, Input in, Class<? extends Set<?>> type) {
      return readElements(kryo, in, new LinkedHashSet<>());
    }
  }

  static final class OfSortedSet extends Serializer<SortedSet<?>> {
    @Override
    public void write(Kryo kryo, Output out, SortedSet<?> set) {
      requireNaturalOrder(set.comparator());
      writeElements(kryo, out, set);
    }

    @Override
    public SortedSet<?> read(Kryo kryo, Input in, Class<? extends SortedSet<?>> type) {
      return readElements(kryo, in, new TreeSet<>());
    }
  }

  static final class OfMap extends Serializer<Map<?, ?>> {
    @Override
    public void write(Kryo kryo, Output out, Map<?, ?> map) {
      writeEntries(kryo, out, map);
    }

    @Override
    public Map<?, ?> read(Kryo kryo, Input in, Class<? extends Map<?, ?>> type) {
      return readEntries(kryo, in, new LinkedHashMap<>());
    }
  }

  static final class OfSortedMap extends Serializer<SortedMap<?, ?>> {
    @Override
    public void write(Kryo kryo, Output out, SortedMap<?, ?> map) {
      requireNaturalOrder(map.comparator());
      writeEntries(kryo, out, map);
    }

    @Override
    public SortedMap<?, ?> read(Kryo kryo, Input in, Class<? extends SortedMap<?, ?>> type) {
      return readEntries(kryo, in, new TreeMap<>());
    }
  }

  static void writeArray(Kryo kryo, Output out, Object[] array) {
    out.writeVarInt(array.length, true);
    for (Object element : array) {
      kryo.writeClassAndObject(out, element);
    }
  }

  static Object[] readArray(Kryo kryo, Input in, Class<?> type) {
    List<@Nullable Object> elements = readElements(kryo, in, new ArrayList<@Nullable Object>());
    Object[] array = (Object[]) Array.newInstance(type.getComponentType(), elements.size());
    return elements.toArray(array);
  }

  /** Arrays of anything but primitives. */
  static final class OfArray extends Serializer<Object[]> {
    @Override
    public void write(Kryo kryo, Output out, Object[] array) {
      writeArray(kryo, out, array);
    }

    @Override
    public Object[] read(Kryo kryo, Input in, Class<? extends Object[]> type) {
      return readArray(kryo, in, type);
    }
  }

  /** Kryo's own makes the array before it looks at the bytes. */
  static final class OfBooleans extends Serializer<boolean[]> {
    @Override
    public void write(Kryo kryo, Output out, boolean[] array) {
      out.writeVarInt(array.length, true);
      out.writeBooleans(array, 0, array.length);
    }

    @Override
    public boolean[] read(Kryo kryo, Input in, Class<? extends boolean[]> type) {
      return in.readBooleans(readCount(in));
    }
  }

  static final class OfBytes extends Serializer<Bytes> {
    @Override
    public void write(Kryo kryo, Output out, Bytes bytes) {
      out.writeVarInt(bytes.length(), true);
      out.writeBytes(bytes.array());
    }

    @Override
    public Bytes read(Kryo kryo, Input in, Class<? extends Bytes> type) {
      return Bytes.wrap(in.readBytes(readCount(in)));
    }
  }
}
