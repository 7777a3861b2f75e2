package org.ecstore.client.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.ecstore.client.error.WrongArgumentException;
import org.ecstore.client.report.ReportSource;
import org.ecstore.client.spi.Connector;
import org.ecstore.client.spi.NodeConnection;
import org.ecstore.protocol.ProtocolVersions;
import org.ecstore.wire.UnsafeAccess;

/**
 * Connections over TCP. All of a store's connections, of whichever application, share two daemon
 * threads; names of hosts are looked up on others, since that may take long. Safe for use by
 * several threads. Runs on Netty 4.1 and 4.2, whichever the application has (decision 0041).
 */
public final class NettyConnector implements Connector {
  static {
    UnsafeAccess.avoid("io.netty.noUnsafe", "true");
  }

  private static final int THREADS = 2;
  private static final int RESOLUTIONS_MAX = 256;

  private final List<String> seeds;
  private final Duration connectTimeout;
  private final Greeting greeting;
  private final Function<Optional<String>, ReportSource> reports;
  private final EventLoopGroup group;
  private final ThreadPoolExecutor resolver;
  private final Set<NettyConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<String> clusterId = new AtomicReference<>("");

  /**
   * Connects to nothing yet.
   *
   * @param seeds addresses of nodes, as {@code host:port}
   */
  public NettyConnector(List<String> seeds, Duration connectTimeout) {
    this(seeds, connectTimeout, Optional.empty());
  }

  /**
   * Connects to nothing yet.
   *
   * @param seeds addresses of nodes, as {@code host:port}
   * @param application which nodes tell its requests from others' by
   */
  public NettyConnector(List<String> seeds, Duration connectTimeout, Optional<String> application) {
    this(seeds, connectTimeout, application, ReportSource.NONE);
  }

  /**
   * Connects to nothing yet.
   *
   * @param reports what is told along with requests
   */
  public NettyConnector(
      List<String> seeds,
      Duration connectTimeout,
      Optional<String> application,
      ReportSource reports) {
    this(
        seeds,
        connectTimeout,
        application,
        (Optional<String> name) -> name.equals(application) ? reports : ReportSource.NONE);
  }

  /**
   * Connects to nothing yet.
   *
   * @param application of connections of which it is not said
   * @param reports what is told along with requests, of each application
   */
  public NettyConnector(
      List<String> seeds,
      Duration connectTimeout,
      Optional<String> application,
      Function<Optional<String>, ReportSource> reports) {
    this(seeds, connectTimeout, new Greeting(ProtocolVersions.SPOKEN, application), reports);
  }

  /** As a client that says this of itself. */
  NettyConnector(List<String> seeds, Duration connectTimeout, Greeting greeting) {
    this(seeds, connectTimeout, greeting, (Optional<String> name) -> ReportSource.NONE);
  }

  private NettyConnector(
      List<String> seeds,
      Duration connectTimeout,
      Greeting greeting,
      Function<Optional<String>, ReportSource> reports) {
    if (seeds.isEmpty()) {
      throw new WrongArgumentException("no address to connect to", null);
    }
    this.seeds = List.copyOf(seeds);
    this.connectTimeout = connectTimeout;
    this.greeting = greeting;
    this.reports = reports;
    this.group = newGroup();
    this.resolver =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            10,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(RESOLUTIONS_MAX),
            new DefaultThreadFactory("ecstore-client-names", true));
    resolver.allowCoreThreadTimeOut(true);
  }

  /** By a class that Netty 4.1 and 4.2 both have; 4.2 makes of it what it wants instead. */
  @SuppressWarnings("deprecation")
  private static EventLoopGroup newGroup() {
    return new NioEventLoopGroup(THREADS, new DefaultThreadFactory("ecstore-client-net", true));
  }

  @Override
  public List<String> seeds() {
    return seeds;
  }

  @Override
  public NodeConnection connect(String address) {
    return connect(address, greeting);
  }

  @Override
  public NodeConnection connect(String address, String application) {
    return connect(address, greeting.of(application));
  }

  private NodeConnection connect(String address, Greeting said) {
    InetSocketAddress to = AddressList.toSocketAddress(address);
    NettyConnection connection =
        new NettyConnection(
            to,
            group.next(),
            resolver,
            connectTimeout,
            this::isSameCluster,
            said,
            reports.apply(said.application()));
    connections.removeIf(NettyConnection::isClosed);
    connections.add(connection);
    return connection;
  }

  /** Whether a node is of the cluster that the first one was of. */
  private boolean isSameCluster(String id) {
    return clusterId.compareAndSet("", id) || id.equals(clusterId.get());
  }

  @Override
  public void close() {
    connections.forEach(NettyConnection::close);
    resolver.shutdownNow();
    var unused = group.shutdownGracefully(0, 2, TimeUnit.SECONDS);
  }
}
