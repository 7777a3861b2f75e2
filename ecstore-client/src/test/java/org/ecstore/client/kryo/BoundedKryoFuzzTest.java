package org.ecstore.client.kryo;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.ecstore.client.kryo.declared.SerialException;
import org.ecstore.key.Bytes;
import org.ecstore.wire.Limits;
import org.ecstore.wire.Mutations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedKryoFuzzTest {
  private static final int INPUTS = 40_000;

  /** Inputs are of some hundred bytes; a length that is believed takes more at once. */
  private static final long ALLOCATED_MAX = 8L << 20;

  @ParameterizedTest
  @ValueSource(ints = {BoundedKryo.FIRST_FORMAT, BoundedKryo.FORMAT})
  void noBytesDoHarmAsAValue(int format) {
    List<Bytes> valid = new ArrayList<>(Samples.goldenBytes(format).values());
    attack(Samples.builder().build(), new Mutations(format, valid));
  }

  @Test
  void noBytesDoHarmAsAValueOfNamedTypes() {
    List<Bytes> valid = new ArrayList<>(Samples.goldenBytes(BoundedKryo.NAMED_FORMAT).values());
    attack(Samples.named(), new Mutations(BoundedKryo.NAMED_FORMAT, valid));
  }

  @Test
  void noBytesDoHarmToTypesThatHaveChanged() {
    BoundedKryo before = Samples.builder().register(Evolutions.Was.Duo.class, 200).build();
    BoundedKryo after =
        BoundedKryo.builder()
            .register(Evolutions.WithoutA.Duo.class, 200)
            .register(Samples.User.class, 100)
            .register(Samples.Color.class, 101)
            .build();
    List<Bytes> valid = new ArrayList<>();
    for (Object each : Samples.golden().values()) {
      valid.add(before.encode(new Evolutions.Was.Duo(each, Samples.ANN)));
    }
    attack(after, new Mutations(3, valid));
  }

  /** Parts of types that are not known any more are passed over. */
  @Test
  void noBytesDoHarmToNamedTypesThatHaveChanged() {
    BoundedKryo before =
        BoundedKryo.named(
            Limits.VALUE_BYTES_MAX,
            Evolutions.Was.Duo.class,
            Samples.User.class,
            Samples.Color.class,
            Samples.Tree.class,
            Samples.Pair.class,
            Samples.User[].class,
            Samples.Everything.class);
    BoundedKryo after =
        BoundedKryo.named(
            Limits.VALUE_BYTES_MAX,
            Samples.Color.class,
            Evolutions.WithoutA.Duo.class,
            Samples.User.class);
    List<Bytes> valid = new ArrayList<>();
    for (Object each : Samples.goldenOfNames().values()) {
      valid.add(before.encode(new Evolutions.Was.Duo(each, Samples.ANN)));
    }
    attack(after, new Mutations(4, valid));
  }

  @Test
  void noBytesOfNamedTypesDoHarmWhereTypesAreNumbered() {
    List<Bytes> valid = new ArrayList<>(Samples.goldenBytes(BoundedKryo.NAMED_FORMAT).values());
    attack(Samples.builder().build(), new Mutations(5, valid));
  }

  private static void attack(BoundedKryo kryo, Mutations mutations) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int passed = 0;
    int refused = 0;
    for (int i = 0; i < INPUTS; i++) {
      Bytes encoded = mutations.next();
      Object value = null;
      long allocated = threads.getCurrentThreadAllocatedBytes();
      try {
        value = kryo.decode(encoded, Object.class);
      } catch (SerialException expected) {
        refused++;
      } catch (RuntimeException e) {
        fail("input " + i + ": " + encoded, e);
      }
      if (threads.getCurrentThreadAllocatedBytes() - allocated > ALLOCATED_MAX) {
        fail("input " + i + " takes too much room: " + encoded);
      }
      if (value != null) {
        kryo.encode(value);
        passed++;
      }
    }
    assertTrue(passed > INPUTS / 50 && refused > INPUTS / 50, "some pass and some do not");
  }
}
