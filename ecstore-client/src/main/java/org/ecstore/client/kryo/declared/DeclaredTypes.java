package org.ecstore.client.kryo.declared;

import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a component's declared type makes of a value that was stored under an older one. */
public final class DeclaredTypes {
  private static final List<Object> EMPTY =
      List.of(
          Collections.emptyList(),
          Collections.emptySet(),
          Collections.emptyMap(),
          Collections.emptyNavigableSet(),
          Collections.emptyNavigableMap());

  private DeclaredTypes() {}

  public static Class<?> boxed(Class<?> type) {
    return MethodType.methodType(type).wrap().returnType();
  }

  /** Whether a value is of a type, no primitive, elements and entries of containers included. */
  public static boolean fits(Type declared, @Nullable Object value) {
    if (value == null) {
      return true;
    } else if (declared instanceof Class<?> plain) {
      return plain.isInstance(value);
    } else if (declared instanceof ParameterizedType with) {
      return fits(with.getRawType(), value) && argumentsFit(with.getActualTypeArguments(), value);
    } else if (declared instanceof WildcardType wildcard) {
      return fits(wildcard.getUpperBounds()[0], value);
    }
    return true;
  }

  private static boolean argumentsFit(Type[] arguments, Object value) {
    if (value instanceof Collection<?> collection) {
      return allFit(arguments[0], collection);
    } else if (value instanceof Map<?, ?> map) {
      return allFit(arguments[0], map.keySet()) && allFit(arguments[1], map.values());
    } else if (value instanceof Optional<?> optional) {
      return fits(arguments[0], optional.orElse(null));
    }
    return true;
  }

  private static boolean allFit(Type declared, Collection<?> values) {
    for (Object value : values) {
      if (!fits(declared, value)) {
        return false;
      }
    }
    return true;
  }

  /** The same number in a wider type, which is no primitive, or the value itself. */
  public static @Nullable Object widened(Class<?> target, @Nullable Object value) {
    if (value instanceof Float number && target == Double.class) {
      return number.doubleValue();
    } else if (value instanceof Number number && isNarrower(value.getClass(), target)) {
      return integer(number, target);
    }
    return value;
  }

  private static boolean isNarrower(Class<?> stored, Class<?> target) {
    int bits = integerBits(stored);
    return bits > 0 && bits < integerBits(target);
  }

  private static int integerBits(Class<?> type) {
    if (type == Byte.class) {
      return Byte.SIZE;
    } else if (type == Short.class) {
      return Short.SIZE;
    } else if (type == Integer.class) {
      return Integer.SIZE;
    }
    return type == Long.class ? Long.SIZE : 0;
  }

  private static Object integer(Number number, Class<?> target) {
    if (target == Long.class) {
      return number.longValue();
    }
    return target == Integer.class ? (Object) number.intValue() : (Object) number.shortValue();
  }

  /**
   * What a component is in a value that was stored before it was added: 0 or false for a primitive,
   * empty for an Optional and for a collection or map declared by interface, else null. Nothing is
   * allocated.
   */
  public static @Nullable Object defaultOf(Class<?> declared) {
    if (declared.isPrimitive()) {
      return java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(declared, 1), 0);
    } else if (declared == Optional.class) {
      return Optional.empty();
    }
    boolean container =
        Collection.class.isAssignableFrom(declared) || Map.class.isAssignableFrom(declared);
    return container ? EMPTY.stream().filter(declared::isInstance).findFirst().orElse(null) : null;
  }
}
