package org.ecstore.cluster.zookeeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.ecstore.cluster.zookeeper.server.EmbeddedZooKeeper;

/** Stands between clients and a server, loses what it is told to lose, and cuts connections. */
public final class ProxyServer implements AutoCloseable {
  /** {@code create} and {@code create2}. */
  private static final Set<Integer> CREATES = Set.of(1, 15);

  private final ServerSocket listening;
  private final String host;
  private final int port;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** Connections to the server. */
  private final Set<Socket> cutAtReply = ConcurrentHashMap.newKeySet();

  private volatile boolean losesRequests;
  private volatile boolean losesReplies;
  private volatile boolean refuses;

  /** What has to be created when a connection is cut between the request and its reply. */
  private volatile Optional<String> created = Optional.empty();

  /** A proxy of a server at {@code host:port}. */
  public ProxyServer(String server) throws IOException {
    int colon = server.indexOf(':');
    this.host = server.substring(0, colon);
    this.port = Integer.parseInt(server.substring(colon + 1));
    this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofPlatform().daemon().name("proxy").start(this::accept);
  }

  public String connectString() {
    return EmbeddedZooKeeper.LOOPBACK + ":" + listening.getLocalPort();
  }

  /** From now on what clients send gets lost. */
  void loseRequests() {
    losesRequests = true;
  }

  /** From now on what the server sends gets lost. */
  void loseReplies() {
    losesReplies = true;
  }

  /** The next client that creates a path has its connection cut when that is done. */
  public void loseReplyToCreate(String path) {
    created = Optional.of(path);
  }

  private boolean creates(byte[] packet, int length) {
    return length > 12
        && CREATES.contains(ByteBuffer.wrap(packet).getInt(8))
        && created
            .filter(new String(packet, 0, length, StandardCharsets.ISO_8859_1)::contains)
            .isPresent();
  }

  /** Cuts all connections, and takes no new ones. */
  void cut() throws IOException {
    refuses = true;
    for (Socket socket : sockets) {
      socket.close();
    }
    sockets.clear();
  }

  /** Takes connections again, and loses nothing. */
  void heal() {
    losesRequests = false;
    losesReplies = false;
    refuses = false;
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        if (refuses) {
          client.close();
          continue;
        }
        Socket server = new Socket(host, port);
        sockets.add(client);
        sockets.add(server);
        Thread.ofPlatform().daemon().name("proxy-up").start(() -> copy(client, server, true));
        Thread.ofPlatform().daemon().name("proxy-down").start(() -> copy(server, client, false));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void copy(Socket from, Socket to, boolean up) {
    byte[] buffer = new byte[8192];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        if (up && creates(buffer, count)) {
          cutAtReply.add(to);
          created = Optional.empty();
        } else if (!up && cutAtReply.remove(from)) {
          return;
        }
        if (up ? !losesRequests : !losesReplies) {
          out.write(buffer, 0, count);
          out.flush();
        }
      }
    } catch (IOException e) {
      // Cut.
    }
  }

  @Override
  public void close() throws IOException {
    cut();
    listening.close();
  }
}
