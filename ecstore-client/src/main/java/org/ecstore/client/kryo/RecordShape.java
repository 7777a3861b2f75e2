package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;
import org.ecstore.client.schema.Removed;
import org.jspecify.annotations.Nullable;

/**
 * A record as it is stored: its components in the order of their ids, whatever the order of
 * declaration, and the definition that comes before the first record of the type in a value. Kept
 * by all threads together.
 */
final class RecordShape {
  private final Class<?> type;
  private final List<Component> components;
  private final Map<Integer, Component> byId = new LinkedHashMap<>();
  private final Map<Integer, String> removed = new LinkedHashMap<>();
  private final int emptyFingerprint;
  private final List<Component> written;
  private final byte[] definition;
  private final byte[] wholeDefinition;
  private final RecordPlan ownPlan;
  private final Constructor<?> canonical;

  /**
   * The shape of a record class.
   *
   * @throws WrongArgumentException if two components, or one and a removed one, would be stored
   *     under one id, or its package is not open
   */
  RecordShape(Class<?> type) {
    this.type = type;
    this.components = componentsOf(type);
    components.forEach(this::claim);
    for (String name : removedFrom(type)) {
      claimRemoved(name);
    }
    this.canonical = canonical(type);
    this.emptyFingerprint = fingerprint(type, List.of());
    this.written = components.stream().filter(Component::isWritten).toList();
    this.definition = definition(written);
    this.wholeDefinition = definition(components);
    this.ownPlan =
        isWhole()
            ? RecordPlan.unchanged(this)
            : RecordPlan.of(this, Definition.read(BoundedInput.of(definition)));
  }

  private byte[] definition(List<Component> some) {
    return Definition.bytesOfRecord(
        fingerprint(type, some),
        some.stream().mapToInt(each -> each.idWord() | each.kind().code()).toArray());
  }

  private boolean isWhole() {
    return written.size() == components.size();
  }

  private static List<Component> componentsOf(Class<?> type) {
    RecordComponent[] declared = type.getRecordComponents();
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < declared.length; i++) {
      components.add(new Component(declared[i], i));
    }
    components.sort(Comparator.comparingLong(each -> Integer.toUnsignedLong(each.idWord())));
    return List.copyOf(components);
  }

  private void claim(Component component) {
    Component other = byId.putIfAbsent(component.idWord(), component);
    if (other != null) {
      throw new WrongArgumentException(
          component + " and " + other + " are stored under one id: give one another @StoredAs",
          null);
    }
  }

  private static String[] removedFrom(Class<?> type) {
    Removed declared = type.getAnnotation(Removed.class);
    return declared == null ? new String[0] : declared.value();
  }

  private void claimRemoved(String name) {
    int id = StoredNames.idWord(StoredNames.of(type), name);
    Component other = byId.get(id);
    if (other != null) {
      throw new WrongArgumentException(
          other + " is stored as " + name + ", which is @Removed: give it another @StoredAs", null);
    }
    removed.put(id, name);
  }

  /** Of names and declared types, arguments included: what is equal in it needs no checks. */
  private static int fingerprint(Class<?> type, List<Component> components) {
    return StoredNames.hash(
        components.stream()
            .map(each -> each.storedName() + ":" + each.signature())
            .collect(Collectors.joining(";", "record " + StoredNames.of(type) + "{", "}")));
  }

  private static Constructor<?> canonical(Class<?> type) {
    Class<?>[] parameters =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    try {
      Constructor<?> canonical = type.getDeclaredConstructor(parameters);
      canonical.trySetAccessible();
      return canonical;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  Class<?> type() {
    return type;
  }

  /** In the order of their ids. */
  List<Component> components() {
    return components;
  }

  @Nullable Component component(int idWord) {
    return byId.get(idWord);
  }

  boolean isRemoved(int idWord) {
    return removed.containsKey(idWord);
  }

  boolean hasRemoved() {
    return !removed.isEmpty();
  }

  /** Of records whose components that are not yet written are what they are where not stored. */
  byte[] definition() {
    return definition;
  }

  /** Of the others. */
  byte[] wholeDefinition() {
    return wholeDefinition;
  }

  RecordPlan ownPlan() {
    return ownPlan;
  }

  /** That of this type while it had no components. */
  int emptyFingerprint() {
    return emptyFingerprint;
  }

  /**
   * Writes a record's components.
   *
   * @throws NotWholeException if one has a value that would not be stored
   */
  void write(StrictKryo kryo, Output out, Object record) {
    if (!kryo.isWhole() && !isWhole() && !isAsIfNotStored(record)) {
      throw new NotWholeException();
    }
    for (Component component : kryo.isWhole() ? components : written) {
      component.write(kryo, out, record);
    }
  }

  /** Whether a reader makes the same record of what is written. */
  private boolean isAsIfNotStored(Object record) {
    return components.stream().allMatch(each -> each.isWritten() || each.isDefault(record))
        || isSameOfDefaults(record);
  }

  /** A constructor may put another value in the place of a default. */
  private boolean isSameOfDefaults(Object record) {
    @Nullable Object[] arguments = new Object[components.size()];
    for (Component component : components) {
      arguments[component.index()] =
          component.isWritten() ? component.value(record) : component.defaultValue();
    }
    try {
      Object made = canonical.newInstance(arguments);
      return components.stream().allMatch(each -> each.isWritten() || each.isSameIn(made, record));
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** The value has to be written again, with all components. */
  static final class NotWholeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotWholeException() {
      super("a component that is not yet written has a value", null, false, false);
    }
  }

  /** A record of its components, in the order of declaration. */
  Object make(@Nullable Object[] arguments, List<Component> defaulted) {
    try {
      return canonical.newInstance(arguments);
    } catch (InvocationTargetException e) {
      Throwable thrown = Objects.requireNonNullElse(e.getCause(), e);
      if (thrown instanceof Error error) {
        throw error;
      }
      throw new SerialException(refusal(defaulted, thrown), thrown);
    } catch (ReflectiveOperationException e) {
      throw new SerialException(type.getName() + " cannot be made: open its package", e);
    }
  }

  private String refusal(List<Component> defaulted, Throwable thrown) {
    String refused = type.getName() + " refuses the stored components: " + thrown;
    if (defaulted.isEmpty()) {
      return refused;
    }
    return refused
        + "; not stored, and so null, 0 or empty: "
        + names(defaulted)
        + ": let the constructor put the value that is meant in their place";
  }

  static String names(List<Component> components) {
    return components.stream().map(Component::name).collect(Collectors.joining(", "));
  }
}
