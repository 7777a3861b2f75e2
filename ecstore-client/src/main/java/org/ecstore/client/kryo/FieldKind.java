package org.ecstore.client.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.util.Objects;
import org.ecstore.client.kryo.declared.SerialException;
import org.jspecify.annotations.Nullable;

/** How the value of a component is written. The codes, of four bits, are part of the format. */
enum FieldKind {
  /** The number of the value's class, or null, and the value. */
  REFERENCE(0, Object.class),
  BOOLEAN(1, boolean.class),
  BYTE(2, byte.class),
  SHORT(3, short.class),
  CHAR(4, char.class),
  INT(5, int.class),
  LONG(6, long.class),
  FLOAT(7, float.class),
  DOUBLE(8, double.class),
  STRING(9, String.class);

  private static final FieldKind[] BY_CODE = byCode();

  private final int code;
  private final Class<?> type;

  FieldKind(int code, Class<?> type) {
    this.code = code;
    this.type = type;
  }

  private static FieldKind[] byCode() {
    FieldKind[] kinds = new FieldKind[values().length];
    for (FieldKind kind : values()) {
      kinds[kind.code] = kind;
    }
    return kinds;
  }

  int code() {
    return code;
  }

  static FieldKind of(Class<?> declared) {
    for (FieldKind kind : BY_CODE) {
      if (kind.type == declared) {
        return kind;
      }
    }
    return REFERENCE;
  }

  static FieldKind ofCode(int code) {
    if (code >= BY_CODE.length) {
      throw new SerialException("a component of the unknown kind " + code);
    }
    return BY_CODE[code];
  }

  void write(Kryo kryo, Output out, @Nullable Object value) {
    switch (this) {
      case REFERENCE -> kryo.writeClassAndObject(out, value);
      case STRING -> out.writeString((String) value);
      default -> writePrimitive(out, Objects.requireNonNull(value));
    }
  }

  private void writePrimitive(Output out, Object value) {
    switch (this) {
      case BOOLEAN -> out.writeBoolean((boolean) value);
      case BYTE -> out.writeByte((byte) value);
      case SHORT -> out.writeShort((short) value);
      case CHAR -> out.writeChar((char) value);
      case INT -> out.writeVarInt((int) value, false);
      case LONG -> out.writeVarLong((long) value, false);
      case FLOAT -> out.writeFloat((float) value);
      case DOUBLE -> out.writeDouble((double) value);
      case REFERENCE, STRING -> throw new IllegalStateException("no primitive: " + this);
    }
  }

  @Nullable Object read(Kryo kryo, BoundedInput in) {
    return switch (this) {
      case REFERENCE -> kryo.readClassAndObject(in);
      case BOOLEAN -> in.readBoolean();
      case BYTE -> in.readByte();
      case SHORT -> in.readShort();
      case CHAR -> in.readChar();
      case INT -> in.readVarInt(false);
      case LONG -> in.readVarLong(false);
      case FLOAT -> in.readFloat();
      case DOUBLE -> in.readDouble();
      case STRING -> in.readString();
    };
  }

  void skip(StrictKryo kryo, BoundedInput in) {
    if (this == REFERENCE) {
      Skipping.reference(kryo, in);
    } else {
      read(kryo, in);
    }
  }
}
