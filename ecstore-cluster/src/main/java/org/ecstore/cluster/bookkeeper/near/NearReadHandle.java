package org.ecstore.cluster.bookkeeper.near;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.bookkeeper.bookie.Bookie;
import org.apache.bookkeeper.bookie.BookieException;
import org.apache.bookkeeper.client.BKException.BKDigestMatchException;
import org.apache.bookkeeper.client.api.LastConfirmedAndEntry;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.client.impl.LedgerEntriesImpl;
import org.apache.bookkeeper.client.impl.LedgerEntryImpl;
import org.apache.bookkeeper.proto.LedgerMetadataFormat.DigestType;
import org.apache.bookkeeper.proto.checksum.DigestManager;

/**
 * A segment whose entries are read from the bookie of this process where it has all that is asked
 * for, and else as BookKeeper's client reads them: by a request for each entry, to one bookie after
 * the other until one has it. The own bookie is just the one that is asked first (decision 0096).
 *
 * <p>What it lacks is asked of the others: that an entry is absent it never says alone. What it has
 * may not be acknowledged, as with each bookie; who reads looks for that in the entries.
 */
@SuppressWarnings("try") // The interface closes with what a wait may throw.
public final class NearReadHandle implements ReadHandle {
  private final ReadHandle far;
  private final NearBookie near;
  private final Executor thread;
  private final DigestManager digests;

  /**
   * A segment as it is.
   *
   * @param thread may wait for the disk
   */
  public NearReadHandle(ReadHandle far, NearBookie near, Executor thread) {
    this.far = far;
    this.near = near;
    this.thread = thread;
    try {
      this.digests =
          DigestManager.instantiate(
              far.getId(), new byte[0], DigestType.CRC32C, UnpooledByteBufAllocator.DEFAULT, false);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a checksum that needs no key", e);
    }
  }

  @Override
  public CompletableFuture<LedgerEntries> readUnconfirmedAsync(long first, long last) {
    CompletableFuture<LedgerEntries> result = new CompletableFuture<>();
    try {
      thread.execute(() -> read(first, last, result));
    } catch (RejectedExecutionException e) {
      return far.readUnconfirmedAsync(first, last);
    }
    return result;
  }

  private void read(long first, long last, CompletableFuture<LedgerEntries> result) {
    List<LedgerEntry> entries = here(first, last);
    if (!entries.isEmpty()) {
      result.complete(LedgerEntriesImpl.create(entries));
      return;
    }
    CompletableFuture<LedgerEntries> _ =
        far.readUnconfirmedAsync(first, last)
            .whenComplete(
                (found, failure) -> {
                  if (failure == null) {
                    result.complete(found);
                  } else {
                    result.completeExceptionally(failure);
                  }
                });
  }

  /** All that is asked for, or nothing. */
  private List<LedgerEntry> here(long first, long last) {
    Optional<Bookie> bookie = near.serving();
    if (bookie.isEmpty()) {
      return List.of();
    }
    List<LedgerEntry> entries = new ArrayList<>();
    for (long number = first; number <= last; number++) {
      Optional<LedgerEntry> entry = here(bookie.get(), number);
      if (entry.isEmpty()) {
        entries.forEach(LedgerEntry::close);
        return List.of();
      }
      entries.add(entry.get());
    }
    return entries;
  }

  private Optional<LedgerEntry> here(Bookie bookie, long number) {
    try {
      return verified(number, bookie.readEntry(far.getId(), number));
    } catch (IOException | BookieException | RuntimeException e) {
      // Other bookies have it, or say what is wrong.
      return Optional.empty();
    }
  }

  private Optional<LedgerEntry> verified(long number, ByteBuf kept) {
    try {
      ByteBuf data = digests.verifyDigestAndReturnData(number, kept);
      long length = kept.getLong(DigestManager.METADATA_LENGTH - Long.BYTES);
      return Optional.of(LedgerEntryImpl.create(far.getId(), number, length, data));
    } catch (BKDigestMatchException e) {
      // Another bookie has it whole.
      kept.release();
      return Optional.empty();
    }
  }

  @Override
  public CompletableFuture<LedgerEntries> readAsync(long first, long last) {
    return far.readAsync(first, last);
  }

  @Override
  public CompletableFuture<Long> readLastAddConfirmedAsync() {
    return far.readLastAddConfirmedAsync();
  }

  @Override
  public CompletableFuture<Long> tryReadLastAddConfirmedAsync() {
    return far.tryReadLastAddConfirmedAsync();
  }

  @Override
  public long getLastAddConfirmed() {
    return far.getLastAddConfirmed();
  }

  @Override
  public long getLength() {
    return far.getLength();
  }

  @Override
  public boolean isClosed() {
    return far.isClosed();
  }

  @Override
  public CompletableFuture<LastConfirmedAndEntry> readLastAddConfirmedAndEntryAsync(
      long entry, long timeoutMillis, boolean parallel) {
    return far.readLastAddConfirmedAndEntryAsync(entry, timeoutMillis, parallel);
  }

  @Override
  public long getId() {
    return far.getId();
  }

  @Override
  public CompletableFuture<Void> closeAsync() {
    return far.closeAsync();
  }

  @Override
  public LedgerMetadata getLedgerMetadata() {
    return far.getLedgerMetadata();
  }
}
