package org.ecstore.bench.cost;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.ecstore.core.port.Engine;
import org.ecstore.core.port.EngineResult;
import org.ecstore.core.port.Event;
import org.ecstore.core.port.Ledger;
import org.ecstore.core.port.LedgerResult;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.engines.EngineSettings;
import org.ecstore.engines.OpenEngine;
import org.ecstore.engines.kind.EngineKinds;
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
import org.ecstore.server.ledger.LedgerSettings;
import org.ecstore.server.ledger.LocalFileLedger;
import org.ecstore.server.ledger.LocalLedgerStore;

/**
 * Measures a {@link CostModel} on this machine, on a node's real parts: the engine on Berkeley DB,
 * the codec of the client protocol over a loopback connection, the local-file ledger with its
 * syncs. Each cost is the best of several rounds, or the least tenth, as whatever else the machine
 * does only adds to it. A cost is elapsed time by calls with many under way, so that waiting for a
 * thread to wake up, which a busy node does not do, counts little. What the network takes is
 * assumed.
 */
public final class Calibration {
  /** One machine has no network to measure: as in a rack, one way. */
  private static final long NETWORK_NANOS = 50_000;

  private static final ReadSource SOURCE =
      new ReadSource(new NodeId(1), CopyRole.PRIMARY, new Position(1), new Position(1), 0);

  private static final int RECORDS = 20_000;
  private static final int UNDER_WAY = 64;
  private static final int SCAN = 200;
  private static final long TIMEOUT_SECONDS = 120;

  private final Path directory;
  private final int rounds;
  private final Runnable steps;

  /** In a directory that is there and empty. */
  public Calibration(Path directory, boolean quick, Runnable steps) {
    this.directory = directory;
    this.rounds = quick ? 2 : 7;
    this.steps = steps;
  }

  /** About how many pieces of work {@link #measure} reports. */
  public static int steps() {
    return 4;
  }

  /** Measures everything: some seconds. */
  public CostModel measure() throws IOException, InterruptedException {
    long[] engine = engine();
    steps.run();
    long record = codecRecord();
    steps.run();
    long message = message();
    steps.run();
    long[] log = log();
    steps.run();
    return new CostModel(
        engine[0], engine[1], engine[2], engine[3], message, record, NETWORK_NANOS, log[0], log[1]);
  }

  private static Bytes key(int index) {
    return Bytes.utf8("user%09d".formatted(index));
  }

  private static Bytes value() {
    return Bytes.utf8("123456789,".repeat(20));
  }

  /** Something to time: begins call number so-and-so. */
  private interface Call {
    void begin(long number) throws IOException;
  }

