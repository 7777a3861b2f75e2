package org.ecstore.engines.store;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A line to a server that goes through this process: what a client sends may be held up after the
 * client has hung up, as in a network that is slow, or the line be cut before the server has it.
 */
public final class TappedLine implements AutoCloseable {
  private static final int CHUNK_BYTES_MAX = 16 << 10;

  private final String server;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch hungUp = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private @Nullable String holdsAt;
  private @Nullable String stallsAt;
  private volatile @Nullable Thread holding;
  private @Nullable Cut cut;
  private int left;
  private volatile Runnable work = () -> {};
  private volatile UnaryOperator<String> exchange = UnaryOperator.identity();

  /**
   * Where a connection is cut.
   *
   * @param text that the first bytes of what a client sends at once have in them
   * @param number of such that go to the server, with the one at which it is cut
   * @param isAnswered whether the server gets that one too, and only its answer is lost
   */
  public record Cut(String text, int number, boolean isAnswered) {}

  /** A line to the server of an address, {@code host:port}. */
  public TappedLine(String server) throws IOException {
    this.server = server;
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().start(this::accept);
  }

  /** Where clients reach the server by this line, {@code host:port}. */
  public String address() {
    return "127.0.0.1:" + listening.getLocalPort();
  }

  /**
   * Holds up what a client sends from the first bytes on that have a text, once: other connections
   * go on.
   */
  public synchronized void holdAt(String text) {
    holdsAt = text;
  }

  /**
   * Takes nothing more of what a client sends, from the first bytes on that have a text, once: it
   * hangs as soon as all buffers between them are full. Other connections go on.
   */
  public synchronized void stallAt(String text) {
    stallsAt = text;
  }

  /** Waits until something is held up and the client that has sent it has hung up. */
  public void awaitHungUp() throws InterruptedException {
    hungUp.await();
  }

  /** What was held up goes on; returns when the server has done with that connection. */
  public void release() throws InterruptedException {
    released.countDown();
    over.await();
  }

  /** Cuts a connection once, other connections go on. Does some work first, to the server. */
  public synchronized void cutAt(Cut where, Runnable meanwhile) {
    cut = where;
    left = where.number();
    work = meanwhile;
  }

  /**
   * Has the server get other bytes than clients send.
   *
   * @param others what is sent at once, as Latin 1; of the same length
   */
  public void exchange(UnaryOperator<String> others) {
    exchange = others;
  }

  /** Whether there is a cut that has not been reached. */
  public synchronized boolean isWhole() {
    return cut != null;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        sockets.add(client);
        Thread.ofPlatform().daemon().start(() -> serve(client));
      }
    } catch (IOException _) {
      // The test is over.
    }
  }

  private void serve(Socket client) {
    String[] address = server.split(":", -1);
    try (client;
        Socket to = new Socket(address[0], Integer.parseInt(address[1]))) {
      sockets.add(to);
      Answers answers = new Answers(to, client);
      Thread back = Thread.ofPlatform().daemon().start(answers::passBack);
      forward(client, to, answers);
      to.shutdownOutput();
      back.join();
    } catch (IOException _) {
      // One of them has ended.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      if (Thread.currentThread().equals(holding)) {
        over.countDown();
      }
    }
  }

  /** What a server says to a client. */
  private static final class Answers {
    private final Socket from;
    private final Socket to;
    private volatile @Nullable Runnable afterNext;

    Answers(Socket from, Socket to) {
      this.from = from;
      this.to = to;
    }

    /** The next answer is not passed back, and is the last one; some work is done first. */
    void cutAtNext(Runnable work) {
      afterNext = work;
    }

    /** Whether there is a client for it or not. */
    void passBack() {
      byte[] chunk = new byte[CHUNK_BYTES_MAX];
      boolean isThere = true;
      try {
        InputStream in = from.getInputStream();
        for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
          Runnable last = afterNext;
          if (last != null) {
            last.run();
            from.close();
            break;
          }
          isThere = isThere && wrote(chunk, length);
        }
      } catch (IOException _) {
        // The server has ended.
      }
      try {
        to.close();
      } catch (IOException _) {
        // The client has ended.
      }
    }

    private boolean wrote(byte[] chunk, int length) {
      try {
        to.getOutputStream().write(chunk, 0, length);
        return true;
      } catch (IOException _) {
        return false;
      }
    }
  }

  private void forward(Socket client, Socket to, Answers answers)
      throws IOException, InterruptedException {
    InputStream in = client.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES_MAX];
    for (int length = read(in, chunk); length >= 0; length = read(in, chunk)) {
      String text = exchange.apply(new String(chunk, 0, length, StandardCharsets.ISO_8859_1));
      System.arraycopy(text.getBytes(StandardCharsets.ISO_8859_1), 0, chunk, 0, length);
      if (isStalled(text)) {
        released.await();
        return;
      }
      if (isHeld(text)) {
        byte[] held = rest(in, chunk, length);
        hungUp.countDown();
        released.await();
        out.write(held);
        return;
      }
      Cut here = reached(text);
      if (here != null && !here.isAnswered()) {
        work.run();
        return;
      }
      if (here != null) {
        answers.cutAtNext(work);
      }
      out.write(chunk, 0, length);
    }
  }

  /** A client that hangs up in the midst has hung up. */
  private static int read(InputStream in, byte[] chunk) {
    try {
      return in.read(chunk);
    } catch (IOException _) {
      return -1;
    }
  }

  private synchronized boolean isHeld(String text) {
    String wanted = holdsAt;
    if (wanted == null || !text.contains(wanted)) {
      return false;
    }
    holdsAt = null;
    holding = Thread.currentThread();
    return true;
  }

  private synchronized boolean isStalled(String text) {
    String wanted = stallsAt;
    if (wanted == null || !text.contains(wanted)) {
      return false;
    }
    stallsAt = null;
    return true;
  }

  private synchronized @Nullable Cut reached(String text) {
    Cut here = cut;
    if (here == null || !text.contains(here.text()) || --left > 0) {
      return null;
    }
    cut = null;
    return here;
  }

  private static byte[] rest(InputStream in, byte[] chunk, int length) {
    ByteArrayOutputStream held = new ByteArrayOutputStream();
    for (int more = length; more >= 0; more = read(in, chunk)) {
      held.write(chunk, 0, more);
    }
    return held.toByteArray();
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
