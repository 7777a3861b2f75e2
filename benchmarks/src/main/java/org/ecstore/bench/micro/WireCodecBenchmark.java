package org.ecstore.bench.micro;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.ecstore.id.Epoch;
import org.ecstore.id.NodeId;
import org.ecstore.id.Position;
import org.ecstore.id.RangeId;
import org.ecstore.id.ReadPoint;
import org.ecstore.key.Bytes;
import org.ecstore.key.KeyRange;
import org.ecstore.model.CopyRole;
import org.ecstore.model.ReadSource;
import org.ecstore.model.Row;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.CorrelatedRequest;
import org.ecstore.wire.WireWriter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The client protocol: a read, and answers of records of 1 KB. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class WireCodecBenchmark {
  private static final ReadSource SOURCE =
      new ReadSource(new NodeId(1), CopyRole.PRIMARY, new Position(1), new Position(1), 0);

  /** Records in an answer. */
  @Param({"1", "100"})
  public int records;

  private final ClientRequest request =
      new ClientRequest.Get(ReadPoint.ZERO, new RangeId(1), new Epoch(1), List.of(key(7)), true);
  private final Bytes encodedRequest = ClientCodec.encodeRequest(1, request);
  private final WireWriter writer = new WireWriter();
  private ClientReply reply = new ClientReply.Values(List.of(), SOURCE);
  private Bytes encodedReply = Bytes.EMPTY;

  private static Bytes key(int index) {
    return Bytes.utf8("user%019d".formatted(index));
  }

  /** Makes the answer. */
  @Setup
  public void prepare() {
    Bytes value = Bytes.utf8("123456789,".repeat(100));
    List<Row> rows =
        IntStream.range(0, records).mapToObj(i -> new Row(key(i), new Position(i), value)).toList();
    reply =
        records == 1
            ? new ClientReply.Values(List.of(Optional.of(rows.getFirst())), SOURCE)
            : new ClientReply.Scanned(rows, KeyRange.ALL, SOURCE);
    encodedReply = ClientCodec.encodeReply(1, reply);
  }

  @Benchmark
  public Bytes encodeRequest() {
    return ClientCodec.encodeRequest(1, request);
  }

  @Benchmark
  public CorrelatedRequest decodeRequest() {
    return ClientCodec.decodeRequest(encodedRequest);
  }

  /** Into the room of the one before, as the server does. */
  @Benchmark
  public int encodeReply() {
    ClientCodec.writeReply(writer.clear(), 1, reply);
    return writer.length();
  }

  @Benchmark
  public CorrelatedReply decodeReply() {
    return ClientCodec.decodeReply(encodedReply);
  }
}
