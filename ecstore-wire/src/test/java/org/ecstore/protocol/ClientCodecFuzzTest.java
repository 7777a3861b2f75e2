package org.ecstore.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.wire.MalformedMessageException;
import org.ecstore.wire.Mutations;
import org.junit.jupiter.api.Test;

class ClientCodecFuzzTest {
  private static final int INPUTS = 100_000;

  @Test
  void noBytesDoHarmAsARequest() {
    List<Bytes> valid = new ArrayList<>();
    for (long seed = 0; seed < 500; seed++) {
      valid.add(ClientCodec.encodeRequest(seed, new RandomMessages(seed).request()));
    }
    Mutations mutations = new Mutations(1, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes body = mutations.next();
      try {
        CorrelatedRequest request = ClientCodec.decodeRequest(body);
        Bytes again = ClientCodec.encodeRequest(request.correlation(), request.request());
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
