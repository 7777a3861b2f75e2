package org.ecstore.cluster.bookkeeper.bookie;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.bookkeeper.bookie.BookieResources;
import org.apache.bookkeeper.bookie.ExitCode;
import org.apache.bookkeeper.bookie.LedgerDirsManager.LedgerDirsListener;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.discover.RegistrationManager;
import org.apache.bookkeeper.meta.MetadataBookieDriver;
import org.apache.bookkeeper.proto.BookieServer;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.apache.bookkeeper.stats.NullStatsLogger;
import org.apache.bookkeeper.stats.NullStatsProvider;
import org.ecstore.cluster.bookkeeper.metadata.ClusterMetadata;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.bookkeeper.metadata.MetadataZooKeeper;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.core.port.OperatorLog;
import org.ecstore.server.file.DirectoryLock;

/**
 * A bookie in this process: one of the servers that keep the commit ledger. It writes each entry to
 * its journal on disk before it acknowledges it, and keeps the promise never to take another entry
 * into a ledger that was fenced. If its journal cannot be written, BookKeeper ends the process.
 *
 * <p>That promise lives in its directory. So a bookie whose directory is lost must not come back
 * under its id: it would let a deposed sequencer append (rule 6). BookKeeper notes in ZooKeeper, in
 * a cookie, which directory belongs to which bookie; what does not fit is refused. Safe for use by
 * several threads.
 */
public final class EmbeddedBookie implements AutoCloseable {
  private static final int DEATH_WATCH_MILLIS = 200;

  private final DirectoryLock lock;
  private final MetadataBookieDriver metadata;
  private final EmbeddedServer server;
  private final BookieSettings settings;
  private final OperatorLog log;
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private volatile boolean closing;

  private EmbeddedBookie(
      DirectoryLock lock,
      MetadataBookieDriver metadata,
      EmbeddedServer server,
      BookieSettings settings,
      OperatorLog log) {
    this.lock = lock;
    this.metadata = metadata;
    this.server = server;
    this.settings = settings;
    this.log = log;
  }

  /**
   * Starts a bookie; it takes entries when this returns. Where the cluster has no bookies yet, its
   * metadata is created. Where it was killed shortly before, what is left of that in ZooKeeper is
   * removed; a bookie of the same id at another address is waited for until ZooKeeper has forgotten
   * it.
   *
   * @param zooKeeper {@code host:port,host:port}
   * @param log is told when the disk is nearly full and when it fails
   * @throws BookieRefusedException if the directory does not belong to this bookie, the port is
   *     taken, another bookie has this id, or there is no ZooKeeper
   * @throws org.ecstore.server.file.DirectoryInUseException if the directory is open already
   */
  public static EmbeddedBookie start(
      String zooKeeper, String clusterName, BookieSettings settings, OperatorLog log)
      throws IOException {
    ClusterPaths paths = ClusterPaths.of(zooKeeper, clusterName);
    DirectoryLock lock = DirectoryLock.acquire(settings.directory());
    EmbeddedBookie started = null;
    try {
      BookieRefusals refusals = new BookieRefusals(settings, zooKeeper, lock.directory());
      started = start(paths, lock, settings, refusals, log);
      return started;
    } finally {
      if (started == null) {
        lock.close();
      }
    }
  }

  private static EmbeddedBookie start(
      ClusterPaths paths,
      DirectoryLock lock,
      BookieSettings settings,
      BookieRefusals refusals,
      OperatorLog log)
      throws IOException {
    ServerConfiguration configuration = configuration(paths, lock.directory(), settings);
    refusals.checkPort();
    try (MetadataZooKeeper zooKeeper = connect(paths, settings, refusals, log)) {
      return start(zooKeeper, configuration, lock, settings, refusals, log);
    }
  }

  private static MetadataZooKeeper connect(
      ClusterPaths paths, BookieSettings settings, BookieRefusals refusals, OperatorLog log)
      throws BookieRefusedException {
    MetadataZooKeeper zooKeeper = null;
    boolean ready = false;
    try {
      zooKeeper = MetadataZooKeeper.connect(paths, settings.sessionMillis(), log);
      ClusterMetadata.create(paths, zooKeeper, settings.sessionMillis());
      ready = true;
      return zooKeeper;
    } catch (Exception e) {
      throw refusals.noZooKeeper(e);
    } finally {
      if (zooKeeper != null && !ready) {
        zooKeeper.close();
      }
    }
  }

