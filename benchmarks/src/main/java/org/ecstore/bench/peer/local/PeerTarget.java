package org.ecstore.bench.peer.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.ecstore.bench.store.BenchDb;
import org.ecstore.bench.store.DiskUse;
import org.ecstore.bench.store.StartedTarget;
import org.ecstore.bench.store.Target;
import org.ecstore.cluster.database.Loopback;
import org.ecstore.cluster.database.ServerProcess;
import org.ecstore.cluster.database.ServerUnavailableException;
import site.ycsb.DBException;

/** A peer that was started here. Its processes end with this one too, unless it is killed. */
public final class PeerTarget implements StartedTarget {
  private static final Duration END_WITHIN = Duration.ofSeconds(30);

  private final String name;
  private final String address;
  private final Path directory;
  private final List<ServerProcess> processes;
  private final PeerClients clients;
  private final Map<String, String> settings;

  private PeerTarget(
      String name,
      String address,
      Path directory,
      List<ServerProcess> processes,
      PeerClients clients,
      Map<String, String> settings) {
    this.name = name;
    this.address = address;
    this.directory = directory;
    this.processes = List.copyOf(processes);
    this.clients = clients;
    this.settings = settings;
  }

  /**
   * A peer whose processes were just started, once it serves. If it does not, they are ended.
   *
   * @param address as {@code host:port,host:port}
   * @param directory with all that it stores
   */
  public static PeerTarget serving(
      String name,
      String address,
      Path directory,
      List<ServerProcess> processes,
      PeerClients clients,
      Duration within)
      throws ServerUnavailableException, InterruptedException {
    boolean serves = false;
    try {
      Loopback.awaitListening(address, processes, within);
      PeerTarget made = new PeerTarget(name, address, directory, processes, clients, said(clients));
      serves = true;
      return made;
    } finally {
      if (!serves) {
        end(processes);
      }
    }
  }

  /** A peer that runs already: another process may have started it. */
  public static Target running(String name, List<Long> processes, PeerClients clients)
      throws ServerUnavailableException {
    return new RunningPeer(name, List.copyOf(processes), clients, said(clients));
  }

  /** What it is set to, as it says; no connection stays open. */
  private static Map<String, String> said(PeerClients clients) throws ServerUnavailableException {
    try {
      return new LinkedHashMap<>(clients.settings());
    } catch (DBException e) {
      throw new ServerUnavailableException("it does not say what it is: " + e.getMessage(), e);
    } finally {
      clients.close();
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public Map<String, String> settings() {
    return settings;
  }

  @Override
  public BenchDb client() throws DBException {
    return clients.client();
  }

  @Override
  public List<Long> processes() {
    return processes.stream().map(ServerProcess::pid).toList();
  }

  @Override
  public OptionalLong bytesOnDisk() {
    return OptionalLong.of(DiskUse.of(directory));
  }

  @Override
  public void pause() throws IOException, InterruptedException {
    for (ServerProcess process : processes) {
      process.pause();
    }
  }

  @Override
  public void resume() throws IOException, InterruptedException {
    for (ServerProcess process : processes) {
      process.resume();
    }
    try {
      Loopback.awaitListening(address, processes, END_WITHIN);
    } catch (ServerUnavailableException e) {
      throw new IOException(name + " does not serve again: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    clients.close();
    end(processes);
  }

  /** Ends processes, all at once. */
  public static void end(List<ServerProcess> processes) {
    try {
      for (ServerProcess process : processes) {
        process.beginEnd();
      }
      for (ServerProcess process : processes) {
        process.awaitEnd(END_WITHIN);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** A peer that another process started. */
  private record RunningPeer(
      String name, List<Long> processes, PeerClients clients, Map<String, String> settings)
      implements Target {
    @Override
    public BenchDb client() throws DBException {
      return clients.client();
    }

    @Override
    public OptionalLong bytesOnDisk() {
      return OptionalLong.empty();
    }

    @Override
    public void close() {
      clients.close();
    }
  }
}
