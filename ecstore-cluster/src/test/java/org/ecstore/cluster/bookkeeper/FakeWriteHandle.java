package org.ecstore.cluster.bookkeeper;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata.State;
import org.apache.bookkeeper.client.api.WriteHandle;

/**
 * A segment that a process writes. What fails once fails for ever; the process may not know why.
 */
@SuppressWarnings("try") // The interface closes with what a wait may throw.
final class FakeWriteHandle extends FakeReadHandle implements WriteHandle {
  private final FakeBookies client;
  private final LongConsumer acknowledged;
  private final Deque<CompletableFuture<Long>> open = new ArrayDeque<>();
  private boolean broken;

  FakeWriteHandle(
      FakeBookies client, FakeWire wire, FakeSegment segment, LongConsumer acknowledged) {
    super(client.bookKeeper, wire, segment, new FakeSegment.Meta(State.OPEN, -1));
    this.client = client;
    this.acknowledged = acknowledged;
  }

  @Override
  public CompletableFuture<Long> appendAsync(ByteBuf data) {
    byte[] bytes = new byte[data.readableBytes()];
    data.readBytes(bytes);
    CompletableFuture<Long> result = new CompletableFuture<>();
    if (broken) {
      result.completeExceptionally(new BKException.BKLedgerClosedException());
      return result;
    }
    open.add(result);
    wire.inOrder(() -> arrive(bytes));
    return result;
  }

  private void arrive(byte[] bytes) {
    if (broken) {
      return;
    }
    boolean gone = !wire.process.isAlive() && wire.random.chance(0.5);
    boolean few =
        !segment.minority.isEmpty()
            || (wire.faulty.getAsBoolean() && wire.random.chance(wire.faults.minority()));
    if (segment.fenced || gone || bookKeeper.full()) {
      fail();
    } else if (few || (!wire.process.isAlive() && wire.random.chance(0.5))) {
      segment.minority.add(bytes);
      wire.scheduler.after(1_000_000_000L, this::fail);
    } else {
      segment.entries.add(bytes);
      long entry = segment.entries.size() - 1L;
      wire.answerInOrder(() -> acknowledge(entry));
    }
  }

  private void acknowledge(long entry) {
    CompletableFuture<Long> first = open.poll();
    if (first == null) {
      return;
    }
    segment.acknowledged = entry;
    acknowledged.accept(segment.id);
    first.complete(entry);
  }

  /** Whatever has no answer yet gets none that says what became of it. */
  private void fail() {
    if (!broken) {
      broken = true;
      wire.answerInOrder(this::refuse);
    }
  }

  private void refuse() {
    while (!open.isEmpty()) {
      open.remove().completeExceptionally(new BKException.BKLedgerFencedException());
    }
  }

  @Override
  public long getLastAddPushed() {
    throw new UnsupportedOperationException();
  }

  @Override
  public CompletableFuture<Void> force() {
    throw new UnsupportedOperationException();
  }

  /** Closes the segment behind what was acknowledged, in a recovery's midst too (decision 0010). */
  @Override
  public CompletableFuture<Void> closeAsync() {
    CompletableFuture<Void> _ = super.closeAsync();
    broken = true;
    refuse();
    return client.close(segment.id, segment.acknowledged);
  }
}