  private static EmbeddedBookie start(
      MetadataZooKeeper zooKeeper,
      ServerConfiguration configuration,
      DirectoryLock lock,
      BookieSettings settings,
      BookieRefusals refusals,
      OperatorLog log)
      throws IOException {
    MetadataBookieDriver metadata = driver(configuration, refusals);
    EmbeddedServer server = null;
    boolean started = false;
    try {
      server = build(configuration, metadata, refusals);
      removeStale(zooKeeper, settings, refusals);
      EmbeddedBookie bookie = new EmbeddedBookie(lock, metadata, server, settings, log);
      bookie.run(refusals, zooKeeper);
      started = true;
      return bookie;
    } finally {
      if (!started) {
        if (server != null) {
          server.getLifecycleComponentStack().close();
        }
        metadata.close();
      }
    }
  }

  private static void removeStale(
      MetadataZooKeeper zooKeeper, BookieSettings settings, BookieRefusals refusals)
      throws BookieRefusedException {
    try {
      StaleRegistration.remove(zooKeeper, settings);
    } catch (Exception e) {
      throw refusals.noZooKeeper(e);
    }
  }

  private static MetadataBookieDriver driver(
      ServerConfiguration configuration, BookieRefusals refusals) throws BookieRefusedException {
    try {
      return BookieResources.createMetadataDriver(configuration, NullStatsLogger.INSTANCE);
    } catch (Exception e) {
      throw refusals.noZooKeeper(e);
    }
  }

  private static EmbeddedServer build(
      ServerConfiguration configuration, MetadataBookieDriver metadata, BookieRefusals refusals)
      throws BookieRefusedException {
    try (RegistrationManager registrations = metadata.createRegistrationManager()) {
      try {
        return EmbeddedServer.builder(new BookieConfiguration(configuration))
            .statsProvider(new NullStatsProvider())
            .metadataDriver(metadata)
            .build();
      } catch (Exception e) {
        throw refusals.explain(e, registrations);
      }
    }
  }

  private static ServerConfiguration configuration(
      ClusterPaths paths, Path directory, BookieSettings settings) throws IOException {
    ServerConfiguration to = new ServerConfiguration();
    to.setMetadataServiceUri(paths.metadataUri());
    to.setZkTimeout(settings.sessionMillis());
    to.setBookieId(settings.id());
    to.setAdvertisedAddress(settings.host());
    // Any name: with one it listens on the advertised address, without on every address there is.
    to.setListeningInterface("advertised");
    to.setAllowLoopback(true);
    to.setAllowEphemeralPorts(true);
    to.setBookiePort(settings.port());
    Path log = Files.createDirectories(directory.resolve("journal"));
    Path ledgers = Files.createDirectories(directory.resolve("ledgers"));
    to.setJournalDirName(log.toString());
    to.setLedgerDirNames(new String[] {ledgers.toString()});
    to.setNettyMaxFrameSizeBytes(EntryCodec.FRAME_BYTES_MAX);
    durability(to);
    storage(to, settings);
    threads(to);
    return to;
  }

  private static void durability(ServerConfiguration to) {
    to.setJournalSyncData(true);
    to.setJournalFlushWhenQueueEmpty(true);
    to.setJournalAdaptiveGroupWrites(true);
    to.setMaxJournalSizeMB(256);
    to.setMaxBackupJournals(0);
    // Would need reflection into java.io, which is not open.
    to.setJournalRemovePagesFromCache(false);
  }

  /**
   * Entries that a bookie sorts in memory before it writes them; while it writes, there are twice
   * as many. BookKeeper's own 64 MiB would be a third of a small node's heap. Room for half of this
   * would stop an entry of the greatest length for good.
   */
  static int memoryTableBytes(long heapBytes) {
    return Math.toIntExact(Math.clamp(heapBytes / 24, 16L << 20, 64L << 20));
  }

