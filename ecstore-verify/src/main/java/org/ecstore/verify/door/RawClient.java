package org.ecstore.verify.door;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.function.Consumer;
import org.ecstore.key.Bytes;
import org.ecstore.protocol.ClientCodec;
import org.ecstore.protocol.ClientReply;
import org.ecstore.protocol.ClientRequest;
import org.ecstore.protocol.CorrelatedReply;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.Preamble;
import org.ecstore.wire.WireWriter;

/** A client of the fewest means, that can also misbehave: a blocking socket. */
public final class RawClient implements AutoCloseable {
  private static final int READ_MILLIS_MAX = 30_000;
  private static final int CONNECT_MILLIS_MAX = 10_000;

  /** A node that has so much to say at once is not waited for. */
  private static final int STRIKE_MILLIS_MAX = 5_000;

  private static final int CHUNK_BYTES = 64 << 10;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /** Connects and says nothing. */
  public RawClient(InetSocketAddress address) throws IOException {
    socket = new Socket();
    socket.connect(address, CONNECT_MILLIS_MAX);
    socket.setSoTimeout(READ_MILLIS_MAX);
    socket.setTcpNoDelay(true);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** Connects and greets. */
  public static RawClient greeted(InetSocketAddress address) throws IOException {
    RawClient client = new RawClient(address);
    client.sendRaw(Preamble.CLIENT);
    client.send(0, new ClientRequest.Hello(ProtocolVersions.SPOKEN, "test"));
    ClientReply reply = client.receive().reply();
    if (!(reply instanceof ClientReply.Welcome)) {
      throw new IOException("no welcome but " + reply);
    }
    return client;
  }

  public void sendRaw(Bytes bytes) throws IOException {
    out.write(bytes.array());
    out.flush();
  }

  public void sendFrame(Bytes body) throws IOException {
    sendRaw(new WireWriter().i32(body.length()).raw(body.array()).toBytes());
  }

  public void send(long correlation, ClientRequest request) throws IOException {
    sendFrame(ClientCodec.encodeRequest(correlation, request));
  }

  public CorrelatedReply receive() throws IOException {
    byte[] body = new byte[in.readInt()];
    in.readFully(body);
    return ClientCodec.decodeReply(Bytes.wrap(body));
  }

  /** The body of the next frame; empty if the connection is closed instead. */
  public Bytes receiveFrame() throws IOException {
    try {
      byte[] body = new byte[in.readInt()];
      in.readFully(body);
      return Bytes.wrap(body);
    } catch (EOFException | SocketException closed) {
      return Bytes.EMPTY;
    }
  }

  public ClientReply call(long correlation, ClientRequest request) throws IOException {
    send(correlation, request);
    CorrelatedReply reply = receive();
    if (reply.correlation() != correlation) {
      throw new IOException("an answer to " + reply.correlation() + " instead of " + correlation);
    }
    return reply.reply();
  }

  /**
   * Sends the last that there is to say, and reads until the node has closed the connection, as it
   * does when it has taken or refused all of it. What is cut before is taken for granted.
   */
  public void strike(Bytes bytes) throws IOException {
    sendLast(bytes);
    awaitEnd();
  }

  /** Reads until the node has closed the connection, or for some seconds. */
  public void awaitEnd() throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    try {
      while (in.read(chunk) >= 0) {
        // What it says is of no interest.
      }
    } catch (SocketException | SocketTimeoutException cut) {
      // Both are fine: what counts is how the node is afterwards.
    }
  }

  /** As above, with a look at each answer. */
  public void strike(Bytes bytes, Consumer<ClientReply> look) throws IOException {
    sendLast(bytes);
    try {
      while (true) {
        look.accept(receive().reply());
      }
    } catch (EOFException | SocketException | SocketTimeoutException cut) {
      // As above.
    }
  }

  /** Sends the last that there is to say. */
  public void sendLast(Bytes bytes) throws IOException {
    socket.setSoTimeout(STRIKE_MILLIS_MAX);
    try {
      sendRaw(bytes);
      socket.shutdownOutput();
    } catch (SocketException cut) {
      // It had enough before the end.
    }
  }

  /** Waits until the other side has closed the connection; true if it said nothing before. */
  public boolean closedSilently() throws IOException {
    try {
      return in.read() == -1;
    } catch (EOFException | SocketException e) {
      return true;
    }
  }

  /** The local port, by which the node's log names this connection. */
  public int port() {
    return socket.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
