package org.ecstore.engines.je;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import org.ecstore.core.port.Engine.EngineBatch;
import org.ecstore.core.port.Engine.VersionedWrite;
import org.ecstore.core.port.EngineResult;
import org.ecstore.id.Position;
import org.ecstore.key.KeyRange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that changes the store: takes changes in the order of their submission, and
 * batches that wait together into one transaction.
 */
final class JeWriter {
  private static final Logger log = LoggerFactory.getLogger(JeWriter.class);
  private static final int GROUP_BATCHES_MAX = 256;
  private static final long GROUP_BYTES_MAX = 4 << 20;

  /** What to do, under which token. */
  private sealed interface Change {
    long token();

    record Apply(long token, EngineBatch batch, long bytes) implements Change {}

    record Clear(long token, KeyRange keys) implements Change {}

    record Prune(long token, KeyRange keys, Position floor, Position tombstoneFloor)
        implements Change {}

    record Sync(long token) implements Change {}
  }

  private final JeAccess access;
  private final JeSettings settings;
  private final BiConsumer<Long, EngineResult> results;
  private final Thread thread;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final Deque<Change> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean reopen;
  private boolean closed;

  JeWriter(
      String name, JeAccess access, JeSettings settings, BiConsumer<Long, EngineResult> results) {
    this.access = access;
    this.settings = settings;
    this.results = results;
    this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  void apply(long token, EngineBatch batch) {
    long bytes = 0;
    for (VersionedWrite write : batch.writes()) {
      bytes += write.key().length();
      if (write.value().isPresent()) {
        bytes += write.value().get().length();
      }
    }
    submit(new Change.Apply(token, batch, bytes), bytes);
  }

  void clear(long token, KeyRange keys) {
    submit(new Change.Clear(token, keys), 0);
  }

  void prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) {
    submit(new Change.Prune(token, keys, floor, tombstoneFloor), 0);
  }

  void sync(long token) {
    submit(new Change.Sync(token), 0);
  }

  private void submit(Change change, long bytes) {
    String refusal = "the engine is closed";
    lock.lock();
    try {
      if (!closed) {
        boolean room =
            queue.size() < settings.batchesMax()
                && (queuedBytes == 0 || queuedBytes + bytes <= settings.batchBytesMax());
        if (room) {
          queue.addLast(change);
          queuedBytes += bytes;
          work.signal();
          return;
        }
        refusal = "too many batches are waiting in the engine";
      }
    } finally {
      lock.unlock();
    }
    results.accept(change.token(), new EngineResult.Failed(false, refusal));
  }

  /** A reader found the store unusable. */
  void reopenSoon() {
    lock.lock();
    try {
      reopen = true;
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes nothing more, completes what was taken, ends. */
  void close() {
    lock.lock();
    try {
      closed = true;
      work.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true; // What was taken is completed first.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<Change> group = new ArrayList<>();
    try {
      while (take(group)) {
        if (group.isEmpty()) {
          access.reopen();
        } else {
          complete(group);
        }
        group.clear();
      }
    } catch (InterruptedException | RuntimeException | Error e) {
      log.error("the engine's writer ends", e);
      fail(group, e);
    }
  }

  /** Takes the next change, or the next batches together; false at the end. */
  private boolean take(List<Change> group) throws InterruptedException {
    lock.lock();
    try {
      while (queue.isEmpty() && !closed && !reopen) {
        work.await();
      }
      if (reopen) {
        reopen = false;
        return true;
      }
      long bytes = 0;
      while (!queue.isEmpty()) {
        Change next = queue.getFirst();
        boolean joins =
            group.isEmpty()
                || (group.getFirst() instanceof Change.Apply
                    && next instanceof Change.Apply
                    && group.size() < GROUP_BATCHES_MAX
                    && bytes < GROUP_BYTES_MAX);
        if (!joins) {
          break;
        }
        group.add(queue.removeFirst());
        if (next instanceof Change.Apply apply) {
          bytes += apply.bytes();
        }
      }
      queuedBytes -= bytes;
      return !group.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void complete(List<Change> group) {
    EngineResult result =
        switch (group.getFirst()) {
          case Change.Apply first -> access.change(store -> apply(store, group));
          case Change.Clear(long token, KeyRange keys) ->
              access.change(
                  store -> {
                    store.clear(keys);
                    return new EngineResult.Applied();
                  });
          case Change.Prune(long token, KeyRange keys, Position floor, Position tombstoneFloor) ->
              access.change(store -> store.prune(keys, floor, tombstoneFloor));
          case Change.Sync sync ->
              access.change(
                  store -> {
                    store.sync();
                    return new EngineResult.Synced();
                  });
        };
    for (Change change : group) {
      results.accept(change.token(), result);
    }
  }

  private static EngineResult apply(JeStore store, List<Change> group) {
    List<EngineBatch> batches = new ArrayList<>(group.size());
    for (Change change : group) {
      if (change instanceof Change.Apply apply) {
        batches.add(apply.batch());
      }
    }
    store.apply(batches);
    return new EngineResult.Applied();
  }

  /** The thread ends by a bug or for want of memory: what waits for it fails. */
  private void fail(List<Change> group, Throwable cause) {
    List<Change> left = new ArrayList<>(group);
    lock.lock();
    try {
      closed = true;
      left.addAll(queue);
      queue.clear();
    } finally {
      lock.unlock();
    }
    for (Change change : left) {
      results.accept(change.token(), JeAccess.failedBy(cause));
    }
  }
}
