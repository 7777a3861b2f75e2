package org.ecstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.Mutations;
import org.ecstore.wire.WireWriter;
import org.junit.jupiter.api.Test;

class ClientCodecFuzzTest {
  private static final int INPUTS = 100_000;

  @Test
  void noBytesDoHarmAsARequest() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      valid.add(ClientCodec.encodeRequest(new RandomMessages(seed).correlated(seed)));
    }
    Mutations mutations = new Mutations(1, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes body = mutations.next();
      try {
        CorrelatedRequest request = ClientCodec.decodeRequest(body);
        Bytes again = ClientCodec.encodeRequest(request);
        assertEquals(request, ClientCodec.decodeRequest(again), () -> "input " + body);
        passed++;
      } catch (MalformedMessageException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + body, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }

  /** Of every kind of message, whatever fields follow: none does harm, most are passed by. */
  @Test
  void noBytesDoHarmAsOptionalFields() {
    SplittableRandom random = new SplittableRandom(4);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      RandomMessages messages = new RandomMessages(i);
      Bytes bare =
          random.nextBoolean()
              ? ClientCodec.encodeRequest(i, messages.request())
              : ClientCodec.encodeReply(i, messages.reply());
      Bytes body = bare.concat(hostileFields(random));
      try {
        decode(body);
        passed++;
      } catch (MalformedMessageException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + body, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }

  private static Object decode(Bytes body) {
    boolean isRequest = body.at(1) < 64;
    return isRequest ? ClientCodec.decodeRequest(body) : ClientCodec.decodeReply(body);
  }

  /** Fields with tags that mostly ascend and lengths that are mostly right. */
  private static Bytes hostileFields(SplittableRandom random) {
    WireWriter out = new WireWriter();
    long tag = 0;
    for (int left = random.nextInt(6); left > 0; left--) {
      tag += random.nextInt(12) == 0 ? random.nextLong() : random.nextInt(1, 8);
      byte[] bytes = new byte[random.nextInt(30)];
      random.nextBytes(bytes);
      long length = random.nextInt(12) == 0 ? random.nextLong() : bytes.length;
      out.varint(tag).varint(length).raw(bytes);
    }
    return out.toBytes();
  }

  @Test
  void noBytesDoHarmAsAReply() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      valid.add(ClientCodec.encodeReply(seed, new RandomMessages(seed).reply()));
    }
    Mutations mutations = new Mutations(2, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes body = mutations.next();
      try {
        CorrelatedReply reply = ClientCodec.decodeReply(body);
        Bytes again = ClientCodec.encodeReply(reply.correlation(), reply.reply());
        assertEquals(reply, ClientCodec.decodeReply(again), () -> "input " + body);
        passed++;
      } catch (MalformedMessageException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + body, e);
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }
}
