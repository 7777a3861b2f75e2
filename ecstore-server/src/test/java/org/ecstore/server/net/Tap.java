package org.ecstore.server.net;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.ecstore.key.Bytes;

/**
 * An attacker on the way to a node: it hands on what comes, keeps what it has seen, and changes a
 * bit of it if it is told to.
 */
public final class Tap implements AutoCloseable {
  private final InetSocketAddress target;
  private final ServerSocket listening;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private final AtomicBoolean flip = new AtomicBoolean();
  private final AtomicBoolean repeat = new AtomicBoolean();

  /** Listens on a port of the loopback address, in the place of a node. */
  public Tap(InetSocketAddress target) throws IOException {
    this.target = target;
    listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** Where it listens. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.getLocalSocketAddress();
  }

  /** What came for the node by now, over all connections. */
  public synchronized Bytes seen() {
    return Bytes.wrap(seen.toByteArray());
  }

  /** Changes one bit in the middle of what comes next. */
  public void flipABit() {
    flip.set(true);
  }

  /** Says what comes next twice. */
  public void repeatWhatComes() {
    repeat.set(true);
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listening.accept();
        Socket far = new Socket(target.getAddress(), target.getPort());
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        sockets.addAll(List.of(near, far));
        Thread.ofVirtual().start(() -> pump(near, far, true));
        Thread.ofVirtual().start(() -> pump(far, near, false));
      }
    } catch (IOException closed) {
      closeAll();
    }
  }

  private void pump(Socket from, Socket to, boolean toNode) {
    byte[] chunk = new byte[1 << 16];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
        if (toNode) {
          note(chunk, length);
          if (length > 1 && flip.getAndSet(false)) {
            chunk[length / 2] ^= 1;
          }
        }
        if (toNode && repeat.getAndSet(false)) {
          out.write(chunk, 0, length);
        }
        out.write(chunk, 0, length);
        out.flush();
      }
    } catch (IOException closed) {
      sockets.removeAll(List.of(from, to));
    }
  }

  private synchronized void note(byte[] chunk, int length) {
    seen.write(chunk, 0, length);
  }

  private void closeAll() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException alreadyClosed) {
        // It is what was wanted.
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    closeAll();
  }
}
