package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Registration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A Kryo that knows the classes it was told of and no others. Collections go by their interface:
 * any list is written as a list and read as an ArrayList, so that the many classes that hide behind
 * {@code List.of} and its like never show in stored bytes.
 */
@SuppressWarnings("rawtypes")
final class StrictKryo extends Kryo {
  StrictKryo(int depthMax) {
    super(new StrictClasses(), null);
    setRegistrationRequired(true);
    setOptimizedGenerics(false);
    setMaxDepth(depthMax);
    JdkTypes.register(this);
  }

  @Override
  public Registration getRegistration(Class type) {
    Registration own = getClassResolver().getRegistration(type);
    if (own == null) {
      own = getClassResolver().getRegistration(faceOf(type));
    }
    if (own == null) {
      throw StrictClasses.notRegistered(type);
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
    }
    Class<?> above = type.getSuperclass();
    // An enum constant with a body is of a class of its own.
    return above != null && above.isEnum() ? above : type;
  }
}
