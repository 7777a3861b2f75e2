package org.ecstore.client.kryo.declared;

import java.util.HashMap;
import java.util.Map;
import org.ecstore.client.error.WrongArgumentException;
import org.jspecify.annotations.Nullable;

/** An enum as it is stored: its constants by id, whatever their order. Kept by all threads. */
public final class EnumShape {
  private final Class<?> type;
  private final int[] idWords;
  private final Map<Integer, Enum<?>> byId = new HashMap<>();

  /**
   * The shape of an enum class.
   *
   * @throws WrongArgumentException if two constants would be stored under one id
   */
  public EnumShape(Class<?> type) {
    this.type = type;
    Enum<?>[] constants = constantsOf(type);
    this.idWords = new int[constants.length];
    for (int i = 0; i < constants.length; i++) {
      Enum<?> constant = constants[i];
      int id = StoredNames.idWord(StoredNames.of(type), storedName(constant));
      idWords[i] = id;
      Enum<?> other = byId.putIfAbsent(id, constant);
      if (other != null) {
        throw new WrongArgumentException(
            type.getName()
                + ": "
                + constant.name()
                + " and "
                + other.name()
                + " are stored under one id: give one another @StoredAs",
            null);
      }
    }
  }

  public static Enum<?>[] constantsOf(Class<?> type) {
    return (Enum<?>[]) type.getEnumConstants();
  }

  public static String storedName(Enum<?> constant) {
    try {
      return StoredNames.of(
          constant.getDeclaringClass().getField(constant.name()), constant.name());
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("every constant has a field", e);
    }
  }

  public Class<?> type() {
    return type;
  }

  public int size() {
    return idWords.length;
  }

  public int idWord(int ordinal) {
    return idWords[ordinal];
  }

  public Enum<?> constant(int idWord) {
    @Nullable Enum<?> constant = byId.get(idWord);
    if (constant == null) {
      throw new SerialException(
          "a constant is stored that "
              + type.getName()
              + " does not have: declare @StoredAs(\"former name\") on one that was renamed, or on"
              + " the type if that was, and keep those that are stored");
    }
    return constant;
  }
}