  private static void storage(ServerConfiguration to, BookieSettings settings) {
    to.setLedgerStorageClass(BookieStorage.class.getName());
    to.setEntryLogSizeLimit(128L << 20);
    to.setSkipListSizeLimit(memoryTableBytes(Runtime.getRuntime().maxMemory()));
    to.setGcWaitTime(settings.collectMillis());
    to.setMinorCompactionInterval(Math.max(600, 2L * settings.collectMillis() / 1000));
    to.setMajorCompactionInterval(Math.max(3600, 4L * settings.collectMillis() / 1000));
    to.setDiskUsageThreshold(settings.diskUsageMax());
    to.setDiskUsageWarnThreshold(settings.diskUsageMax());
    to.setDiskLowWaterMarkUsageThreshold(settings.diskUsageMax());
    to.setIsForceGCAllowWhenNoSpace(true);
    to.setStatisticsEnabled(false);
    to.setHttpServerEnabled(false);
    to.setAutoRecoveryDaemonEnabled(false);
  }

  private static void threads(ServerConfiguration to) {
    to.setServerNumIOThreads(2);
    to.setNumAddWorkerThreads(1);
    to.setNumReadWorkerThreads(1);
    to.setNumLongPollWorkerThreads(0);
    to.setNumHighPriorityWorkerThreads(1);
    to.setProperty("deathWatchInterval", DEATH_WATCH_MILLIS);
  }

  private void run(BookieRefusals refusals, MetadataZooKeeper zooKeeper) throws IOException {
    server.getLedgerDirsManager().addLedgerDirsListener(new DiskNotes());
    server.getLifecycleComponentStack().setExceptionHandler((_, cause) -> died(cause));
    sayIfFull();
    server.getLifecycleComponentStack().start();
    if (!isRunning()) {
      throw refusals.notRunning(server.getBookieService().getServer().getExitCode(), zooKeeper);
    }
  }

  private void died(Throwable cause) {
    if (!closing) {
      int code = server.getBookieService().getServer().getBookie().getExitCode();
      ended.complete(reason(code, cause));
    }
  }

  private static String reason(int code, Throwable cause) {
    return switch (code) {
      case ExitCode.ZK_REG_FAIL -> "it could not register with ZooKeeper again";
      case ExitCode.BOOKIE_EXCEPTION -> "its journal or its disk has failed";
      default -> cause + " (BookKeeper's code " + code + ")";
    };
  }

  private void sayIfFull() throws IOException {
    var store = Files.getFileStore(lock.directory());
    double used = 1 - (double) store.getUsableSpace() / store.getTotalSpace();
    if (used >= settings.diskUsageMax()) {
      log.warn(full(used));
    }
  }

  private String full(double used) {
    return "bookie %s: the disk of %s is %.1f%% full, and it takes no writes above %.1f%%: make room"
        .formatted(settings.id(), lock.directory(), 100 * used, 100 * settings.diskUsageMax());
  }

  /** The id in the cluster. */
  public String id() {
    return settings.id();
  }

  /** Where it listens. */
  public int port() {
    try {
      return server.getBookieService().getServer().getLocalAddress().getPort();
    } catch (IOException e) {
      throw new IllegalStateException("the address of a running bookie is unknown", e);
    }
  }

  /** Completes with the reason if it ends by itself. It must be closed all the same. */
  CompletableFuture<String> ended() {
    return ended;
  }

  /** BookKeeper's own, for tests that end it behind this object's back. */
  BookieServer inner() {
    return server.getBookieService().getServer();
  }

  /** Whether it serves; not so after it failed. */
  public boolean isRunning() {
    return server.getBookieService().getServer().isRunning();
  }

  /**
   * Ends it: what was acknowledged is on disk, the port is free, the directory can be opened again.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closing) {
        return;
      }
      closing = true;
    }
    try {
      server.getLifecycleComponentStack().close();
      metadata.close();
    } finally {
      lock.close();
    }
  }

  /** Tells the operator, who would else wonder why nothing is written any more. */
  private final class DiskNotes implements LedgerDirsListener {
    @Override
    public void diskFailed(File disk) {
      log.warn("bookie %s: the disk of %s fails, it ends".formatted(settings.id(), disk));
    }

    @Override
    public void diskFull(File disk) {
      double used = 1 - (double) disk.getUsableSpace() / disk.getTotalSpace();
      log.warn(full(used));
    }

    @Override
    public void diskWritable(File disk) {
      log.info("bookie %s: there is room in %s again".formatted(settings.id(), disk));
    }

    @Override
    public void diskJustWritable(File disk) {
      diskWritable(disk);
    }
  }
}
