package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Objects;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.kryo.declared.DeclaredTypes;
import org.ecstore.client.kryo.declared.Defaults;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.client.kryo.declared.StoredNames;
import org.ecstore.client.schema.NotYetWritten;
import org.jspecify.annotations.Nullable;

/** A component of a record, as the class has it now. */
final class Component {
  private static final MethodType GETTER = MethodType.methodType(Object.class, Object.class);

  private final String owner;
  private final String name;
  private final String storedName;
  private final int index;
  private final Class<?> type;
  private final Class<?> boxed;
  private final Type genericType;

  /** The type with what is within it; boxed, as values are here. */
  private final Type elementsOf;

  private final FieldKind kind;
  private final int idWord;
  private final @Nullable Object defaultValue;
  private final boolean written;
  private final MethodHandle getter;

  /** The one at an index of the canonical constructor's parameters. */
  Component(RecordComponent component, int index) {
    Class<?> record = component.getDeclaringRecord();
    this.owner = record.getName();
    this.name = component.getName();
    this.storedName = StoredNames.of(component, name);
    this.index = index;
    this.type = component.getType();
    this.boxed = DeclaredTypes.boxed(type);
    this.genericType = component.getGenericType();
    this.elementsOf = type.isPrimitive() ? boxed : genericType;
    this.kind = FieldKind.of(type);
    this.idWord = StoredNames.idWord(StoredNames.of(record), storedName);
    this.defaultValue = Defaults.of(component);
    this.written = !component.isAnnotationPresent(NotYetWritten.class);
    this.getter = getter(component.getAccessor());
  }

  private static MethodHandle getter(Method accessor) {
    accessor.trySetAccessible();
    try {
      return MethodHandles.lookup().unreflect(accessor).asType(GETTER);
    } catch (IllegalAccessException e) {
      throw new WrongArgumentException(accessor + " cannot be called: open its package", e);
    }
  }

  String name() {
    return name;
  }

  String storedName() {
    return storedName;
  }

  int index() {
    return index;
  }

  int idWord() {
    return idWord;
  }

  Class<?> type() {
    return type;
  }

  FieldKind kind() {
    return kind;
  }

  String signature() {
    return StoredNames.signature(genericType);
  }

  @Nullable Object defaultValue() {
    return defaultValue;
  }

  /** Whether values are stored with it, whatever it is. */
  boolean isWritten() {
    return written;
  }

  void write(Kryo kryo, Output out, Object record) {
    kind.write(kryo, out, value(record));
  }

  /** Whether it is in a record what it is where it is not stored. */
  boolean isDefault(Object record) {
    Object value = value(record);
    return value == null ? defaultValue == null : value.equals(defaultValue);
  }

  /** Whether two records have the same. */
  boolean isSameIn(Object one, Object other) {
    return Objects.equals(value(one), value(other));
  }

  @Nullable Object value(Object record) {
    try {
      return (Object) getter.invokeExact(record);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new SerialException(this + " cannot be read", e);
    }
  }

  /** A value that was written under this very type. */
  @Nullable Object unchanged(@Nullable Object value) {
    if (kind == FieldKind.REFERENCE && value != null && !boxed.isInstance(value)) {
      throw mistyped(value);
    }
    return value;
  }

  /** A value that may have been written under another type. */
  @Nullable Object changed(@Nullable Object stored) {
    Object value = DeclaredTypes.widened(boxed, stored);
    if (value == null && type.isPrimitive()) {
      throw new SerialException(
          this + " was stored as null and is of type " + type + ": declare it " + boxed.getName());
    } else if (!DeclaredTypes.fits(boxed, value) || !DeclaredTypes.fits(elementsOf, value)) {
      throw mistyped(stored);
    }
    return value;
  }

  private SerialException mistyped(@Nullable Object stored) {
    return new SerialException(
        this
            + " is of type "
            + genericType.getTypeName()
            + ", and a value stored has a "
            + (stored == null ? "null" : stored.getClass().getName())
            + " there or another type within: give it its former type, or store it under a new"
            + " name by @StoredAs and declare @Removed(\""
            + storedName
            + "\")");
  }

  /** Its name as in messages, with the record's. */
  @Override
  public String toString() {
    return owner + "." + name;
  }
}
