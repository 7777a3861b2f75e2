package org.ecstore.bench.micro;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.ecstore.client.Codec;
import org.ecstore.client.KryoCodec;
import org.ecstore.key.Bytes;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * A record with a record, an enum and a list in it, as bytes and back: by name ({@code record}), by
 * number ({@code kryo}), as JSON by Jackson ({@code json}), and written by hand in the order of its
 * components, which knows nothing of change and is the least that there can be ({@code hand}).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ValueCodecBenchmark {
  /** What a customer is. */
  public enum Level {
    BRONZE,
    GOLD
  }

  /** Where goods go. */
  public record Address(String street, String city, int zip) {}

  /** Who buys. */
  public record Customer(
      String name, long since, Level level, Address home, List<String> tags, boolean active) {}

  private static final Customer CUSTOMER =
      new Customer(
          "Grace Hopper",
          1_788_000_000_000L,
          Level.GOLD,
          new Address("Navy Yard 1", "Washington", 20374),
          List.of("cobol", "compiler", "navy"),
          true);

  private static final class Json implements Codec<Customer> {
    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public Bytes encode(Customer value) {
      try {
        return Bytes.wrap(mapper.writeValueAsBytes(value));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public Customer decode(Bytes encoded) {
      try {
        return mapper.readValue(encoded.array(), Customer.class);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Hand implements Codec<Customer> {
    @Override
    public Bytes encode(Customer value) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream(128);
      try (DataOutputStream out = new DataOutputStream(bytes)) {
        out.writeUTF(value.name());
        out.writeLong(value.since());
        out.writeUTF(value.level().name());
        out.writeUTF(value.home().street());
        out.writeUTF(value.home().city());
        out.writeInt(value.home().zip());
        out.writeShort(value.tags().size());
        for (String tag : value.tags()) {
          out.writeUTF(tag);
        }
        out.writeBoolean(value.active());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return Bytes.wrap(bytes.toByteArray());
    }

    @Override
    public Customer decode(Bytes encoded) {
      try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(encoded.array()))) {
        String name = in.readUTF();
        long since = in.readLong();
        Level level = Level.valueOf(in.readUTF());
        Address home = new Address(in.readUTF(), in.readUTF(), in.readInt());
        int count = in.readShort();
        List<String> tags = new ArrayList<>(count);
        for (int left = count; left > 0; left--) {
          tags.add(in.readUTF());
        }
        return new Customer(name, since, level, home, tags, in.readBoolean());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Which codec. */
  @Param({"record", "kryo", "json", "hand"})
  public String codec = "record";

  private Codec<Customer> used = new Hand();
  private Bytes encoded = Bytes.EMPTY;

  /** Makes the codec, and the bytes that are read. */
  @Setup
  public void prepare() {
    used =
        switch (codec) {
          case "record" -> Codec.record(Customer.class);
          case "kryo" -> KryoCodec.of(Customer.class, Address.class, Level.class);
          case "json" -> new Json();
          default -> new Hand();
        };
    encoded = used.encode(CUSTOMER);
    if (!used.decode(encoded).equals(CUSTOMER)) {
      throw new IllegalStateException(codec + " reads another value than it wrote");
    }
  }

  @Benchmark
  public Bytes encode() {
    return used.encode(CUSTOMER);
  }

  @Benchmark
  public Customer decode() {
    return used.decode(encoded);
  }
}