  /** Nanoseconds a call, the best of the rounds. */
  private long best(
      int calls, int underWay, Semaphore done, AtomicReference<String> failure, Call call)
      throws IOException, InterruptedException {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < calls + underWay; i++) {
        if (i >= underWay && !done.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
          throw new IOException("a call was not answered within " + TIMEOUT_SECONDS + " s");
        }
        if (i < calls) {
          call.begin(i);
        }
      }
      best = Math.min(best, (System.nanoTime() - start) / calls);
      if (failure.get() != null) {
        throw new IOException(failure.get());
      }
    }
    return Math.max(1, best);
  }

  /** One read, one write, an empty scan, a record of a scan. */
  private long[] engine() throws IOException, InterruptedException {
    Semaphore done = new Semaphore(0);
    AtomicReference<String> failure = new AtomicReference<>();
    EngineSettings settings = EngineSettings.DEFAULT.withCacheBytes(256L << 20);
    try (OpenEngine engine =
        EngineKinds.named(settings.kind())
            .open(
                directory.resolve("engine"),
                settings,
                event -> heard(event, done, failure),
                () -> true)) {
      best(RECORDS, UNDER_WAY, done, failure, i -> write(engine, i, new Position(1)));
      fold(engine, new Position(1_000), done, failure);
      // A write is into the window, and its share of a fold of many.
      long write =
          best(5_000, UNDER_WAY, done, failure, i -> write(engine, i, new Position(2_000)));
      fold(engine, new Position(100_000), done, failure);
      long folded = Long.MAX_VALUE;
      for (int round = 1; round <= rounds; round++) {
        Position now = new Position(100_000L + 1_000L * round);
        best(RECORDS, UNDER_WAY, done, failure, i -> write(engine, i, now));
        folded = Math.min(folded, fold(engine, new Position(now.value() + 999), done, failure));
      }
      write += folded / RECORDS;
      Position at = new Position(2_000_000);
      long read =
          best(
              10_000,
              UNDER_WAY,
              done,
              failure,
              i -> engine.read(i, List.of(key((int) (i * 7919 % RECORDS))), at));
      long one = best(5_000, UNDER_WAY, done, failure, i -> scan(engine, i, at, 1));
      long many = best(500, UNDER_WAY, done, failure, i -> scan(engine, i, at, SCAN));
      long record = Math.max(1, (many - one) / (SCAN - 1));
      return new long[] {read, write, Math.max(1, one - record), record};
    }
  }

  /** How long a fold takes. */
  private static long fold(
      Engine engine, Position through, Semaphore done, AtomicReference<String> failure)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    engine.fold(0, KeyRange.ALL, through, through);
    if (!done.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS) || failure.get() != null) {
      throw new IOException("a fold did not end well: " + failure.get());
    }
    return System.nanoTime() - start;
  }

  private static void write(Engine engine, long number, Position at) {
    Engine.VersionedWrite write =
        new Engine.VersionedWrite(
            key((int) (number % RECORDS)),
            new Position(at.value() + number / RECORDS),
            Optional.of(value()));
    engine.apply(number, new Engine.EngineBatch(List.of(write), List.of()));
  }

  private static void scan(Engine engine, long number, Position at, int records) {
    KeyRange from = KeyRange.from(key((int) (number * 7919 % (RECORDS - SCAN))));
    engine.scan(number, new Engine.ScanSpec(from, at, false, records, 1 << 20, false));
  }

  private static void heard(Event event, Semaphore done, AtomicReference<String> failure) {
    if (event instanceof Event.EngineDone(long _, EngineResult.Failed failed)) {
      failure.set(failed.detail());
    }
    done.release();
  }

  /** What a row more costs the node that sends it or takes it in. */
  private long codecRecord() {
    return Math.max(1, (codec(101) - codec(1)) / 200);
  }

  private long codec(int rows) {
    List<Row> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(new Row(key(i), new Position(i), value()));
    }
    ClientReply reply = new ClientReply.Scanned(all, KeyRange.ALL, SOURCE);
    long best = Long.MAX_VALUE;
    long bytes = 0;
    for (int round = 0; round < 3 * rounds; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < 500; i++) {
        Bytes body = ClientCodec.encodeReply(i, reply);
        bytes += ClientCodec.decodeReply(body).correlation() + body.length();
      }
      best = Math.min(best, (System.nanoTime() - start) / 500);
    }
    if (bytes == 0) {
      throw new IllegalStateException("nothing was encoded");
    }
    return best;
  }

  /** A message: half of what a request and its reply cost the side that answers. */
  private long message() throws IOException, InterruptedException {
    AtomicReference<String> failure = new AtomicReference<>();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread node = Thread.ofPlatform().daemon().name("calibration").start(() -> answer(server));
      try (Socket socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
        socket.setTcpNoDelay(true);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        DataOutputStream out = output(socket);
        Semaphore done = new Semaphore(0);
        Thread reader = Thread.ofPlatform().daemon().name("replies").start(() -> replies(in, done));
        long busy = best(20_000, UNDER_WAY, done, failure, i -> ask(out, i));
        socket.shutdownOutput();
        node.join();
        reader.join();
        return Math.max(1, busy / 2);
      }
    }
  }

  private static DataOutputStream output(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  private static void ask(DataOutputStream out, long number) throws IOException {
    ClientRequest request =
        new ClientRequest.Get(
            ReadPoint.ZERO, new RangeId(1), new Epoch(1), List.of(key((int) number)));
    write(out, ClientCodec.encodeRequest(number, request));
  }

  private static void write(DataOutputStream out, Bytes body) throws IOException {
    out.writeInt(body.length());
    out.write(body.array());
    out.flush();
  }

  private static void answer(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.setTcpNoDelay(true);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = output(socket);
      each(
          in,
          body -> {
            long number = ClientCodec.decodeRequest(body).correlation();
            Row row = new Row(key((int) number), new Position(number), value());
            write(
                out,
                ClientCodec.encodeReply(
                    number, new ClientReply.Values(List.of(Optional.of(row)), SOURCE)));
          });
    } catch (IOException e) {
      // The other end was closed, and its own failure is what is told.
      return;
    }
  }

  private interface Body {
    void take(Bytes body) throws IOException;
  }

  private static void each(DataInputStream in, Body then) throws IOException {
    for (int length = in.read(); length >= 0; length = in.read()) {
      int rest = (length << 24) | (in.readUnsignedByte() << 16) | in.readUnsignedShort();
      byte[] body = new byte[rest];
      in.readFully(body);
      then.take(Bytes.wrap(body));
    }
  }

  private static void replies(DataInputStream in, Semaphore done) {
    try {
      each(
          in,
          body -> {
            if (ClientCodec.decodeReply(body).reply() instanceof ClientReply.Values) {
              done.release();
            }
          });
    } catch (IOException e) {
      // The thread that waits for replies gives up.
      return;
    }
  }

  /** From an append to its acknowledgement, and a record of an append of many. */
  private long[] log() throws IOException, InterruptedException {
    Semaphore done = new Semaphore(0);
    AtomicReference<String> failure = new AtomicReference<>();
    try (LocalLedgerStore store =
        LocalLedgerStore.open(
            directory.resolve("ledger"), new UUID(1, 1), LedgerSettings.DEFAULT, new Quiet())) {
      LocalFileLedger ledger = store.handle(new NodeId(1), event -> logged(event, done, failure));
      ledger.fence(0);
      if (!done.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("the ledger was not opened");
      }
      long[] next = {1};
      LongConsumer append =
          token -> {
            Position first = new Position(next[0]++);
            ledger.append(token, new Ledger.LedgerEntry(first, List.of(value())));
          };
      long alone = alone(100 * rounds, done, append);
      long together = best(5_000, UNDER_WAY, done, failure, append::accept);
      return new long[] {alone, together};
    }
  }

  /** The least tenth of how long calls take that wait for each other. */
  private static long alone(int calls, Semaphore done, LongConsumer call)
      throws IOException, InterruptedException {
    long[] nanos = new long[calls];
    for (int i = 0; i < calls; i++) {
      long start = System.nanoTime();
      call.accept(i);
      if (!done.tryAcquire(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("an append was not answered within " + TIMEOUT_SECONDS + " s");
      }
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    return nanos[calls / 10];
  }

  private static void logged(Event event, Semaphore done, AtomicReference<String> failure) {
    if (event instanceof Event.LedgerDone(long _, LedgerResult result)
        && !(result instanceof LedgerResult.Appended || result instanceof LedgerResult.Fenced)) {
      failure.set("the ledger answered " + result);
    }
    done.release();
  }

  private static final class Quiet implements OperatorLog {
    @Override
    public void info(String text) {}

    @Override
    public void warn(String text) {}
  }
}
