package org.ecstore.client.kryo.declared;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.schema.Default;
import org.jspecify.annotations.Nullable;

/** What components are in values that were stored before they were added. */
public final class Defaults {
  /** Classes whose values are made of text by a constructor; those of java.time have a method. */
  private static final List<Class<?>> BY_CONSTRUCTOR = List.of(BigInteger.class, BigDecimal.class);

  private Defaults() {}

  /**
   * What {@link Default} says; without it 0, null or empty.
   *
   * @throws WrongArgumentException if that is no value of the component's type
   */
  public static @Nullable Object of(RecordComponent component) {
    Default declared = component.getAnnotation(Default.class);
    Class<?> type = component.getType();
    if (declared == null) {
      return DeclaredTypes.defaultOf(type);
    }
    try {
      return parsed(DeclaredTypes.boxed(type), declared.value());
    } catch (ReflectiveOperationException | RuntimeException e) {
      Throwable thrown =
          e instanceof InvocationTargetException ? Objects.requireNonNullElse(e.getCause(), e) : e;
      throw new WrongArgumentException(
          component.getDeclaringRecord().getName()
              + "."
              + component.getName()
              + ": @Default(\""
              + declared.value()
              + "\") is no "
              + type.getTypeName()
              + ": "
              + thrown.getMessage(),
          thrown);
    }
  }

  private static Object parsed(Class<?> type, String text) throws ReflectiveOperationException {
    if (type == String.class) {
      return text;
    } else if (type == Character.class) {
      return character(text);
    } else if (type == Boolean.class) {
      return bool(text);
    } else if (type.isEnum()) {
      return constant(type, text);
    } else if (BY_CONSTRUCTOR.contains(type)) {
      return type.getConstructor(String.class).newInstance(text);
    }
    Optional<Method> parser = parser(type);
    if (parser.isEmpty()) {
      throw new IllegalArgumentException(
          "there are none of this type; the constructor may put one in the place of null");
    }
    return parser.get().invoke(null, text);
  }

  private static char character(String text) {
    if (text.length() != 1) {
      throw new IllegalArgumentException("it has " + text.length() + " characters");
    }
    return text.charAt(0);
  }

  private static boolean bool(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("it is neither true nor false");
    }
    return text.equals("true");
  }

  private static Enum<?> constant(Class<?> type, String text) {
    return Arrays.stream(EnumShape.constantsOf(type))
        .filter(constant -> constant.name().equals(text))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("it has no such constant"));
  }

  /** The one static method of the JDK that makes such a value of text. */
  private static Optional<Method> parser(Class<?> type) throws NoSuchMethodException {
    if (Number.class.isAssignableFrom(type)) {
      return Optional.of(type.getMethod("valueOf", String.class));
    } else if (type == UUID.class) {
      return Optional.of(type.getMethod("fromString", String.class));
    } else if (type == URI.class) {
      return Optional.of(type.getMethod("create", String.class));
    } else if (type == ZoneId.class || type == ZoneOffset.class) {
      return Optional.of(type.getMethod("of", String.class));
    } else if (type.getPackageName().equals("java.time")) {
      return Optional.of(type.getMethod("parse", CharSequence.class))
          .filter(method -> Modifier.isStatic(method.getModifiers()));
    }
    return Optional.empty();
  }
}
