package org.ecstore.client.kryo.declared;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.ecstore.client.error.WrongArgumentException;

/**
 * The types of an application that values of one type consist of, found by what is declared:
 * components of records, elements of containers and arrays, what a sealed type permits.
 */
public final class StoredTypes {
  /** A component, or what was given, that is of a type. */
  private record Use(Class<?> type, String by) {}

  /** A collection that is read is of one of these. */
  private static final List<Class<?>> READ_AS =
      List.of(
          ArrayList.class, LinkedHashSet.class, LinkedHashMap.class, TreeSet.class, TreeMap.class);

  private final Set<Class<?>> ofJdk;
  private final Set<Class<?>> found = new LinkedHashSet<>();
  private final Set<TypeVariable<?>> variables = new HashSet<>();
  private final List<Use> open = new ArrayList<>();

  private StoredTypes(Set<Class<?>> ofJdk) {
    this.ofJdk = ofJdk;
  }

  /**
   * Records, enums and arrays of objects, in the order in which they are met.
   *
   * @param more types that no declaration leads to: what stands where an interface is declared that
   *     is not sealed, or Object
   * @param ofJdk the types whose values can be stored without being registered
   * @throws WrongArgumentException if values of one can not be stored; it names the component
   */
  public static List<Class<?>> of(Class<?> type, Collection<Class<?>> more, Set<Class<?>> ofJdk) {
    StoredTypes types = new StoredTypes(ofJdk);
    types.add(type, type.getTypeName());
    more.forEach(each -> types.add(each, each.getTypeName()));
    types.requireKnown();
    return List.copyOf(types.found);
  }

  private void add(Type type, String by) {
    if (type instanceof Class<?> plain) {
      addClass(plain, by);
    } else if (type instanceof ParameterizedType with) {
      add(with.getRawType(), by);
      for (Type argument : with.getActualTypeArguments()) {
        add(argument, by);
      }
    } else if (type instanceof WildcardType wildcard) {
      add(wildcard.getUpperBounds()[0], by);
    } else if (type instanceof TypeVariable<?> variable) {
      // A bound may be about the variable itself: T extends Comparable<T>.
      if (variables.add(variable)) {
        add(variable.getBounds()[0], by);
      }
    } else {
      throw new WrongArgumentException(
          by + " is of " + type.getTypeName() + ": declare a List instead of an array", null);
    }
  }

  private void addClass(Class<?> type, String by) {
    if (found.contains(type) || ofJdk.contains(type)) {
      return;
    }
    if (type.isRecord()) {
      found.add(type);
      for (RecordComponent component : type.getRecordComponents()) {
        add(component.getGenericType(), type.getName() + "." + component.getName());
      }
    } else if (type.isEnum()) {
      found.add(type);
    } else if (type.isArray()) {
      found.add(type);
      add(type.getComponentType(), by);
    } else if (type.isSealed()) {
      for (Class<?> permitted : type.getPermittedSubclasses()) {
        add(permitted, permitted.getTypeName() + ", which " + type.getTypeName() + " permits,");
      }
    } else {
      open.add(new Use(type, by));
    }
  }

  /** What is left are types above others: one of those must be there. */
  private void requireKnown() {
    for (Use use : open) {
      requireReadable(use.type(), use.by());
      if (!isCollection(use.type()) && nothingIs(use.type())) {
        throw new WrongArgumentException(
            use.by()
                + " is of "
                + use.type().getTypeName()
                + ", which cannot be stored: make it a record, an enum or a sealed interface of"
                + " records, or name to Codec.record the records that stand there",
            null);
      }
    }
  }

  private boolean nothingIs(Class<?> type) {
    return Stream.concat(found.stream(), ofJdk.stream()).noneMatch(type::isAssignableFrom);
  }

  private static boolean isCollection(Class<?> type) {
    return Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type);
  }

  /**
   * Throws if a type is one of collections that are read as another: any list is read as an
   * ArrayList.
   *
   * @param by what is of the type, for people
   */
  public static void requireReadable(Class<?> type, String by) {
    if (isCollection(type) && READ_AS.stream().noneMatch(type::isAssignableFrom)) {
      throw new WrongArgumentException(
          by + " is a " + type.getName() + ": declare it as List, Set, Map, SortedSet or SortedMap",
          null);
    }
  }
}
