package org.ecstore.codec.protobuf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.UninterpretedOption;
import com.google.protobuf.Empty;
import com.google.protobuf.ListValue;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.key.Bytes;
import org.junit.jupiter.api.Test;

class ProtobufCodecTest {
  private static final FieldDescriptorProto FIELD =
      FieldDescriptorProto.newBuilder().setName("mail").setNumber(7).build();

  private final ProtobufCodec<FieldDescriptorProto> codec =
      ProtobufCodec.of(FieldDescriptorProto.getDefaultInstance());

  @Test
  void messagesComeBack() {
    assertEquals(FIELD, codec.decode(codec.encode(FIELD)));
    assertEquals(
        FieldDescriptorProto.getDefaultInstance(),
        codec.decode(codec.encode(FieldDescriptorProto.getDefaultInstance())));
  }

  @Test
  void deepMessagesComeBack() {
    Value deep = Value.newBuilder().setNumberValue(1).build();
    for (int depth = 0; depth < 200; depth++) {
      deep = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(deep)).build();
    }
    ProtobufCodec<Value> values = ProtobufCodec.of(Value.getDefaultInstance());
    assertEquals(deep, values.decode(values.encode(deep)));
  }

  @Test
  void fieldsThatAProgramDoesNotKnowAreKept() {
    ProtobufCodec<Empty> older = ProtobufCodec.of(Empty.getDefaultInstance());
    Bytes again = older.encode(older.decode(codec.encode(FIELD)));
    assertEquals(FIELD, codec.decode(again));
  }

  @Test
  void whatIsNoMessageIsRefused() {
    ProtobufCodec<Timestamp> times = ProtobufCodec.of(Timestamp.getDefaultInstance());
    WrongArgumentException wrong =
        assertThrows(WrongArgumentException.class, () -> times.decode(Bytes.of(0x0a, 0xff)));
    assertThrows(
        WrongArgumentException.class, () -> times.decode(Bytes.of(0x0c)), "a group ends alone");
    assertTrue(
        String.valueOf(wrong.getMessage()).contains("google.protobuf.Timestamp"),
        wrong::getMessage);
  }

  @Test
  void aMessageThatLacksWhatIsRequiredIsNotStored() {
    UninterpretedOption lacks =
        UninterpretedOption.newBuilder()
            .addName(UninterpretedOption.NamePart.newBuilder().setNamePart("a").buildPartial())
            .buildPartial();
    WrongArgumentException wrong =
        assertThrows(
            WrongArgumentException.class,
            () -> ProtobufCodec.of(UninterpretedOption.getDefaultInstance()).encode(lacks));
    assertTrue(String.valueOf(wrong.getMessage()).contains("is_extension"), wrong::getMessage);
  }
}
