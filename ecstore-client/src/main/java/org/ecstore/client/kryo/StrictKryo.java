package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import org.ecstore.client.kryo.declared.SerialException;

/**
 * A Kryo that knows the classes it was told of and no others. Collections go by their interface:
 * any list is written as a list and read as an ArrayList, so that the many classes that hide behind
 * {@code List.of} and its like never show in stored bytes. Besides, it counts what one value may
 * take; {@link #begin} comes before each.
 */
@SuppressWarnings("rawtypes")
final class StrictKryo extends Kryo {
  private static final int DEFAULTS_MIN = 1_000;
  private static final int DEFAULTS_PER_BYTE = 32;

  private final StrictClasses classes;
  private final int depthMax;

  /** Types of this value that have no number any more, met where something is skipped. */
  private Map<Integer, StoredType> unregistered = new HashMap<>();

  private long value;
  private int skipDepth;
  private long defaultsLeft;
  private boolean evolved;
  private boolean whole;

  StrictKryo(StrictClasses classes, int depthMax) {
    super(classes, null);
    this.classes = classes;
    setRegistrationRequired(true);
    setOptimizedGenerics(false);
    setMaxDepth(depthMax);
    this.depthMax = depthMax;
    JdkTypes.register(this);
  }

  /** Begins a value, to be read from so many bytes or written. */
  void begin(int bytes) {
    value++;
    classes.begin();
    skipDepth = 0;
    defaultsLeft = DEFAULTS_MIN + (long) bytes * DEFAULTS_PER_BYTE;
    evolved = false;
    if (!unregistered.isEmpty()) {
      unregistered = new HashMap<>();
    }
  }

  /** Whether records are written with all components, those that are not yet among them. */
  boolean isWhole() {
    return whole;
  }

  /** Says so, for the next values. */
  void whole(boolean all) {
    whole = all;
  }

  /** The number of the value that is read or written. */
  long value() {
    return value;
  }

  /** Says that part of the value is of a type that has changed since. */
  void evolve() {
    evolved = true;
  }

  boolean hasEvolved() {
    return evolved;
  }

  /** Counts components that take room and no bytes: a few bytes could stand for very many. */
  void countDefaults(int components) {
    defaultsLeft -= components;
    if (defaultsLeft < 0) {
      throw new SerialException("a value of too many records without components");
    }
  }

  /** Goes into a part that is skipped, no deeper than into one that is read. */
  void descend() {
    skipDepth++;
    if (getDepth() + skipDepth > depthMax) {
      throw new SerialException("Max depth exceeded: " + depthMax);
    }
  }

  void ascend() {
    skipDepth--;
  }

  /** What this value says of a type of an application, registered or not. */
  StoredType storedType(int number, BoundedInput in) {
    Registration registration = classes.ofApplication(number, in);
    if (registration != null
        && registration.getSerializer() instanceof DefinedSerializer<?> serializer) {
      return serializer.stored(this, in);
    }
    StoredType known = unregistered.get(number);
    if (known == null) {
      known = new StoredType(Definition.read(in));
      unregistered.put(number, known);
    }
    return known;
  }

  @Override
  public Registration getRegistration(Class type) {
    Registration own = getClassResolver().getRegistration(type);
    if (own == null) {
      own = getClassResolver().getRegistration(faceOf(type));
    }
    if (own == null) {
      throw classes.notRegistered(type);
    }
    return own;
  }

  private static Class<?> faceOf(Class<?> type) {
    if (List.class.isAssignableFrom(type)) {
      return List.class;
    } else if (SortedSet.class.isAssignableFrom(type)) {
      return SortedSet.class;
    } else if (Set.class.isAssignableFrom(type)) {
      return Set.class;
    } else if (SortedMap.class.isAssignableFrom(type)) {
      return SortedMap.class;
    } else if (Map.class.isAssignableFrom(type)) {
      return Map.class;
    } else if (ZoneId.class.isAssignableFrom(type)) {
      return ZoneId.class;
    }
    Class<?> above = type.getSuperclass();
    // An enum constant with a body is of a class of its own.
    return above != null && above.isEnum() ? above : type;
  }
}
