package org.ecstore.client.kryo.declared;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.ecstore.client.schema.ComponentSchema;
import org.ecstore.client.schema.NotYetWritten;
import org.ecstore.client.schema.Removed;
import org.ecstore.client.schema.TypeSchema;
import org.ecstore.client.schema.ValueSchema;

/**
 * What an application's types say of how they are stored, held against what is stored of them
 * (decision 0068): what no value could be read with is found before a value is. Whether a constant
 * or the element of a list fits is known of each value only.
 */
public final class DeclaredSchema {
  /** Each may become a later one. */
  private static final List<List<Class<?>>> NUMBERS =
      List.of(
          List.of(Byte.class, Short.class, Integer.class, Long.class),
          List.of(Float.class, Double.class));

  private final Class<?> root;
  private final Map<String, Class<?>> byName = new LinkedHashMap<>();
  private final Map<String, Class<?>> ofJdk = new LinkedHashMap<>();

  /**
   * Of values of a type.
   *
   * @param types all that are registered
   * @param jdk types whose values can be stored without
   */
  public DeclaredSchema(Class<?> root, Collection<Class<?>> types, Collection<Class<?>> jdk) {
    this.root = root;
    jdk.forEach(type -> ofJdk.put(type.getSimpleName(), DeclaredTypes.boxed(type)));
    for (Class<?> type : types) {
      if (type.isRecord() || type.isEnum()) {
        byName.put(StoredNames.of(type), type);
      }
    }
  }

  /** What is written. */
  public ValueSchema written(String format) {
    List<TypeSchema> types = new ArrayList<>();
    byName.forEach((name, type) -> types.add(new TypeSchema(name, components(type))));
    return new ValueSchema(List.of(format), values(), types);
  }

  private List<String> values() {
    return byName.entrySet().stream()
        .filter(each -> root.isAssignableFrom(each.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<ComponentSchema> components(Class<?> type) {
    List<ComponentSchema> components = new ArrayList<>();
    if (type.isEnum()) {
      for (Enum<?> constant : EnumShape.constantsOf(type)) {
        components.add(new ComponentSchema(EnumShape.storedName(constant), List.of()));
      }
      return components;
    }
    for (RecordComponent component : type.getRecordComponents()) {
      if (!component.isAnnotationPresent(NotYetWritten.class)) {
        components.add(
            new ComponentSchema(
                storedName(component), List.of(StoredNames.signature(component.getGenericType()))));
      }
    }
    return components;
  }

  private static String storedName(RecordComponent component) {
    return StoredNames.of(component, component.getName());
  }

  /** Why what is stored cannot be read, or would lose something if it was written again. */
  public Optional<String> unreadable(ValueSchema stored) {
    // A value of a type that is not known is refused when it is met: all of them need not be.
    List<String> values = stored.values();
    if (!values.isEmpty() && values.stream().noneMatch(values()::contains)) {
      String value = values.get(0);
      return Optional.of(
          "values of type "
              + value
              + " are stored, and "
              + root.getName()
              + " is none: if the type was renamed, declare @StoredAs(\""
              + value
              + "\") on it");
    }
    for (TypeSchema type : stored.types()) {
      Class<?> own = byName.get(type.name());
      if (own != null && own.isRecord()) {
        Optional<String> why = unreadable(own, type, stored);
        if (why.isPresent()) {
          return why;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> unreadable(Class<?> own, TypeSchema stored, ValueSchema all) {
    Removed removed = own.getAnnotation(Removed.class);
    List<String> gone = removed == null ? List.of() : List.of(removed.value());
    for (ComponentSchema component : stored.components()) {
      Optional<RecordComponent> found =
          Arrays.stream(own.getRecordComponents())
              .filter(each -> storedName(each).equals(component.name()))
              .findFirst();
      if (found.isEmpty() && !gone.contains(component.name())) {
        return Optional.of(
            own.getName()
                + " does not have the component "
                + component.name()
                + ", which is stored: declare a rename by @StoredAs(\""
                + component.name()
                + "\"), a removal by @Removed(\""
                + component.name()
                + "\"); or a later release of the program has it");
      }
      for (String type : found.isPresent() ? component.types() : List.<String>of()) {
        if (!fits(found.get(), type, all)) {
          return Optional.of(mistyped(own, found.get(), component.name(), type));
        }
      }
    }
    return Optional.empty();
  }

  private static String mistyped(
      Class<?> own, RecordComponent component, String name, String stored) {
    return own.getName()
        + "."
        + component.getName()
        + " is stored as "
        + stored
        + ", and is "
        + StoredNames.signature(component.getGenericType())
        + " here: give it its former type, or store it under a new name by @StoredAs and declare"
        + " @Removed(\""
        + name
        + "\")";
  }

  /**
   * Whether some value of a stored type can be one of a component's type: as far as the name tells.
   * That of an interface, or of a type within a List, tells nothing.
   */
  private boolean fits(RecordComponent component, String stored, ValueSchema all) {
    Class<?> own = DeclaredTypes.boxed(component.getType());
    String raw = raw(stored);
    if (raw.equals(raw(StoredNames.signature(component.getGenericType())))) {
      return true;
    }
    Class<?> type = byName.get(raw);
    if (type == null && all.type(raw).isPresent()) {
      return false;
    }
    type = type == null ? ofJdk.get(raw) : type;
    return type == null
        || own.isAssignableFrom(type)
        || isAlike(type, own)
        || isNarrower(type, own);
  }

  private static String raw(String signature) {
    int arguments = signature.indexOf('<');
    return arguments < 0 ? signature : signature.substring(0, arguments);
  }

  /** Containers come back as another class than they were declared. */
  private static boolean isAlike(Class<?> stored, Class<?> own) {
    return (Collection.class.isAssignableFrom(stored) && Collection.class.isAssignableFrom(own))
        || (Map.class.isAssignableFrom(stored) && Map.class.isAssignableFrom(own));
  }

  private static boolean isNarrower(Class<?> stored, Class<?> own) {
    return NUMBERS.stream()
        .anyMatch(
            numbers -> numbers.contains(stored) && numbers.indexOf(stored) < numbers.indexOf(own));
  }
}
