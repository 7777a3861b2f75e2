package org.ecstore.cluster.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.ecstore.cluster.bookkeeper.metadata.Metadata;
import org.ecstore.cluster.bookkeeper.segment.Owner;
import org.ecstore.cluster.bookkeeper.segment.SegmentList;
import org.ecstore.key.Bytes;

/**
 * A connection to the list of segments that loses an answer, and then shows an old version once.
 */
final class FakeSegmentList implements Metadata {
  private static final long RESULT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Metadata inner;
  private Versioned shown = new Versioned(Bytes.EMPTY, 0);
  private boolean loses;
  private boolean shows;

  FakeSegmentList(Metadata inner) {
    this.inner = inner;
  }

  Owner owner(FakeCluster cluster) {
    return new FakeOwner(
        cluster.scheduler,
        FakeProcess.ALWAYS,
        bug -> {
          throw new AssertionError(bug);
        });
  }

  <T> T await(FakeCluster cluster, CompletableFuture<T> future) {
    long until = cluster.scheduler.nowNanos() + RESULT_NANOS;
    while (!future.isDone() && cluster.scheduler.step(until)) {
      // Whatever is due happens.
    }
    return future.join();
  }

  /** The next change is made, its answer lost; the read after it shows an empty list. */
  void answerIsLostAndTheNextReadIsOf(int version) {
    loses = true;
    shown = new Versioned(Bytes.wrap(SegmentList.empty(new UUID(1, 2)).encode()), version);
  }

  @Override
  public CompletableFuture<Versioned> readSegments() {
    if (shows) {
      shows = false;
      return CompletableFuture.completedFuture(shown);
    }
    return inner.readSegments();
  }

  @Override
  public CompletableFuture<Integer> writeSegments(byte[] data, int version) {
    if (!loses) {
      return inner.writeSegments(data, version);
    }
    loses = false;
    shows = true;
    return inner
        .writeSegments(data, version)
        .thenCompose(_ -> CompletableFuture.failedFuture(new IOException("connection lost")));
  }

  @Override
  public CompletableFuture<List<String>> writableBookies() {
    return inner.writableBookies();
  }

  @Override
  public void close() {}
}
