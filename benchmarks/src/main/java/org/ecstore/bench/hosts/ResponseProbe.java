package org.ecstore.bench.hosts;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.ecstore.bench.load.Measured;

/** Measures those components of a response that no run of a load tells. Medians, in seconds. */
public final class ResponseProbe {
  private static final double SECOND = 1e9;
  private static final int RECORD_BYTES = 1024;
  private static final int ROUND_TRIPS = 4_000;
  private static final int SYNCS = 100;
  private static final int READS = 2_000;
  private static final int COMMANDS = 20_000;

  private final Path directory;

  /**
   * One.
   *
   * @param directory on the disk of the nodes; a file is made in it and deleted
   */
  public ResponseProbe(Path directory) {
    this.directory = directory;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static double median(int times, Step step) throws IOException {
    long[] nanos = new long[times];
    for (int i = 0; i < times; i++) {
      long begun = System.nanoTime();
      step.run();
      nanos[i] = System.nanoTime() - begun;
    }
    Arrays.sort(nanos);
    return nanos[times / 2] / SECOND;
  }

  /** What a session's operation is made of, beside what a run of it says. */
  public ResponseModel.Measurements of(SessionLoad.Kind kind, Measured run) throws IOException {
    double command = command(kind);
    return new ResponseModel.Measurements(
        command,
        Math.max(0, run.clientSecondsPer1000() / 1000 - command),
        wire(),
        run.serverSecondsPer1000() / 1000,
        kind == SessionLoad.Kind.INSERT ? sync() : read(),
        kind == SessionLoad.Kind.INSERT
            ? "measured: 1 KiB appended and forced to the disk"
            : "measured: 1 KiB of a file that the system has in memory");
  }

  private static double command(SessionLoad.Kind kind) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long[] kept = new long[1];
    double seconds =
        median(
            COMMANDS,
            () ->
                kept[0] +=
                    kind == SessionLoad.Kind.INSERT
                        ? SessionLoad.fields(random).size()
                        : SessionLoad.key(random.nextLong(RECORD_BYTES)).length());
    return kept[0] > 0 ? seconds : 0;
  }

  /** Half of a round trip. */
  double wire() throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (ServerSocket server = new ServerSocket(0, 1, loopback);
        Socket client = new Socket(loopback, server.getLocalPort());
        Socket accepted = server.accept()) {
      client.setTcpNoDelay(true);
      accepted.setTcpNoDelay(true);
      Thread echo = Thread.ofPlatform().daemon().start(() -> echo(accepted));
      byte[] record = new byte[RECORD_BYTES];
      DataInputStream in = new DataInputStream(client.getInputStream());
      double roundTrip =
          median(
              ROUND_TRIPS,
              () -> {
                client.getOutputStream().write(record);
                in.readFully(record);
              });
      client.shutdownOutput();
      join(echo);
      return roundTrip / 2;
    }
  }

  private static void echo(Socket socket) {
    byte[] record = new byte[RECORD_BYTES];
    try {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        in.readFully(record);
        socket.getOutputStream().write(record);
      }
    } catch (IOException _) {
      // The other end has all that it wanted.
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private FileChannel file() throws IOException {
    return FileChannel.open(
        directory.resolve("probe"),
        StandardOpenOption.CREATE,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }

  private static void write(FileChannel file) throws IOException {
    ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
    while (record.hasRemaining()) {
      file.write(record);
    }
  }

  private double sync() throws IOException {
    try (FileChannel file = file()) {
      return median(
          SYNCS,
          () -> {
            write(file);
            file.force(false);
          });
    }
  }

  private double read() throws IOException {
    try (FileChannel file = file()) {
      for (int i = 0; i < SYNCS; i++) {
        write(file);
      }
      SplittableRandom random = new SplittableRandom(1);
      ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES);
      return median(
          READS,
          () -> {
            record.clear();
            long from = random.nextLong(SYNCS) * RECORD_BYTES;
            while (record.hasRemaining() && file.read(record, from + record.position()) > 0) {
              // To its end.
            }
          });
    }
  }
}
