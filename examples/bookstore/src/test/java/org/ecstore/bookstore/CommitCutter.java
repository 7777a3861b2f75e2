package org.ecstore.bookstore;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** A way to MariaDB that cuts a connection where it is told to commit. */
final class CommitCutter implements AutoCloseable {
  /** Where the next commit is cut. */
  enum Cut {
    NEVER,
    /** The server is not told. */
    BEFORE,
    /** The server has committed, and the client is not told. */
    AFTER
  }

  private static final int BUFFER = 64 * 1_024;
  private static final String COMMIT = "COMMIT";

  private final ServerSocket listening;
  private final int port;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NEVER);

  CommitCutter(int port) throws IOException {
    this.port = port;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  /** Cuts one commit, the next one. */
  void cut(Cut cut) {
    next.set(cut);
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        AtomicBoolean isCut = new AtomicBoolean();
        threads.execute(() -> pass(client, server, isCut, true));
        threads.execute(() -> pass(server, client, isCut, false));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to, AtomicBoolean isCut, boolean toServer) {
    byte[] buffer = new byte[BUFFER];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
        Cut cut = toServer && text.endsWith(COMMIT) ? next.getAndSet(Cut.NEVER) : Cut.NEVER;
        if (cut == Cut.BEFORE || (!toServer && isCut.get())) {
          return;
        }
        isCut.compareAndSet(false, cut == Cut.AFTER);
        out.write(buffer, 0, read);
      }
    } catch (IOException _) {
      // The other direction has closed both.
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    threads.shutdown();
  }
}
