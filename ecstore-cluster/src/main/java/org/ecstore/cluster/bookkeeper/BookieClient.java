package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.client.DefaultEnsemblePlacementPolicy;
import org.apache.bookkeeper.client.api.BKException;
import org.apache.bookkeeper.client.api.DigestType;
import org.apache.bookkeeper.client.api.LedgersIterator;
import org.apache.bookkeeper.client.api.ListLedgersResult;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.apache.bookkeeper.zookeeper.BoundExponentialBackoffRetryPolicy;
import org.apache.bookkeeper.zookeeper.RetryPolicy;
import org.apache.bookkeeper.zookeeper.ZooKeeperClient;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.ecstore.cluster.bookkeeper.bookie.LedgerRefusedException;
import org.ecstore.cluster.bookkeeper.metadata.ClusterPaths;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.metadata.MetadataZooKeeper;
import org.ecstore.cluster.bookkeeper.segment.BookKeeperSettings;
import org.ecstore.cluster.bookkeeper.segment.Bookies;
import org.ecstore.cluster.bookkeeper.segment.EntryCodec;
import org.ecstore.cluster.bookkeeper.segment.Futures;
import org.ecstore.server.refusal.Outlook;

/**
 * The {@link Bookies} that BookKeeper's client library reaches.
 *
 * <p>Why fewer bookies than the ensemble are safe, as long as there is the acknowledge quorum A: an
 * entry is acknowledged when A bookies of its segment have it on disk, however many the segment is
 * on. Who recovers a segment on n bookies, each entry sent to w = min(write quorum, n) of them,
 * takes an entry for absent only when w - A + 1 of its w bookies, all fenced, say so; the A that
 * hold an acknowledged entry leave w - A, one too few. So nothing acknowledged is lost, and no
 * append of the old writer can find A bookies that are not fenced. What a smaller ensemble costs is
 * tolerance: on A bookies the loss of one stops the writer, until it has a segment on others. Below
 * A neither would hold, so no segment is made.
 *
 * <p>While a segment has its acknowledge quorum, a bookie that fails is not replaced in it
 * (delayEnsembleChange): without a spare bookie a replacement fails, and would end the segment for
 * want of a third copy. The writer goes on with the others, and takes a new segment when the
 * ensemble is full again.
 */
final class BookieClient implements Bookies {
  private static final byte[] PASSWORD = "ecstore".getBytes(StandardCharsets.UTF_8);
  private static final String OWNER = "owner";
  private static final String LEDGER = "ecstore-ledger";
  private static final String CLUSTER = "cluster";
  private static final String AFTER = "after";

  /**
   * What a bookie that is silent costs a read, before another is asked too. A take-over that reads
   * many small segments makes some reads of each, one after the other; from a bookie that lives an
   * answer takes one or two.
   */
  private static final int SPECULATE_MILLIS = 25;

  /** Between two tries of what ZooKeeper did not answer because a connection was lost. */
  private static final int AGAIN_MILLIS_MIN = 20;

  private static final int AGAIN_MILLIS_MAX = 200;

  /** What a channel to a bookie holds back before it counts as stuck. */
  private static final int STUCK_BYTES = 64 << 20;

  private final BookKeeper client;
  private final ZooKeeper session;
  private final String root;
  private final Metadata metadata;
  private final UUID cluster;
  private final BookKeeperSettings settings;

  private BookieClient(
      BookKeeper client,
      ZooKeeper session,
      String root,
      Metadata metadata,
      UUID cluster,
      BookKeeperSettings settings) {
    this.client = client;
    this.session = session;
    this.root = root;
    this.metadata = metadata;
    this.cluster = cluster;
    this.settings = settings;
  }

