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
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A line to a server that goes through this process: what a client sends may be held up after the
 * client has hung up, as in a network that is slow, or the server be ended before it has it.
 */
public final class TappedLine implements AutoCloseable {
  private static final int CHUNK_BYTES_MAX = 16 << 10;

  private final String server;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final CountDownLatch hungUp = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger chunks = new AtomicInteger();
  private volatile @Nullable String holdsAt;
  private volatile @Nullable Thread holding;
  private volatile int endsAt;
  private volatile Runnable end = () -> {};

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
  public void holdAt(String text) {
    holdsAt = text;
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

  /** How often something was passed on to the server. */
  public int chunks() {
    return chunks.get();
  }

  /** Does something to the server before it gets the chunk of a number. */
  public void beforeChunk(int number, Runnable work) {
    end = work;
    endsAt = number;
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
      Thread back = Thread.ofPlatform().daemon().start(() -> passBack(to, client));
      forward(client, to);
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

  /** What the server says, whether there is a client for it or not. */
  private static void passBack(Socket from, Socket to) {
    byte[] chunk = new byte[CHUNK_BYTES_MAX];
    boolean isThere = true;
    try {
      InputStream in = from.getInputStream();
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        isThere = isThere && wrote(to, chunk, length);
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

  private static boolean wrote(Socket to, byte[] chunk, int length) {
    try {
      to.getOutputStream().write(chunk, 0, length);
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private void forward(Socket client, Socket to) throws IOException, InterruptedException {
    InputStream in = client.getInputStream();
    OutputStream out = to.getOutputStream();
    byte[] chunk = new byte[CHUNK_BYTES_MAX];
    for (int length = read(in, chunk); length >= 0; length = read(in, chunk)) {
      if (isHeld(chunk, length)) {
        byte[] held = rest(in, chunk, length);
        hungUp.countDown();
        released.await();
        out.write(held);
        return;
      }
      if (chunks.incrementAndGet() == endsAt) {
        end.run();
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

  private synchronized boolean isHeld(byte[] chunk, int length) {
    String text = holdsAt;
    if (text == null || !new String(chunk, 0, length, StandardCharsets.ISO_8859_1).contains(text)) {
      return false;
    }
    holdsAt = null;
    holding = Thread.currentThread();
    return true;
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
