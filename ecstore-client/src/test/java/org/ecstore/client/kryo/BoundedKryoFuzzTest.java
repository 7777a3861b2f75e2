package org.ecstore.client.kryo;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Mutations;
import org.junit.jupiter.api.Test;

class BoundedKryoFuzzTest {
  private static final int INPUTS = 100_000;

  @Test
  void noBytesDoHarmAsAValue() {
    BoundedKryo kryo = Samples.builder().build();
    List<Bytes> valid = new ArrayList<>();
    Samples.golden().forEach(golden -> valid.add(kryo.encode(golden.value())));
    Samples.arrays().forEach(array -> valid.add(kryo.encode(array)));
    valid.add(kryo.encode(Samples.golden().stream().map(Samples.Golden::value).toList()));
    Mutations mutations = new Mutations(1, valid);
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes encoded = mutations.next();
      Object value = null;
      try {
        value = kryo.decode(encoded, Object.class);
      } catch (SerialException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + encoded, e);
      }
      if (value != null) {
        kryo.encode(value);
        passed++;
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }
}