  /**
   * Connects. The library takes a client of ZooKeeper by a method that it calls deprecated, and has
   * no other way to say when that is to try again.
   */
  @SuppressWarnings("deprecation")
  static BookieClient connect(
      ClusterPaths paths, Metadata metadata, UUID cluster, BookKeeperSettings settings)
      throws IOException {
    try {
      ZooKeeper session = session(paths, settings);
      try {
        BookKeeper client =
            BookKeeper.forConfig(configuration(paths, settings)).zk(session).build();
        return new BookieClient(client, session, paths.bookKeeper(), metadata, cluster, settings);
      } catch (BKException | IOException | InterruptedException e) {
        session.close();
        throw e;
      }
    } catch (BKException | KeeperException | IOException e) {
      throw new LedgerRefusedException(
          "BookKeeper's client does not start with ZooKeeper at " + paths.hosts(), e, Outlook.SOON);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * The library's own client of ZooKeeper, which tries again what lost its connection. The one that
   * the library makes for itself waits for the length of a session before it does: two seconds of
   * each take-over beside a ZooKeeper server that was frozen.
   */
  private static ZooKeeper session(ClusterPaths paths, BookKeeperSettings settings)
      throws IOException, KeeperException, InterruptedException {
    int tries = Math.max(1, settings.sessionMillis() / AGAIN_MILLIS_MAX);
    return ZooKeeperClient.newBuilder()
        .connectString(paths.hosts())
        .sessionTimeoutMs(settings.zooKeeperSessionMillis())
        .operationRetryPolicy(again(tries))
        .connectRetryPolicy(again(Integer.MAX_VALUE))
        .build();
  }

  private static RetryPolicy again(int tries) {
    return new BoundExponentialBackoffRetryPolicy(AGAIN_MILLIS_MIN, AGAIN_MILLIS_MAX, tries);
  }

  private static ClientConfiguration configuration(
      ClusterPaths paths, BookKeeperSettings settings) {
    ClientConfiguration to = new ClientConfiguration();
    to.setMetadataServiceUri(paths.metadataUri());
    // The URI's path is not looked at where the library is given a client of ZooKeeper.
    to.setProperty("zkLedgersRootPath", paths.bookKeeper());
    to.setZkTimeout(settings.zooKeeperSessionMillis());
    to.setThrottleValue(0);
    to.setNumIOThreads(1);
    to.setNumWorkerThreads(1);
    to.setNettyMaxFrameSizeBytes(EntryCodec.FRAME_BYTES_MAX);
    to.setEnsemblePlacementPolicy(DefaultEnsemblePlacementPolicy.class);
    to.setDelayEnsembleChange(true);
    // Adds fail at a bookie that takes nothing in, instead of filling the memory until it does.
    to.setWaitTimeoutOnBackpressureMillis(0);
    to.setClientWriteBufferHighWaterMark(STUCK_BYTES);
    to.setClientWriteBufferLowWaterMark(STUCK_BYTES / 2);
    to.setClientConnectTimeoutMillis(2_000);
    int seconds = Math.max(1, settings.addMillis() / 1000);
    to.setAddEntryTimeout(seconds);
    to.setAddEntryQuorumTimeout(2 * seconds);
    to.setTimeoutMonitorIntervalSec(1);
    to.setReadEntryTimeout(seconds);
    to.setSpeculativeReadTimeout(SPECULATE_MILLIS);
    to.setEnableParallelRecoveryRead(true);
    return to;
  }

  @Override
  public CompletableFuture<WriteHandle> create(long after) {
    return create(after, settings.ensemble());
  }

  private CompletableFuture<WriteHandle> create(long after, int size) {
    return client
        .newCreateLedgerOp()
        .withEnsembleSize(size)
        .withWriteQuorumSize(Math.min(size, settings.writeQuorum()))
        .withAckQuorumSize(settings.ackQuorum())
        .withDigestType(DigestType.CRC32C)
        .withPassword(PASSWORD)
        .withCustomMetadata(
            Map.of(
                OWNER, LEDGER.getBytes(StandardCharsets.UTF_8),
                CLUSTER, cluster.toString().getBytes(StandardCharsets.UTF_8),
                AFTER, Long.toString(after).getBytes(StandardCharsets.UTF_8)))
        .execute()
        .exceptionallyCompose(
            failure -> {
              if (!isNotEnough(failure)) {
                return CompletableFuture.failedFuture(Futures.cause(failure));
              }
              return size > settings.ackQuorum() ? create(after, size - 1) : tooFew();
            });
  }

  private static boolean isNotEnough(Throwable failure) {
    return Futures.cause(failure) instanceof BKException e
        && e.getCode() == BKException.Code.NotEnoughBookiesException;
  }

  private <T> CompletableFuture<T> tooFew() {
    return metadata
        .writableBookies()
        .thenCompose(
            there ->
                CompletableFuture.failedFuture(new TooFewBookies(there, settings.ackQuorum())));
  }

  @Override
  public CompletableFuture<String> explain(String what, Throwable failure) {
    String reason = Bookies.reason(failure);
    if (failure instanceof TooFewBookies || !(failure instanceof BKException)) {
      return CompletableFuture.completedFuture(what + ": " + reason);
    }
    return metadata
        .writableBookies()
        .orTimeout(1, TimeUnit.SECONDS)
        .handle(
            (there, _) ->
                there == null
                    ? what + ": " + reason
                    : "%s: %s; bookies there: %d %s, needed: %d"
                        .formatted(what, reason, there.size(), there, settings.ackQuorum()));
  }

  @Override
  public CompletableFuture<List<String>> writable() {
    return metadata.writableBookies();
  }

  @Override
  public CompletableFuture<ReadHandle> open(long ledger, Freshness freshness) {
    return switch (freshness) {
      case ANY ->
          open(ledger, false)
              .exceptionallyCompose(
                  failure ->
                      Bookies.isAbsent(failure)
                          ? open(ledger, Freshness.SYNCED)
                          : CompletableFuture.failedFuture(failure));
      case SYNCED -> sync().thenCompose(_ -> open(ledger, false));
    };
  }

  @Override
  public CompletableFuture<ReadHandle> recover(long ledger) {
    return sync().thenCompose(_ -> open(ledger, true));
  }

  private CompletableFuture<ReadHandle> open(long ledger, boolean recovering) {
    return client
        .newOpenLedgerOp()
        .withLedgerId(ledger)
        .withDigestType(DigestType.CRC32C)
        .withPassword(PASSWORD)
        .withRecovery(recovering)
        .execute();
  }

  /**
   * What the client's session reads of metadata after this is not older than anything that was
   * written before it.
   */
  private CompletableFuture<Void> sync() {
    CompletableFuture<Void> synced = new CompletableFuture<>();
    session.sync(
        root,
        (code, path, _) -> {
          if (code == KeeperException.Code.OK.intValue()) {
            synced.complete(null);
          } else {
            synced.completeExceptionally(MetadataZooKeeper.failure(code, path));
          }
        },
        null);
    return synced;
  }

  @Override
  public CompletableFuture<Void> delete(long ledger) {
    return client
        .newDeleteLedgerOp()
        .withLedgerId(ledger)
        .execute()
        .exceptionallyCompose(
            failure ->
                Bookies.isAbsent(failure)
                    ? CompletableFuture.completedFuture(null)
                    : CompletableFuture.failedFuture(failure));
  }

  @Override
  public CompletableFuture<List<Long>> ledgers() {
    return found(this::listed);
  }

  /**
   * What a look finds, on a thread of its own, since the library waits for ZooKeeper. It ends in
   * any case, for none is begun beside it; an error of the machine fails this look alone.
   */
  static <T> CompletableFuture<T> found(Callable<T> look) {
    CompletableFuture<T> found = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("ecstore-ledger-look")
        .start(
            () -> {
              try {
                found.complete(look.call());
              } catch (IOException e) {
                found.completeExceptionally(e);
              } catch (Exception | Error e) {
                found.completeExceptionally(new IOException("the look failed: " + e, e));
              }
            });
    return found;
  }

  private List<Long> listed() throws IOException {
    try {
      ListLedgersResult result = client.newListLedgersOp().execute().get();
      try {
        return ours(result.iterator());
      } finally {
        result.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (Exception e) {
      throw new IOException("cannot list BookKeeper's ledgers: " + Bookies.reason(e), e);
    }
  }

  private List<Long> ours(LedgersIterator ids) throws Exception {
    List<Long> found = new ArrayList<>();
    while (ids.hasNext()) {
      long id = ids.next();
      if (isOurs(id)) {
        found.add(id);
      }
    }
    return found;
  }

  private boolean isOurs(long id) throws Exception {
    try {
      Map<String, byte[]> custom = client.getLedgerMetadata(id).get().getCustomMetadata();
      byte[] of = custom.get(CLUSTER);
      return of != null && new String(of, StandardCharsets.UTF_8).equals(cluster.toString());
    } catch (ExecutionException e) {
      if (Bookies.isAbsent(e)) {
        return false;
      }
      throw e;
    }
  }

  /** The session is closed, whatever comes of the client. */
  @Override
  public void close() {
    try (AutoCloseable _ = session;
        AutoCloseable _ = client) {
      // Nothing is left to be done.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      throw new IllegalStateException("BookKeeper's client does not close", e);
    }
  }
}
