package org.ecstore.client.kryo.declared;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.ecstore.client.schema.StoredAs;

/** Names under which types and their parts are stored, and what of them is in the bytes. */
public final class StoredNames {
  /** Bits of a word beside the id: the kind of a component. */
  public static final int KIND_BITS = 4;

  private StoredNames() {}

  public static String of(Class<?> type) {
    return type.isArray() ? of(type.getComponentType()) + "[]" : of(type, type.getSimpleName());
  }

  public static String of(AnnotatedElement part, String name) {
    StoredAs declared = part.getAnnotation(StoredAs.class);
    return declared == null ? name : declared.value();
  }

  /**
   * The id of a component or constant, in the upper 28 bits of a word. The type's name is in it, so
   * that types whose numbers were swapped are not taken for each other.
   */
  public static int idWord(String type, String part) {
    return hash(type + "." + part) & (-1 << KIND_BITS);
  }

  /** 32 bits of SHA-256. */
  public static int hash(String text) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return ByteBuffer.wrap(sha.digest(text.getBytes(StandardCharsets.UTF_8))).getInt();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  /** A declared type with its arguments, such as {@code Map<String, List<Address>>}. */
  public static String signature(Type type) {
    if (type instanceof Class<?> plain) {
      return of(plain);
    } else if (type instanceof ParameterizedType with) {
      return signature(with.getRawType()) + "<" + signatures(with.getActualTypeArguments()) + ">";
    } else if (type instanceof WildcardType wildcard) {
      return signatures(wildcard.getUpperBounds());
    }
    return "?";
  }

  private static String signatures(Type... types) {
    return Arrays.stream(types).map(StoredNames::signature).collect(Collectors.joining(", "));
  }
}
